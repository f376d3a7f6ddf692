/** The way to a pi that is a process of its own: what it is told before anything is said, and what ends a record. */

import { mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../base/json.ts";
import { startPi } from "./pi-wire.ts";

const cwd = realpathSync(mkdtempSync(join(tmpdir(), "baton-pi-wire-")));

/** Says what it was started with, and everything that it hears. */
const ECHO = `
const told = { cwd: process.cwd(), args: process.argv.slice(2), tools: process.env.BATON_GRAPH_TOOLS, secret: process.env.SECRET ?? null };
process.stdout.write("no record\\n" + JSON.stringify(told) + "\\r\\n");
process.stdin.on("data", (chunk) => process.stdout.write(chunk));
process.stdin.on("end", () => { console.error("Bye."); process.exit(3); });
`;

test("a process is told its session and the tools of its graph, and ends with its wire", async () => {
  const program = join(cwd, "pi.mjs");
  writeFileSync(program, ECHO);
  const connect = startPi({ command: [process.execPath, program], from: { SECRET: "secret" } });
  const wire = await connect({ cwd, session: "s.jsonl", tools: ["send", "look"] });
  const heard: JsonObject[] = [];
  let isGone = false;
  wire.listen(
    (record) => heard.push(record),
    () => {
      isGone = true;
    },
  );
  wire.send({ type: "prompt", message: "one\u2028two" });
  await expect.poll(() => heard.length).toBe(2);
  const [{ tools = null, ...told } = {}, echoed] = heard;
  expect(told).toEqual({ cwd, args: ["--session", "s.jsonl"], secret: null });
  const described = JSON.parse(String(tools)) as Json;
  expect(described).toMatchObject([
    { name: "send", parameters: { type: "object", required: ["to", "message"] } },
    { name: "look", description: expect.any(String) },
  ]);
  expect(echoed).toEqual({ type: "prompt", message: "one\u2028two" });
  await wire.close();
  expect([wire.isOpen, isGone]).toEqual([false, true]);
  expect(await wire.ended()).toContain("ended (code 3). Its last words: Bye.");
});
