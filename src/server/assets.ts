/**
 * Assets are the files of the built page.
 *
 * 1. Only what lies in the folder when a file is asked for is given out, by the exact path; links are not followed out.
 * 2. A path that names no file is one of the page's own, so the page answers it.
 * 3. Files below /assets/ have the hash of their content in their names and are never asked for again.
 * 4. The page carries the nonce of the response that it comes with.
 */

import { readFile, realpath } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import { NONCE_PLACE } from "./policy.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".map": "application/json",
  ".webmanifest": "application/manifest+json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".wasm": "application/wasm",
  ".txt": "text/plain; charset=utf-8",
  ".md": "text/plain; charset=utf-8",
};

export class Assets {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The file of a path, or the page (2). */
  async respond(pathname: string, nonce: string): Promise<Response> {
    const isFile = extname(pathname) !== "" && pathname !== "/index.html";
    const file = isFile ? await this.#read(pathname) : undefined;
    if (file !== undefined) return file;
    if (pathname.startsWith("/assets/")) return new Response("There is no such file.\n", { status: 404 });
    const page = await this.#read("/index.html");
    return page === undefined ? unbuilt() : withNonce(page, nonce);
  }

  async #read(pathname: string): Promise<Response | undefined> {
    try {
      const folder = await realpath(this.#folder);
      const path = await realpath(join(folder, decodeURIComponent(pathname)));
      if (!path.startsWith(folder + sep)) return undefined; // (1)
      const type = TYPES[extname(path)] ?? "application/octet-stream";
      const isHashed = pathname.startsWith("/assets/"); // (3)
      const cache = isHashed ? "public, max-age=31536000, immutable" : "no-cache";
      return new Response(await readFile(path), {
        headers: { "content-type": type, "cache-control": cache },
      });
    } catch {
      return undefined;
    }
  }
}

/** (4) */
async function withNonce(page: Response, nonce: string): Promise<Response> {
  const text = await page.text();
  return new Response(text.replaceAll(NONCE_PLACE, nonce), { headers: page.headers });
}

function unbuilt(): Response {
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Baton</title>
<p>The server of the studio is up, and its page was not built. Build it with: <code>npm run build:webui</code></p></html>
`;
  return new Response(page, {
    status: 503,
    headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
  });
}
