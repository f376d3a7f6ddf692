import { describe, expect, test } from "vitest";
import type { TaskId } from "../../base/names.ts";
import { parseBudget } from "../runs/budget.ts";
import { jsonOrText, readInputs } from "../runs/inputs.ts";
import { quoted } from "../self.ts";
import { liveRows } from "./live-rows.ts";
import { duration, harmless, harmlessButPainted, noPaint, oneLine, paint, table } from "./style.ts";

describe("a budget", () => {
  test.each([
    [undefined, {}],
    ["tokens=2M,usd=5,time=1h", { maxTokens: 2e6, maxCostUsd: 5, time: 36e5 }],
    ["tokens=1.5k", { maxTokens: 1500 }],
    ["time=250ms", { time: 250 }],
  ])("%s", (text, budget) => {
    expect(parseBudget(text)).toEqual(budget);
  });

  test.each(["", "tokens", "tokens=lots", "time=5", "usd=-1", "constructor=1", "tokens=1,,"])(
    "not %j",
    (text) => {
      expect(() => parseBudget(text)).toThrow("--budget");
    },
  );
});

describe("inputs", () => {
  test("values are JSON where they parse, else text; what is in no flag is no input", () => {
    const db = ".baton/baton.db";
    expect(readInputs({ db })).toBeUndefined();
    expect(readInputs({ db, input: ["a=1", "b=x=y", 'c={"d":[]}', "e="] })).toEqual({
      ...{ a: 1, b: "x=y", c: { d: [] }, e: "" },
    });
  });

  test("a key can be __proto__ and stays a key", () => {
    const inputs = readInputs({ db: "", input: ['__proto__={"a":1}'] });
    expect(Object.keys(inputs ?? {})).toEqual(["__proto__"]);
    expect(jsonOrText("{")).toBe("{");
  });
});

describe("what is printed", () => {
  test("text from elsewhere cannot steer a terminal", () => {
    expect(harmless("a\u001b[2Jb\u0007\r\nc\u202ed")).toBe("a\\u001b[2Jb\\u0007\nc\\u202ed");
  });

  test("a line keeps within its columns", () => {
    expect(oneLine("a\n  b", 80)).toBe("a b");
    expect(oneLine("abcdef", 4)).toBe("abc…");
    expect(oneLine("日本語", 5)).toBe("日…");
  });

  test.each([
    [0, "0.0s"],
    [9_940, "9.9s"],
    [12_400, "12s"],
    [185_000, "3m05s"],
    [7_800_000, "2h10m"],
  ])("%i ms is %s", (milliseconds, text) => {
    expect(duration(milliseconds)).toBe(text);
  });

  test("columns stand below each other", () => {
    expect(
      table([
        ["a", "bb"],
        ["ccc", "d"],
      ]),
    ).toBe("a    bb\nccc  d");
  });

  test("words come back from a shell as they were", () => {
    expect([quoted("a/b-c.db"), quoted("a b"), quoted("it's")]).toEqual(["a/b-c.db", "'a b'", "'it'\\''s'"]);
  });

  test("the live block says who works on what, for how long, and what it has cost", () => {
    const span = {
      task: "1/a" as TaskId,
      node: "S-1",
      step: 1,
      openedAt: 0,
      since: 0,
      status: "running",
    } as const;
    const glance = {
      usage: { tokens: 1200, costUsd: null },
      budget: { maxTokens: 2_000_000 },
      about: () => "Build on WI-1 Do it",
    };
    const live = {
      run: "r",
      name: "n",
      since: 0,
      now: 4200,
      width: 80,
      spans: [span],
      glance,
      shown: () => "hm",
    };
    expect(liveRows(live, noPaint)).toEqual([
      expect.stringContaining("n r · 4.2s · 1,200 of 2,000,000 tokens · cost unknown"),
      "→ S-1 Build on WI-1 Do it · 4.2s · hm",
    ]);
    const nodes = [
      { node: "lead", status: "running", inbox: 0, tokens: 1200 },
      { node: "coder", status: "idle", inbox: 2, tokens: 0 },
    ];
    const named = { ...span, node: "lead" };
    expect(liveRows({ ...live, spans: [named], glance: { ...glance, nodes } }, noPaint).slice(1)).toEqual([
      "lead   running 4.2s   inbox 0 · 1,200 tokens · hm",
      "coder  idle           inbox 2 · 0 tokens",
    ]);
    expect(liveRows({ ...live, width: 20 }, noPaint).every((row) => row.length < 20)).toBe(true);
  });
});

test("of what is printed colours stay, and nothing else acts; JSON means the same", () => {
  const red = paint("red", "no");
  expect(harmlessButPainted(red)).toBe(red);
  const acting = "\u001b[8m\u001b[2J\u001b]0;title\u0007\u009b1A\u202e\u200f\u2028";
  const printed = harmlessButPainted(`${red}${acting}`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them is left
  expect(printed.slice(red.length)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u200e-\u200f\u2028-\u202e]/);
  expect(JSON.parse(harmless(JSON.stringify({ acting })))).toEqual({ acting });
});
