import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../../base/json.ts";
import { Cell } from "../../kernel/cell.ts";
import { resolve } from "../../kernel/patch.ts";
import type { ReducerFunction } from "./channels.ts";
import { normalise, reducers, sealedReducer } from "./reducers.ts";
import { open, seal } from "./values.ts";

const id = fc.constantFrom("a", "b", "c", "d");
const message = fc.oneof(
  fc.record({ id, content: fc.nat(9) }),
  fc.record({ content: fc.nat(9) }),
  fc.record({ type: fc.constant("remove"), id: fc.oneof(id, fc.constant("__remove_all__")) }),
);
const item = fc.oneof(fc.nat(9), fc.date({ noInvalidDate: true }), fc.string());
const rows: [name: string, reducer: unknown, update: fc.Arbitrary<unknown>][] = [
  ["add, numbers", reducers.add, fc.oneof(fc.integer({ min: -9, max: 9 }), fc.constant(0))],
  ["add, lists", reducers.add, fc.array(item)],
  ["append", reducers.append, fc.oneof(item, fc.array(item))],
  ["merge", reducers.merge, fc.dictionary(fc.constantFrom("x", "y", "$"), item)],
  ["replace", reducers.replace, item],
  [
    "messages",
    reducers.messages,
    fc.oneof(message, fc.array(message, { maxLength: 4 }), fc.constant("text")),
  ],
];

describe("what a reducer says to change is what folding with it gives", () => {
  test.each(rows)("%s", (_name, reducer, update) => {
    fc.assert(
      fc.property(fc.array(fc.array(update, { minLength: 1, maxLength: 3 }), { maxLength: 8 }), (commits) => {
        const fold = sealedReducer("x", reducer as ReducerFunction<unknown>);
        const cell = new Cell(undefined);
        let folded: Json | undefined;
        for (const updates of commits) {
          const written = updates.map((one) => seal(normalise(reducer, one), "x"));
          for (const one of written) folded = fold(folded, one);
          const change = fold.patch?.(cell.peek(), written);
          if (change !== undefined) cell.apply(resolve(change, written));
          expect(cell.value === undefined ? undefined : open(cell.value)).toStrictEqual(
            folded === undefined ? undefined : open(folded),
          );
        }
      }),
    );
  });
});
