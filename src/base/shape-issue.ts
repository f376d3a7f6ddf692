/** The issues that shapes report of a value that does not fit. */

import type { Issue } from "./issue.ts";
import { isJsonObject, type Json } from "./json.ts";

/** An error at a place, by its JSON pointer. */
export function problem(
  code: string,
  at: string,
  text: { readonly message: string; readonly hint: string },
): Issue {
  return { severity: "error", code, pointer: at, ...text };
}

/** Something else stands where a value of a type is expected, such as `a list`. */
export function wrongType(value: Json, at: string, expected: string): Issue {
  const message = `${print(value)} stands where ${expected} belongs.`;
  return problem("wrong_type", at, { message, hint: `Put ${expected} here.` });
}

/** A value in a few words. */
export function print(value: Json): string {
  if (Array.isArray(value)) return "A list";
  if (isJsonObject(value)) return "An object";
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…"` : text;
}
