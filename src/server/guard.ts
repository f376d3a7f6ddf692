/**
 * The guard lets nobody in but the person who started the studio.
 *
 * 1. The request must name the address that is listened on: a foreign name that points here is a trick.
 * 2. A request that a page makes must come from a page of this server.
 * 3. Everything below /api needs the token, in a cookie or as a bearer. What lies outside of it is the page itself,
 *    which is in the package for everybody to see.
 */

import { createHash, timingSafeEqual } from "node:crypto";
import { Problem } from "./problem.ts";

export interface Door {
  readonly token: string;
  /** What a `Host` header may say. */
  readonly isOwnHost: (host: string) => boolean;
  /** What the cookie is called: it has the port in its name, since cookies are shared by all ports. */
  readonly cookie: () => string;
}

/** Refuses a request that this server should not even look at (1, 2). */
export function requireOwnAddress(request: Request, { isOwnHost }: Door): void {
  const host = hostOf(request);
  if (!isOwnHost(host)) {
    throw new Problem("foreign_host", `This studio is not called ${JSON.stringify(host)}.`);
  }
  const origin = request.headers.get("origin");
  const site = request.headers.get("sec-fetch-site");
  const isNavigation = request.headers.get("sec-fetch-mode") === "navigate" && request.method === "GET";
  const isForeign = origin !== null && origin !== `http://${host}`;
  if (isForeign || (!isNavigation && site !== null && site !== "same-origin" && site !== "none")) {
    throw new Problem("foreign_origin", "Pages of other sites get nothing from here.");
  }
}

/** Refuses a request without the token (3). */
export function requireToken(request: Request, door: Door): void {
  const bearer = /^Bearer (\S+)$/.exec(request.headers.get("authorization") ?? "")?.[1];
  const given = bearer ?? cookieIn(request, door.cookie());
  if (given !== undefined && isSame(given, door.token)) return;
  const hint = "Open the address that `baton studio` printed.";
  throw new Problem("unauthorized", "This request does not have the token of the studio.", { hint });
}

/** The answer to an address with a token in it: the cookie, and the same address without the token. */
export function welcome(request: Request, door: Door): Response | undefined {
  const url = new URL(request.url);
  const given = url.searchParams.get("token");
  if (given === null || request.method !== "GET" || url.pathname.startsWith("/api/")) return undefined;
  if (!isSame(given, door.token)) {
    const hint = "Open the address that `baton studio` printed last.";
    throw new Problem("unauthorized", "This is not the token of the studio.", { hint });
  }
  url.searchParams.delete("token");
  return new Response(null, {
    status: 303,
    headers: {
      location: `${url.pathname.replace(/^\/+/, "/")}${url.search}`, // two slashes would begin another host
      "set-cookie": `${door.cookie()}=${door.token}; HttpOnly; SameSite=Strict; Path=/`,
      "cache-control": "no-store",
    },
  });
}

function hostOf(request: Request): string {
  return request.headers.get("host") ?? new URL(request.url).host;
}

function cookieIn(request: Request, name: string): string | undefined {
  for (const part of (request.headers.get("cookie") ?? "").split(";")) {
    const [key, value] = part.trim().split("=", 2);
    if (key === name) return value;
  }
  return undefined;
}

/** Compares in a time that tells nothing of what is right in it; hashes have the same length. */
function isSame(given: string, token: string): boolean {
  const [a, b] = [given, token].map((text) => createHash("sha256").update(text).digest());
  return timingSafeEqual(a as Buffer, b as Buffer); // two texts give two hashes
}
