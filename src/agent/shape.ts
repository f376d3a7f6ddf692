/**
 * A shape reads one JSON value, says everything that is wrong with it, and returns it typed.
 *
 * 1. What is wrong goes into the issues; a value that is returned as `undefined` has at least one.
 * 2. A key that nobody reads is an issue: a misspelt key would otherwise be ignored in silence.
 */

import type { Issue } from "../base/issue.ts";
import { pointer } from "../base/issue.ts";
import { isJsonObject, type Json } from "../base/json.ts";
import { closest } from "../base/names.ts";

/** Reads the value that stands at a JSON pointer. */
export type Shape<T> = (value: Json, at: string, issues: Issue[]) => T | undefined;

interface Row<T> {
  readonly shape: Shape<T>;
  readonly isRequired: boolean;
}

/** Reports an error and returns what a shape returns then. */
export function wrong(issues: Issue[], issue: Omit<Issue, "severity">): undefined {
  issues.push({ severity: "error", ...issue });
  return undefined;
}

/** A shape of one test; `expected` completes the sentence "this should be …". */
export function shape<T extends Json>(expected: string, test: (value: Json) => value is T): Shape<T> {
  return (value, at, issues) => (test(value) ? value : mistyped(value, at, expected, issues));
}

export const anything: Shape<Json> = (value) => value;
export const text: Shape<string> = shape("a text", (value) => typeof value === "string");
export const truth: Shape<boolean> = shape("true or false", (value) => typeof value === "boolean");
export const amount: Shape<number> = shape("a number that is not negative", isAmount);
export const count: Shape<number> = shape(
  "a whole number that is not negative",
  (value): value is number => isAmount(value) && Number.isSafeInteger(value),
);

/** A list of values of one shape. */
export function list<T>(item: Shape<T>): Shape<readonly T[]> {
  return (value, at, issues) => {
    if (!Array.isArray(value)) return mistyped(value, at, "a list", issues);
    const items = value.map((each, index) => item(each, at + pointer(index), issues));
    return items.some((each) => each === undefined) ? undefined : (items as readonly T[]); // none is missing
  };
}

/** A key that must be there. */
export function must<T>(shape: Shape<T>): Row<T> {
  return { shape, isRequired: true };
}

/** A key that may be left out. */
export function may<T>(shape: Shape<T>): Row<T> {
  return { shape, isRequired: false };
}

/** An object with the keys of the table and no others. */
export function object<T>(rows: { readonly [K in keyof T]-?: Row<Exclude<T[K], undefined>> }): Shape<T> {
  const known = Object.entries<Row<unknown>>(rows);
  return (value, at, issues) => {
    if (!isJsonObject(value)) return mistyped(value, at, "an object", issues);
    const before = issues.length;
    for (const key of Object.keys(value)) if (!Object.hasOwn(rows, key)) unknownKey(key, at, rows, issues);
    const read: Record<string, unknown> = {};
    for (const [key, row] of known) {
      const found = Object.hasOwn(value, key);
      if (found) read[key] = row.shape(value[key] as Json, at + pointer(key), issues);
      else if (row.isRequired) missingKey(key, at, issues);
    }
    return issues.length > before ? undefined : (read as T); // every row has read its own key
  };
}

/** Names what a value is, for sentences. */
export function kindOf(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return { string: "a text", object: "an object" }[typeof value as string] ?? `a ${typeof value}`;
}

function isAmount(value: Json): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

function mistyped(value: Json, at: string, expected: string, issues: Issue[]): undefined {
  const found = typeof value === "number" ? String(value) : kindOf(value);
  const message = `This should be ${expected} and is ${found}.`;
  return wrong(issues, { code: "wrong_type", pointer: at, message, hint: `Give ${expected}.` });
}

function missingKey(key: string, at: string, issues: Issue[]): void {
  const message = `The key ${JSON.stringify(key)} is missing.`;
  wrong(issues, { code: "missing_key", pointer: at, message, hint: `Add ${JSON.stringify(key)}.` });
}

function unknownKey(key: string, at: string, rows: object, issues: Issue[]): void {
  const message = `The key ${JSON.stringify(key)} means nothing here.`;
  const hint = suggest(key, Object.keys(rows));
  wrong(issues, { code: "unknown_key", pointer: at + pointer(key), message, hint });
}

/** Proposes the known name that was most likely meant, or else all of them. */
export function suggest(name: string, known: readonly string[]): string {
  const meant = closest(name, known);
  if (meant !== undefined) return `Did you mean ${JSON.stringify(meant)}?`;
  return `Known here: ${known.map((each) => JSON.stringify(each)).join(", ")}.`;
}
