import { describe, expect, test } from "vitest";
import type { Json } from "../base/json.ts";
import { type ParsedScript, parseScript, type ScriptedTurn } from "./script.ts";

function turns(outputs: Json): readonly ScriptedTurn[] {
  const parsed = parseScript({ node: outputs });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  return parsed.script.get("node")!.turns;
}

function issues(json: Json): (readonly [pointer: string, code: string, hint: string])[] {
  const parsed: ParsedScript = parseScript(json);
  return parsed.ok ? [] : parsed.issues.map((issue) => [issue.pointer, issue.code, issue.hint] as const);
}

describe("what an output says", () => {
  test.each<[Json, string]>([
    ["plain", "plain"],
    ["", ""],
    [{ satisfied: true }, '{"satisfied":true}'],
    [["a", 1], '["a",1]'],
    [42, "42"],
    [null, "null"],
    [JSON.parse('{"__proto__":1}'), '{"__proto__":1}'],
    [{ $: "turn" }, ""],
    [{ $: "turn", text: "said" }, "said"],
    [{ $: "turn", text: { satisfied: false } }, '{"satisfied":false}'],
  ])("%j is the text %j", (output, text) => {
    expect(turns([output])[0]!.text).toBe(text);
  });

  test("a steering object steers everything that it names", () => {
    const ask = { title: "Write it?", args: { path: "a" } };
    const write = { path: "a.md", content: "A" };
    const [turn] = turns([
      {
        ...{ $: "turn", text: "t", sends: [{ to: "b", message: "m" }], ask, usage: { tokens: 7 } },
        ...{ delayMs: 1.5, fail: "no", write, finish: { ok: true, summary: "s" } },
      },
    ]);
    expect(turn).toEqual({
      ...{ text: "t", sends: [{ to: "b", message: "m" }], ask, usage: { tokens: 7, costUsd: 0 } },
      ...{ delayMs: 1.5, fail: "no", writes: [write], finish: { ok: true, summary: "s" } },
    });
  });

  test("a turn may write several files", () => {
    const writes = [
      { path: "a", content: "1" },
      { path: "b", content: "2" },
    ];
    expect(turns([{ $: "turn", write: writes }])[0]!.writes).toEqual(writes);
  });

  test("a list may repeat", () => {
    const parsed = parseScript({ node: { outputs: ["a"], repeat: true }, other: { outputs: [] } });
    expect(parsed.ok && [...parsed.script.values()].map((list) => list.repeats)).toEqual([true, false]);
  });

  test("a node may have any name", () => {
    const parsed = parseScript(JSON.parse('{"__proto__":["a"],"constructor":["b"]}'));
    expect(parsed.ok && [...parsed.script.keys()]).toEqual(["__proto__", "constructor"]);
  });
});

describe("what is wrong is found at the door", () => {
  test.each<[what: string, json: Json, pointer: string, code: string]>([
    ["a list at the top", ["a"], "", "wrong_type"],
    ["a text in place of a list", { "a/b": "x" }, "/a~1b", "wrong_type"],
    ["no outputs", { a: { repeat: true } }, "/a/outputs", "missing_field"],
    ["a repeat that is no boolean", { a: { outputs: [], repeat: 1 } }, "/a/repeat", "wrong_type"],
    [
      "a send without a message",
      { a: [{ $: "turn", sends: [{ to: "b" }] }] },
      "/a/0/sends/0/message",
      "missing_field",
    ],
    ["sends that are no list", { a: [{ $: "turn", sends: { to: "b" } }] }, "/a/0/sends", "wrong_type"],
    ["a negative delay", { a: ["x", { $: "turn", delayMs: -1 }] }, "/a/1/delayMs", "bad_number"],
    ["half a token", { a: [{ $: "turn", usage: { tokens: 0.5 } }] }, "/a/0/usage/tokens", "bad_number"],
    [
      "a write in a list",
      { a: [{ $: "turn", write: [{ path: "p", content: 1 }] }] },
      "/a/0/write/0/content",
      "wrong_type",
    ],
    ["a question without a title", { a: [{ $: "turn", ask: {} }] }, "/a/0/ask/title", "missing_field"],
    ["a steering word that is no text", { a: [{ $: 1 }] }, "/a/0/$", "unknown_steering"],
  ])("%s", (_, json, pointer, code) => {
    expect(issues(json).map(([at, what]) => [at, what])).toEqual([[pointer, code]]);
  });

  test("misspelt names get the one that was meant", () => {
    expect(issues({ a: [{ $: "tun" }, { $: "turn", delay: 1 }], b: { output: [], outputs: [] } })).toEqual([
      ["/a/0/$", "unknown_steering", 'Did you mean "turn"?'],
      ["/a/1/delay", "unknown_field", expect.stringContaining("delayMs")],
      ["/b/output", "unknown_field", "Did you mean outputs?"],
    ]);
  });

  test("all issues come at once", () => {
    expect(issues({ a: 1, b: [{ $: "no" }], c: [{ $: "turn", x: 1, y: 2 }] })).toHaveLength(4);
  });
});
