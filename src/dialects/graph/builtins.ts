/**
 * The built-ins are the values beyond JSON that a state may hold, each with its form in the log.
 *
 * 1. The list is closed: what is not in it, and not plain data, cannot be kept.
 * 2. What is opened equals what was sealed; a subclass comes back as the class in this list.
 */

import type { Json } from "../../base/json.ts";

/** How the parts of a value are sealed and opened. */
export type SealPart = (part: unknown, key: string | number) => Json;
export type OpenPart = (part: Json) => unknown;

export interface Builtin {
  readonly tag: string;
  seal(value: never, part: SealPart): Json;
  open(body: Json, part: OpenPart): unknown;
}

interface UrlLike {
  readonly href: string;
}

/** The platform's `URL`, where it has one: this floor compiles without any platform. */
const PlatformUrl = (globalThis as { readonly URL?: new (href: string) => UrlLike }).URL;

const undefinedValue: Builtin = { tag: "undefined", seal: () => null, open: () => undefined };

const bigint: Builtin = {
  tag: "BigInt",
  seal: (value: bigint) => String(value),
  open: (body) => BigInt(body as string),
};

/** Numbers that JSON does not know: `NaN`, the infinities and `-0`. */
const number: Builtin = {
  tag: "Number",
  seal: (value: number) => (Object.is(value, -0) ? "-0" : String(value)),
  open: (body) => Number(body),
};

const date: Builtin = {
  tag: "Date",
  seal: (value: Date) => (Number.isNaN(value.getTime()) ? null : value.toISOString()),
  open: (body) => new Date(body === null ? Number.NaN : (body as string)),
};

const map: Builtin = {
  tag: "Map",
  seal: (value: ReadonlyMap<unknown, unknown>, part) =>
    [...value].map(([key, item], index) => [part(key, index), part(item, index)]),
  open: (body, part) => new Map((body as [Json, Json][]).map(([key, item]) => [part(key), part(item)])),
};

const set: Builtin = {
  tag: "Set",
  seal: (value: ReadonlySet<unknown>, part) => [...value].map(part),
  open: (body, part) => new Set((body as Json[]).map(part)),
};

const bytes: Builtin = {
  tag: "Uint8Array",
  seal: (value: Uint8Array) => toBase64(value),
  open: (body) => fromBase64(body as string),
};

const url: Builtin = {
  tag: "URL",
  seal: (value: UrlLike) => value.href,
  open: (body) => (PlatformUrl === undefined ? body : new PlatformUrl(body as string)),
};

const ERRORS = { EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError } as const;

const error: Builtin = {
  tag: "Error",
  seal: (value: Error & { readonly code?: unknown }, part) => ({
    name: value.name,
    message: value.message,
    ...(value.stack !== undefined && { stack: value.stack }),
    ...((typeof value.code === "string" || typeof value.code === "number") && { code: value.code }),
    ...(value.cause !== undefined && { cause: part(value.cause, "cause") }),
  }),
  open(body, part) {
    const { name, message, stack, code, cause } = body as Readonly<Record<string, Json>>;
    const Constructor = Object.hasOwn(ERRORS, name as string) ? ERRORS[name as keyof typeof ERRORS] : Error;
    const options = cause === undefined ? undefined : { cause: part(cause) };
    const opened = new Constructor(message as string, options);
    if (opened.name !== name) hide(opened, "name", name);
    hide(opened, "stack", stack);
    if (code !== undefined) Object.assign(opened, { code });
    return opened;
  },
};

/** A plain object that has the key that marks the others. */
const object: Builtin = {
  tag: "Object",
  seal: (value: Readonly<Record<string, unknown>>) => value as Json,
  open: (body) => body,
};

/** The form of an object that would be taken for a tag. */
export const ESCAPED: Builtin = object;
export const UNDEFINED: Builtin = undefinedValue;

const all: readonly Builtin[] = [undefinedValue, bigint, number, date, map, set, bytes, url, error, object];
const byTag: ReadonlyMap<Json, Builtin> = new Map(all.map((builtin) => [builtin.tag, builtin]));

const byPrototype: ReadonlyMap<unknown, Builtin> = new Map<unknown, Builtin>([
  [Date.prototype, date],
  [Map.prototype, map],
  [Set.prototype, set],
  ...(PlatformUrl === undefined ? [] : [[PlatformUrl.prototype, url] as const]),
]);

/** The built-in that a value is, if it is one. */
export function builtinOf(value: unknown): Builtin | undefined {
  switch (typeof value) {
    case "undefined":
      return undefinedValue;
    case "bigint":
      return bigint;
    case "number":
      return number;
    case "object": {
      const known = byPrototype.get(Object.getPrototypeOf(value));
      if (known !== undefined) return known;
      if (value instanceof Error) return error;
      return value instanceof Uint8Array ? bytes : undefined;
    }
    default:
      return undefined;
  }
}

/** The built-in with this tag, if there is one. */
export function builtinTagged(tag: Json | undefined): Builtin | undefined {
  return tag === undefined ? undefined : byTag.get(tag);
}

function hide(target: object, key: string, value: Json | undefined): void {
  Object.defineProperty(target, key, { value, enumerable: false, configurable: true, writable: true });
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Base64 (RFC 4648), without the padding. */
function toBase64(octets: Uint8Array): string {
  let text = "";
  for (let i = 0; i < octets.length; i += 3) {
    const [a = 0, b = 0, c = 0] = [octets[i], octets[i + 1], octets[i + 2]];
    const digits = [a >> 2, ((a & 3) << 4) | (b >> 4), ((b & 15) << 2) | (c >> 6), c & 63];
    const length = Math.min(4, octets.length - i + 1);
    for (let j = 0; j < length; j++) text += DIGITS[digits[j] as number];
  }
  return text;
}

function fromBase64(text: string): Uint8Array {
  const octets = new Uint8Array(Math.floor((text.length * 3) / 4));
  let bits = 0;
  let held = 0;
  let at = 0;
  for (const digit of text) {
    bits = ((bits << 6) | DIGITS.indexOf(digit)) & 0xffff;
    held += 6;
    if (held >= 8) {
      held -= 8;
      octets[at++] = (bits >> held) & 255;
    }
  }
  return octets;
}
