import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../../base/json.ts";
import { copy, isPlain, open, seal } from "./values.ts";

const anything = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withSet: true,
  withNullPrototype: false,
});
const uint8 = fc.uint8Array();
const value = fc.oneof(anything, uint8, fc.record({ $: anything, v: anything }, { noNullPrototype: true }));

describe("seal and open", () => {
  test("law 1 and 4: what is opened equals what was sealed, also after a trip through a log", () => {
    fc.assert(
      fc.property(value, (given) => {
        const sealed = seal(given, "x");
        expect(open(sealed)).toStrictEqual(given);
        expect(copy(sealed)).toStrictEqual(given);
        expect(open(JSON.parse(JSON.stringify(sealed)) as Json)).toStrictEqual(given);
      }),
    );
  });

  test("law 2: plain data opens to the frozen value itself, data with built-ins to a new one", () => {
    const plain = seal({ list: [{ a: 1 }] }, "x");
    expect(open(plain)).toBe(plain);
    expect(isPlain(plain)).toBe(true);
    const tagged = seal({ plain, when: new Date(0) }, "x");
    const opened = open(tagged) as { plain: unknown; when: Date };
    expect(opened.when).not.toBe((open(tagged) as { when: Date }).when);
    expect(opened.plain).toBe(plain);
    expect(copy(plain)).not.toBe(plain);
  });

  test("law 3: what is sealed is not sealed again, wherever it stands", () => {
    const inner = seal({ a: [1] }, "x");
    expect(seal(inner, "x")).toBe(inner);
    expect((seal([inner], "x") as Json[])[0]).toBe(inner);
  });

  test("a value from a log is frozen in depth when it is read first", () => {
    const loaded = JSON.parse('{"a": {"b": [1]}, "__proto__": {"c": 1}}') as { a: { b: number[] } };
    open(loaded);
    expect(Object.isFrozen(loaded.a.b)).toBe(true);
    expect(Object.getPrototypeOf(loaded)).toBe(Object.prototype);
  });

  test("a tag that this version does not know is plain data", () => {
    expect(open({ $: "Temporal", v: 1 })).toEqual({ $: "Temporal", v: 1 });
  });

  test("the same value twice is no cycle", () => {
    const twice = { a: 1 };
    expect(seal([twice, twice], "x")).toEqual([twice, twice]);
  });
});
