/**
 * A formula is a polynomial with whole coefficients of at least 0 in the numbers of items, such as `3 + 4·items`.
 *
 * 1. It never falls when a number of items grows, so it may be evaluated at the most items that are expected.
 * 2. `either` is at least as large as both of its sides at every point, and not always the least such formula.
 */

/** Coefficients by the symbols that they stand before; a product is written `a·b`, and the empty text is the constant. */
export type Formula = ReadonlyMap<string, number>;

const DOT = "·";

export const ZERO: Formula = new Map();

export function constant(amount: number): Formula {
  return amount === 0 ? ZERO : new Map([["", amount]]);
}

export function symbol(name: string): Formula {
  return new Map([[name, 1]]);
}

export function plus(a: Formula, b: Formula): Formula {
  if (a.size === 0) return b;
  if (b.size === 0) return a;
  const sum = new Map(a);
  for (const [term, amount] of b) sum.set(term, (sum.get(term) ?? 0) + amount);
  return sum;
}

export function times(a: Formula, b: Formula): Formula {
  const product = new Map<string, number>();
  for (const [left, first] of a) {
    for (const [right, second] of b) {
      const factors = [left, right].flatMap((term) => (term === "" ? [] : term.split(DOT)));
      const term = factors.sort().join(DOT);
      product.set(term, (product.get(term) ?? 0) + first * second);
    }
  }
  return product;
}

/** A formula that neither side exceeds (2). */
export function either(a: Formula, b: Formula): Formula {
  if (a.size === 0 || a === b) return b;
  if (b.size === 0) return a;
  const most = new Map(a);
  for (const [term, amount] of b) most.set(term, Math.max(most.get(term) ?? 0, amount));
  return most;
}

/** The value when each symbol stands for a number. */
export function evaluate(formula: Formula, of: (symbol: string) => number): number {
  let sum = 0;
  for (const [term, amount] of formula) {
    const factors = term === "" ? [] : term.split(DOT).map(of);
    sum += factors.reduce((product, factor) => product * factor, amount);
  }
  return sum;
}

/** The symbols in a formula. */
export function symbolsOf(formula: Formula): readonly string[] {
  return [...new Set([...formula.keys()].flatMap((term) => (term === "" ? [] : term.split(DOT))))].sort();
}

/** Says whether every coefficient is a whole number that can be told from its neighbours. */
export function isExact(formula: Formula): boolean {
  return [...formula.values()].every(Number.isSafeInteger);
}

/** `3 + 4·items`: the constant first, then the terms from the fewest factors to the most. */
export function print(formula: Formula): string {
  const degree = (term: string) => (term === "" ? 0 : term.split(DOT).length);
  const terms = [...formula]
    .filter(([, amount]) => amount !== 0)
    .sort(([a], [b]) => degree(a) - degree(b) || (a < b ? -1 : 1));
  if (terms.length === 0) return "0";
  return terms.map(([term, amount]) => printTerm(term, amount)).join(" + ");
}

function printTerm(term: string, amount: number): string {
  if (term === "") return String(amount);
  return amount === 1 ? term : `${amount}${DOT}${term}`;
}

/** Reads what `print` wrote; nothing when the text is no formula. */
export function parseFormula(text: string): Formula | undefined {
  const formula = new Map<string, number>();
  for (const part of text.split(" + ")) {
    if (part === "") return undefined;
    const [, amount = "1", rest = ""] = /^(\d+)(?:·(.+))?$/.exec(part) ?? [undefined, undefined, part];
    const factors = rest === "" ? [] : rest.split(DOT);
    if (factors.some((factor) => !/^items(\(.+\))?$/.test(factor))) return undefined;
    const term = factors.sort().join(DOT);
    formula.set(term, (formula.get(term) ?? 0) + Number(amount));
  }
  return formula;
}
