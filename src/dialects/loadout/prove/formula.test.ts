/** Formulas in the numbers of items. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as formula from "./formula.ts";

const names = ["items(a)", "items(b)"] as const;
const formulas = fc
  .array(fc.tuple(fc.constantFrom("", ...names, "items(a)·items(b)"), fc.integer({ min: 1, max: 9 })), {
    maxLength: 4,
  })
  .map((terms) => new Map(terms) as formula.Formula);
const points = fc.tuple(fc.nat(9), fc.nat(9)).map(
  ([a, b]) =>
    (name: string) =>
      name === names[0] ? a : b,
);

describe("a formula", () => {
  test("is printed with its constant first", () => {
    const four = formula.times(formula.constant(4), formula.symbol("items"));
    expect(formula.print(formula.plus(four, formula.constant(3)))).toBe("3 + 4·items");
    expect(formula.print(formula.ZERO)).toBe("0");
    expect(formula.print(formula.times(formula.symbol("items(b)"), formula.symbol("items(a)")))).toBe(
      "items(a)·items(b)",
    );
  });

  test("is read as it is printed", () => {
    fc.assert(
      fc.property(formulas, (one) => {
        const read = formula.parseFormula(formula.print(one));
        expect(read && formula.print(read)).toBe(formula.print(one));
      }),
    );
    for (const text of ["", "x", "3 + ", "-1", "3·x"]) expect(formula.parseFormula(text)).toBeUndefined();
  });

  test("adds and multiplies as its values do, and `either` is never less than a side of it", () => {
    fc.assert(
      fc.property(formulas, formulas, points, (a, b, at) => {
        const [left, right] = [formula.evaluate(a, at), formula.evaluate(b, at)];
        expect(formula.evaluate(formula.plus(a, b), at)).toBe(left + right);
        expect(formula.evaluate(formula.times(a, b), at)).toBe(left * right);
        expect(formula.evaluate(formula.either(a, b), at)).toBeGreaterThanOrEqual(Math.max(left, right));
      }),
    );
  });
});
