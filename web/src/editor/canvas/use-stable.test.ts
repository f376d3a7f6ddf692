import { describe, expect, test } from "vitest";
import { isSame } from "./use-stable.ts";

describe("what is drawn for a thing", () => {
  const choose = () => undefined;
  const item = { id: "a", place: { x: 1, y: 2 }, badges: ["Entry"], choose };

  test("stays when the thing is told again in the same words", () => {
    expect(isSame(item, { ...item, place: { y: 2, x: 1 }, badges: ["Entry"] })).toBe(true);
    expect(isSame(Number.NaN, Number.NaN)).toBe(true);
  });

  test("goes when anything differs, be it missing, of another kind, or another function", () => {
    expect(isSame(item, { ...item, place: { x: 1, y: 3 } })).toBe(false);
    expect(isSame(item, { ...item, badges: [] })).toBe(false);
    expect(isSame(item, { ...item, badges: { 0: "Entry" } })).toBe(false);
    expect(isSame(item, { ...item, choose: () => undefined })).toBe(false);
    expect(isSame({ a: undefined }, { b: undefined })).toBe(false);
    expect(isSame(new Map([["a", 1]]), new Map([["a", 1]]))).toBe(false);
  });
});
