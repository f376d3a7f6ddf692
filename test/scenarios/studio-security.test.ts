/** Nobody gets anything from a studio but the person who started it, and nothing outside of the project. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { ErrorDocument } from "../../src/protocol/result.ts";
import { ROUTES } from "../../src/protocol/routes.ts";
import { folderWith, inARow, program } from "./cli-harness.ts";
import { HOST, type Stage, studioOver, TOKEN } from "./studio-stage.ts";

const ROW = inARow({ one: program("console.log(1)") });
let stage: Stage;
let elsewhere: string;

beforeAll(async () => {
  elsewhere = folderWith({ "secret.json": ROW });
  stage = await studioOver({
    "row.json": ROW,
    "package.json": { name: "kept" },
    ".git/config.json": ROW,
    "page/index.html": `<!doctype html><meta nonce="BATON-NONCE"><title>The page</title>`,
    "page/assets/app-1a2b.js": "export {};",
    "secret.txt": "not of the page",
  });
  symlinkSync(join(elsewhere, "secret.json"), join(stage.folder, "link.json"));
  symlinkSync(elsewhere, join(stage.folder, "linked"));
  symlinkSync(join(stage.folder, ".git"), join(stage.folder, "hidden"));
  symlinkSync(join(stage.folder, "secret.txt"), join(stage.folder, "page", "leak.txt"));
});

async function refusal(response: Response): Promise<string> {
  expect(response.status).toBeGreaterThanOrEqual(400);
  return ((await response.json()) as ErrorDocument).error.code;
}

const everyRoute = Object.values(ROUTES).map(({ method, path }) => {
  const address = path
    .replace(/:(run|other)/g, "r")
    .replace(":seq", "1")
    .replace(":ref", "x")
    .replace("*", "row.json");
  return [method, address] as const;
});

describe("without the token", () => {
  test.each(everyRoute)("%s %s says nothing", async (method, path) => {
    for (const authorization of [
      "",
      "Bearer",
      "Bearer wrong-token-of-this-tst",
      `Basic ${TOKEN}`,
      `Bearer ${TOKEN}x`,
    ]) {
      const body = method === "GET" ? {} : { body: "{}" };
      const response = await stage.fetch(path, { method, headers: { authorization }, ...body });
      expect([response.status, await refusal(response)]).toEqual([401, "unauthorized"]);
    }
  });

  test("the cookie is as good as the bearer, and that of another port is not", async () => {
    const ask = (cookie: string) => stage.fetch("/api/project", { headers: { cookie, authorization: "" } });
    expect((await ask(`a=b; baton_studio_4747=${TOKEN}`)).status).toBe(200);
    expect((await ask(`baton_studio_4748=${TOKEN}`)).status).toBe(401);
    expect((await ask("baton_studio_4747=")).status).toBe(401);
  });

  test("the address with the token sets the cookie once and leaves the address", async () => {
    const response = await stage.fetch(`/runs/k3?seq=7&token=${TOKEN}&node=a`, {
      headers: { authorization: "" },
    });
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe("/runs/k3?seq=7&node=a");
    expect(response.headers.get("set-cookie")).toBe(
      `baton_studio_4747=${TOKEN}; HttpOnly; SameSite=Strict; Path=/`,
    );
    const wrong = await stage.fetch("/?token=wrong");
    expect([wrong.status, wrong.headers.get("set-cookie")]).toEqual([401, null]);
    const astray = await stage.fetch(`//evil.example/x?token=${TOKEN}`);
    expect(astray.headers.get("location")).toBe("/evil.example/x");
    expect(
      (await stage.fetch(`/api/project?token=${TOKEN}`, { headers: { authorization: "" } })).status,
    ).toBe(401);
  });
});

describe("a request from elsewhere", () => {
  test.each(["evil.example", "evil.example:4747", "127.0.0.1:4748", "localhost.evil.example:4747", ""])(
    "that calls the studio %j is refused, with the token too",
    async (host) => {
      for (const path of ["/api/project", "/", `/?token=${TOKEN}`]) {
        expect(await refusal(await stage.fetch(path, { headers: { host } }))).toBe("foreign_host");
      }
    },
  );

  test.each(["http://evil.example", "https://127.0.0.1:4747", "http://127.0.0.1:4748", "null"])(
    "of a page of %s is refused",
    async (origin) => {
      for (const [method, path] of everyRoute) {
        const init = { method, headers: { origin }, ...(method !== "GET" && { body: "{}" }) };
        expect(await refusal(await stage.fetch(path, init))).toBe("foreign_origin");
      }
    },
  );

  test("of another site is refused even where the browser names no origin; a link to the page is followed", async () => {
    const headers = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" };
    expect(await refusal(await stage.fetch("/api/project", { headers }))).toBe("foreign_origin");
    const link = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };
    expect((await stage.fetch("/runs/k3", { headers: link })).status).toBe(200);
    const own = { origin: `http://${HOST}`, "sec-fetch-site": "same-origin" };
    const response = await stage.fetch("/api/project", { headers: own });
    expect(response.status).toBe(200);
    expect([...response.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  });
});

describe("a body", () => {
  const post = (body: string | ReadableStream, headers: Record<string, string>) =>
    stage.fetch("/api/check", { method: "POST", body, headers, duplex: "half" } as RequestInit);
  const json = { "content-type": "application/json" };

  test.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])(
    "that is sent as %j is refused: a page of another site can send that",
    async (type) => {
      expect(await refusal(await post('{"text": "{}"}', { "content-type": type }))).toBe("not_json");
    },
  );

  test("that is too large is refused, whether it says so or not", async () => {
    const large = "x".repeat(1024 * 1024 + 1);
    expect(await refusal(await post(large, { ...json, "content-length": String(large.length) }))).toBe(
      "too_large",
    );
    const unsaid = new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array(65_536));
      },
    });
    const response = await post(unsaid, json);
    expect([response.status, await refusal(response)]).toEqual([413, "too_large"]);
  });

  test("that is no JSON or has another shape is refused, and its keys are only keys", async () => {
    for (const body of ["", "{", "[]", "null", '{"text": 1}', '{"text": "{}", "more": 1}']) {
      expect(await refusal(await post(body, json))).toBe("invalid_input");
    }
    expect(await refusal(await post('{"text": "{}", "__proto__": {"path": "x"}}', json))).toBe(
      "invalid_input",
    );
  });
});

describe("a path", () => {
  const outside = [
    ...[
      "../secret.json",
      "..%2Fsecret.json",
      "%2e%2e/secret.json",
      "%2e%2e%2fsecret.json",
      "..%5Csecret.json",
    ],
    ...["%2Fetc%2Fpasswd", "/etc/passwd", "flows/..%2F..%2Fsecret.json", "row.json%00.json", "C:%5Crow.json"],
    ...[
      ".git/config.json",
      ".baton/baton.db",
      "hidden/config.json",
      "link.json",
      "linked/secret.json",
      "%ff",
    ],
    ...["package.json", ".", "", "row.json%2F..", "page", "file:%2F%2F%2Fetc%2Fpasswd"],
  ];

  test.each(outside)("%j leads to no definition", async (path) => {
    const read = await stage.fetch(`/api/definitions/${path}`);
    if (path !== "" && path !== ".") expect(read.status).toBe(404);
    const body = JSON.stringify({ text: JSON.stringify(ROW), base: null });
    const headers = { "content-type": "application/json" };
    const written = await stage.fetch(`/api/definitions/${path}`, { method: "PUT", body, headers });
    expect(written.status).toBeGreaterThanOrEqual(400);
    const start = JSON.stringify({ definition: decode(path), task: "x" });
    const started = await stage.fetch("/api/runs", { method: "POST", body: start, headers });
    expect(started.status).toBeGreaterThanOrEqual(400);
  });

  test("what lies outside was neither read nor written", async () => {
    expect(readFileSync(join(elsewhere, "secret.json"), "utf8")).toBe(JSON.stringify(ROW));
    expect(readFileSync(join(stage.folder, "package.json"), "utf8")).toContain("kept");
    expect((await (await stage.fetch("/api/runs")).json()) as object).toMatchObject({ runs: [] });
    const listed = await (await stage.fetch("/api/definitions")).text();
    expect(listed).toContain("row.json");
    expect(listed).not.toMatch(/link|secret|hidden|\.git/);
  });

  test("a folder that was put in place of a file's leads nowhere either", async () => {
    mkdirSync(join(stage.folder, "later"));
    symlinkSync(elsewhere, join(stage.folder, "later", "out"));
    const body = JSON.stringify({ text: JSON.stringify(ROW), base: null });
    const headers = { "content-type": "application/json" };
    const response = await stage.fetch("/api/definitions/later/out/new.json", {
      method: "PUT",
      body,
      headers,
    });
    expect(response.status).toBe(404);
    expect(() => readFileSync(join(elsewhere, "new.json"))).toThrow();
  });

  function decode(path: string): string {
    try {
      return decodeURIComponent(path);
    } catch {
      return path;
    }
  }
});

describe("the page", () => {
  test.each([
    ["/", "text/html; charset=utf-8", "no-cache"],
    ["/runs/k3f9", "text/html; charset=utf-8", "no-cache"],
    ["/runs/a.b", "text/html; charset=utf-8", "no-cache"],
    ["/assets/app-1a2b.js", "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"],
  ])("%s is %s", async (path, type, cache) => {
    const response = await stage.fetch(path, { headers: { authorization: "" } });
    expect(response.status).toBe(200);
    expect([response.headers.get("content-type"), response.headers.get("cache-control")]).toEqual([
      type,
      cache,
    ]);
  });

  test.each([
    "/leak.txt",
    "/..%2Fsecret.txt",
    "/%2e%2e/secret.txt",
    "/assets/..%2F..%2Fsecret.txt",
    "/assets/none.js",
  ])("%s gives out no file from elsewhere", async (path) => {
    const response = await stage.fetch(path);
    expect(await response.text()).not.toContain("not of the page");
  });

  test("every response has the headers that keep a browser from running what it should not", async () => {
    for (const path of [
      "/",
      "/api/project",
      "/api/nothing",
      "/assets/none.js",
      "/api/feed",
      `/?token=${TOKEN}`,
    ]) {
      const response = await stage.fetch(path);
      const { headers } = response;
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).toContain("default-src 'none'; script-src 'self';");
      for (const rule of ["frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"])
        expect(policy).toContain(rule);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      await response.body?.cancel();
    }
    expect((await stage.fetch("/api/nothing")).status).toBe(404);
    expect((await stage.fetch("/api/runs", { method: "DELETE" })).status).toBe(404);
  });

  test("the page carries the nonce of its response, which is another one each time", async () => {
    const nonceOf = async (path: string) => {
      const response = await stage.fetch(path);
      const policy = response.headers.get("content-security-policy") ?? "";
      expect(policy).not.toContain("unsafe");
      const nonce = /style-src 'self' 'nonce-([\w-]{24})'/.exec(policy)?.[1];
      expect(await response.text()).toContain(`nonce="${nonce}"`);
      return nonce;
    };
    const nonces = await Promise.all(["/", "/runs", "/index.html"].map(nonceOf));
    expect(new Set(nonces).size).toBe(3);
  });

  test("where it was not built, a plain page says how to build it", async () => {
    const response = await (await studioOver()).fetch("/");
    expect(response.status).toBe(503);
    expect(await response.text()).toContain("npm run build:webui");
  });
});

test("a definition that came with a repository is refused with what it would do, until that is allowed", async () => {
  const { execFileSync } = await import("node:child_process");
  const guarded = await studioOver({ "row.json": ROW });
  for (const args of [
    ["init", "-q"],
    ["add", "row.json"],
  ])
    execFileSync("git", args, { cwd: guarded.folder });
  const start = (more: object) =>
    guarded.ask<ErrorDocument>("POST", "/api/runs", { definition: "row.json", ...more });
  const refused = await start({});
  expect(refused).toMatchObject({ status: 403, body: { error: { code: "not_trusted" } } });
  expect(refused.body.error.powers).toHaveLength(1);
  expect(refused.body.error.powers?.[0]).toContain("run `");
  const { body } = await guarded.ask<{ trust: object }>("GET", "/api/definitions/row.json");
  expect(body.trust).toEqual({ isTrusted: false, powers: refused.body.error.powers });
  expect((await start({ yes: true })).status).toBe(200);
  expect((await start({})).status).toBe(403);
  writeFileSync(join(guarded.folder, "mine.json"), JSON.stringify(ROW));
  expect((await guarded.ask("POST", "/api/runs", { definition: "mine.json" })).status).toBe(200);
});
