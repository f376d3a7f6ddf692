/** Readable JSON is what a program is shown of a value that JSON has no form for: close to it, and not to be read back. */

import { assign, isObject, type Json } from "../../base/json.ts";

/** A value of a graph's state as JSON: dates as ISO texts, maps with text keys as objects, sets as lists. */
export function readable(value: unknown): Json {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value + 0 : String(value);
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return value.map(readable);
  if (typeof value === "object") return readableObject(value);
  return null;
}

function readableObject(value: object): Json {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof Set) return [...value].map(readable);
  if (value instanceof Map) return readableMap(value);
  if (value instanceof URL) return value.href;
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (value instanceof Error) return readableError(value);
  return isObject(value) ? fromEntries(Object.entries(value)) : null;
}

function readableMap(map: ReadonlyMap<unknown, unknown>): Json {
  const entries = [...map];
  const isKeyed = entries.every((entry): entry is [string, unknown] => typeof entry[0] === "string");
  return isKeyed ? fromEntries(entries) : entries.map(([key, item]) => [readable(key), readable(item)]);
}

function readableError(error: Error & { readonly code?: unknown }): Json {
  const { name, message, code, cause } = error;
  return fromEntries(Object.entries({ name, message, code, cause }));
}

/** Keys that hold nothing are left out. */
function fromEntries(entries: readonly (readonly [string, unknown])[]): Json {
  const object: Record<string, Json> = {};
  for (const [key, item] of entries) if (item !== undefined) assign(object, key, readable(item));
  return object;
}
