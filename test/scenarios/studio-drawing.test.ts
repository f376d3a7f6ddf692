/** A module is drawn by running it in a process of its own, where a person put it or allowed it, and not otherwise. */

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { trustText } from "../../src/cli/runs/trust.ts";
import type { GraphDrawing } from "../../src/client.ts";
import type { ErrorDocument } from "../../src/protocol/result.ts";
import { folderWith } from "./cli-harness.ts";
import { type Stage, studioOver } from "./studio-stage.ts";

const graph = (before: string, name = "print") => `
import { END, START, StateGraph, field } from "batonjs";
import { existsSync, writeFileSync } from "node:fs";
${before}
const inner = new StateGraph({ said: field<string>() })
  .addNode("write", () => ({})).addEdge(START, "write").addEdge("write", END).compile();
export default new StateGraph({ said: field<string>() })
  .addNode("team", inner).addNode(${JSON.stringify(name)}, () => ({}))
  .addSequence(["team", ${JSON.stringify(name)}])
  .addEdge(START, "team").addEdge(${JSON.stringify(name)}, END).compile();
`;

/** Where a program that has escaped leaves its number. */
const ESCAPED = join(tmpdir(), `baton-escaped-${process.pid}`);

const FILES = {
  "team.ts": graph("console.log('hello'); setInterval(() => {}, 1000);"),
  "keys.ts": graph("const key = process.env['A_SECRET_KEY'] ?? 'nokey';", "KEY").replaceAll('"KEY"', "key"),
  "large.ts": graph("", "x".repeat(200_000)),
  "huge.ts": graph("const key = 'x'.repeat(2_000_000);", "KEY").replaceAll('"KEY"', "key"),
  "broken.ts": `${graph("")}\nthrow new Error("no such luck");`,
  "silent.ts": graph("console.error('I have enough.'); process.exit(3);"),
  "children.ts": graph(`
    const { spawn } = await import("node:child_process");
    spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" });
  `),
  "escaped.ts": graph(`
    const { spawn } = await import("node:child_process");
    const child = spawn(process.execPath, ["-e", "setTimeout(() => {}, 40_000)"], {
      stdio: ["ignore", "ignore", 2, 3], detached: true,
    });
    writeFileSync(${JSON.stringify(ESCAPED)}, String(child.pid));
  `),
  "forger.ts": graph(`
    const { writeSync } = await import("node:fs");
    writeSync(3, "no JSON ");
  `),
  "notes.json": { name: "none" },
};

type Drawn = { readonly drawing: GraphDrawing } & ErrorDocument;

describe("a module that never ran", () => {
  let stage: Stage;
  beforeAll(async () => {
    process.env["A_SECRET_KEY"] = "tell-nobody";
    stage = await studioOver(FILES);
  });
  const drawn = (path: string) => stage.ask<Drawn>("GET", `/api/drawings/${path}`);
  const idsIn = ({ nodes }: GraphDrawing) => nodes.map(({ id }) => id);

  test("is drawn with its sub-graphs, whatever it prints or leaves open", async () => {
    const { status, body } = await drawn("team.ts");
    expect(status).toBe(200);
    expect(idsIn(body.drawing)).toEqual(["__start__", "team", "print", "__end__"]);
    expect(idsIn(body.drawing.nodes[1]!.graph!)).toEqual(["__start__", "write", "__end__"]);
  });

  test("is drawn though one of its programs has left its group and holds the pipes open", async () => {
    const from = Date.now();
    const { status } = await drawn("escaped.ts");
    process.kill(Number(readFileSync(ESCAPED, "utf8")), "SIGKILL");
    rmSync(ESCAPED);
    expect(status).toBe(200);
    expect(Date.now() - from).toBeLessThan(10_000);
  });

  test("that speaks in the place of its drawing is told as one without", async () => {
    expect(await drawn("forger.ts")).toMatchObject({
      status: 422,
      body: { error: { code: "invalid_definition" } },
    });
  });

  test("is drawn whatever programs it left running", async () => {
    const from = Date.now();
    expect((await drawn("children.ts")).status).toBe(200);
    expect(Date.now() - from).toBeLessThan(10_000);
  });

  test("gets no key of the studio's", async () => {
    expect(idsIn((await drawn("keys.ts")).body.drawing)).toContain("nokey");
  });

  test("may be large, and not without end", async () => {
    expect((await drawn("large.ts")).status).toBe(200);
    const { status, body } = await drawn("huge.ts");
    expect([status, body.error.code]).toEqual([422, "invalid_definition"]);
  });

  test("says why it has no drawing", async () => {
    const broken = (await drawn("broken.ts")).body.error;
    expect(broken).toMatchObject({ code: "invalid_definition" });
    expect(broken.message).toContain("no such luck");
    expect((await drawn("silent.ts")).body.error.hint).toContain("I have enough.");
  });

  test("has to be one, and within the project", async () => {
    expect((await drawn("notes.json")).body.error.code).toBe("not_supported");
    expect((await drawn("..%2Fteam.ts")).status).toBe(404);
    expect((await drawn("none.ts")).status).toBe(404);
  });
});

test("one that came with a repository is not run before it is allowed, and not after it has changed", async () => {
  process.env["XDG_CONFIG_HOME"] = folderWith();
  const mark = join(folderWith(), "was-run");
  const text = graph(`writeFileSync(${JSON.stringify(mark)}, "");`);
  const stage = await studioOver({ "came.ts": text });
  const git = (...args: string[]) => execFileSync("git", args, { cwd: stage.folder, stdio: "ignore" });
  git("init");
  git("add", "came.ts");
  const refused = await stage.ask<Drawn>("GET", "/api/drawings/came.ts");
  expect(refused).toMatchObject({ status: 403, body: { error: { code: "not_trusted" } } });
  expect(refused.body.error.hint).toContain("trust came.ts");
  expect(existsSync(mark)).toBe(false);
  trustText(join(stage.folder, "came.ts"), text);
  expect((await stage.ask<Drawn>("GET", "/api/drawings/came.ts")).status).toBe(200);
  expect(existsSync(mark)).toBe(true);
  writeFileSync(join(stage.folder, "came.ts"), `${text}// changed`);
  expect((await stage.ask<Drawn>("GET", "/api/drawings/came.ts")).status).toBe(403);
});
