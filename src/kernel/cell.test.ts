import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../base/json.ts";
import { Cell, pinLength, readPin } from "./cell.ts";
import { type Change, difference, resolve, shortened } from "./patch.ts";

const item = fc.integer({ min: 0, max: 9 });
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ op: fc.constant("append" as const), items: fc.array(item) }),
  fc.record({ op: fc.constant("set" as const), value: fc.array(item) }),
  fc.record({
    op: fc.constant("splice" as const),
    at: fc.nat(5),
    remove: fc.nat(3),
    items: fc.array(item, { maxLength: 2 }),
  }),
  fc.record({ op: fc.constant("clear" as const) }),
);

/** What a change does to a list, by the book. */
function applied(list: readonly Json[] | undefined, each: Change): readonly Json[] | undefined {
  switch (each.op) {
    case "append":
      return [...(list ?? []), ...each.items];
    case "splice":
      return (list ?? []).toSpliced(each.at, each.remove, ...each.items);
    case "set":
      return each.value as readonly Json[];
    default:
      return undefined;
  }
}

describe("a cell", () => {
  test("holds what its changes say, and a pin holds what was there (2)", () => {
    fc.assert(
      fc.property(fc.array(change), (changes) => {
        const cell = new Cell(undefined);
        let expected: readonly Json[] | undefined;
        const pins: (readonly [ReturnType<Cell["pin"]>, readonly Json[] | undefined])[] = [];
        for (const each of changes) {
          pins.push([cell.pin(), expected]);
          cell.apply(each);
          expected = applied(expected, each);
          expect(cell.value).toEqual(expected);
        }
        for (const [pin, value] of pins) expect(readPin(pin)).toEqual(value);
      }),
    );
  });

  test("does not copy a list that grows, nor twice what was read (1, 3)", () => {
    const cell = new Cell([]);
    for (let i = 0; i < 1000; i++) cell.apply({ op: "append", items: [i] });
    const live = cell.peek();
    cell.apply({ op: "append", items: [1000] });
    expect(cell.peek()).toBe(live);
    const read = cell.value;
    expect(cell.value).toBe(read);
    expect(read).not.toBe(live);
    expect(pinLength(cell.pin())).toBe(1001);
    cell.apply({ op: "append", items: [1001] });
    expect(read).toHaveLength(1001);
  });
});

describe("the difference of two values", () => {
  const a = { deep: 1 };
  test.each([
    ["a list that grew", [a, 2], [a, 2, 3], { op: "append", items: [3] }],
    ["a list that was changed", [a, 2], [a, 3, 3], { op: "set", value: [a, 3, 3] }],
    ["a list that shrank", [a, 2], [a], { op: "set", value: [a] }],
    ["a record that grew", { a, b: 1 }, { a, b: 2, c: 3 }, { op: "merge", entries: { b: 2, c: 3 } }],
    ["a record that lost a key", { a, b: 1 }, { a }, { op: "set", value: { a } }],
    ["values of other kinds", 1, "1", { op: "set", value: "1" }],
    ["nothing before", undefined, [1], { op: "set", value: [1] }],
  ])("of %s", (_, before, after, expected) => {
    expect(difference(before as Json | undefined, after as Json)).toEqual(expected);
  });
});

describe("a change that only repeats what was written", () => {
  const item = { deep: 1 };
  test.each([
    ["a value", { op: "set", value: item }, [1, item], "set"],
    ["the items of lists", { op: "append", items: [item, 2] }, [[item], [2]], "append"],
    ["values as items", { op: "append", items: [item, 2] }, [item, 2], "append"],
    ["a list as an item", { op: "append", items: [[item]] }, [[item]], undefined],
    ["entries", { op: "merge", entries: { a: item, b: 2 } }, [{ a: item }, { b: 2 }], "merge"],
    ["another value", { op: "set", value: { deep: 1 } }, [item], undefined],
  ] as const)("says take: %s", (_, change, written, as) => {
    const list = written as unknown as Json[];
    const short = shortened(change as unknown as Change, list);
    if (as !== undefined) expect(short).toEqual({ op: "take", as });
    expect(resolve(short, list)).toEqual(change);
  });
});

test("a key called __proto__ is a key like any other", () => {
  const entries = JSON.parse('{"__proto__":{"deep":1},"a":2}') as Json;
  for (const written of [[entries], [entries, { b: 3 }]]) {
    const cell = new Cell({ z: 0 });
    cell.apply(resolve({ op: "take", as: "merge" }, written));
    expect(Object.keys(cell.value as object)).toContain("__proto__");
    expect(JSON.stringify(cell.value)).toContain('"__proto__":{"deep":1}');
  }
});
