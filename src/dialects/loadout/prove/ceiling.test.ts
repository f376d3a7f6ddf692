/** Cost ceilings: a bound with the author's assumptions put in. */
import { describe, expect, test } from "vitest";
import { type Assumptions, ceilingSentence, costCeiling, parseAssumptions } from "./ceiling.ts";

const ceiling = (bound: string | null, assume: Assumptions) => costCeiling({ bound }, assume);

describe("a ceiling", () => {
  test("is turns, then tokens, then dollars", () => {
    const told = ceiling("3 + 4·items", { items: 20, tokensPerTurn: 30_000, usdPerMtok: 3 });
    expect(told).toEqual({ turns: 83, tokens: 2_490_000, usd: 7.47, missing: [] });
    expect(ceilingSentence(told)).toBe("At most 83 turns, 2.5M tokens and $7.47.");
  });

  test("knows a loop by its name, and the others by what is assumed of all", () => {
    const bound = "1 + 2·items(a) + 3·items(b)";
    expect(ceiling(bound, { items: { a: 5, "": 1 } }).turns).toBe(14);
    expect(ceiling(bound, { items: { a: 5 } })).toMatchObject({ turns: null, missing: ["items(b)"] });
  });

  test("says nothing without a bound, and needs no items where the bound has none", () => {
    expect(ceiling(null, { items: 1 })).toMatchObject({ turns: null, tokens: null, usd: null });
    expect(ceiling("7", {})).toMatchObject({ turns: 7, tokens: null });
    expect(ceilingSentence(ceiling("7", {}))).toBe("At most 7 turns.");
    expect(ceilingSentence(ceiling(null, {}))).toContain("No bound is proven");
    expect(ceilingSentence(ceiling("items", {}))).toContain("assume a number");
  });
});

describe("assumptions", () => {
  test.each<[string, Assumptions]>([
    ["items=20,tokens-per-turn=30k,usd-per-mtok=3", { items: 20, tokensPerTurn: 30_000, usdPerMtok: 3 }],
    [" items = 2 , tokens-per-turn=1.5M", { items: 2, tokensPerTurn: 1_500_000 }],
    ["items(review)=5,items=1", { items: { review: 5, "": 1 } }],
    ["usd-per-mtok=0.25", { usdPerMtok: 0.25 }],
  ])("%s", (text, assume) => {
    expect(parseAssumptions(text)).toEqual({ ok: true, assume });
  });

  test.each(["", "items", "items=x", "items=-1", "items=1.5", "turns=3", "items=1e9", "items=20,"])(
    "%j is refused",
    (text) => {
      const parsed = parseAssumptions(text);
      expect(parsed.ok).toBe(false);
      expect(!parsed.ok && parsed.message).toMatch(/\.$/);
    },
  );
});
