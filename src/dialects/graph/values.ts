/**
 * Values cross into a run sealed, as deeply frozen JSON, and come out opened, as what was put in.
 *
 * 1. Sealing copies: what a node does afterwards with a value that it wrote never reaches the run.
 * 2. Opening plain data gives the frozen value itself; data with built-ins is made anew each time, so that changing
 *    a `Date` or a `Map` never reaches the run either.
 * 3. A value is walked once: what is known to be sealed is neither copied nor looked through again.
 * 4. A built-in stands in the log as `{"$": tag, "v": body}`; an object of the user with a key `$` is wrapped itself.
 */

import { assign, isObject, type Json, type JsonObject } from "../../base/json.ts";
import { type Builtin, builtinOf, builtinTagged, ESCAPED, UNDEFINED } from "./builtins.ts";
import { InvalidUpdateError } from "./errors.ts";

const TAG = "$";

/** The base that gives a private field to an object that is there already. */
class Itself {
  constructor(value: object) {
    // biome-ignore lint/correctness/noConstructorReturn: this is how an object that is there gets a private field
    return value;
  }
}

/** The mark of a sealed value: a private field, which costs what a field costs, in time and to the garbage collector. */
class Mark extends Itself {
  readonly #holdsTag: boolean;

  constructor(value: object, holdsTag: boolean) {
    super(value);
    this.#holdsTag = holdsTag;
  }

  /** Whether a sealed value holds a tag; nothing when it is not known to be sealed. */
  static of(value: object): boolean | undefined {
    return #holdsTag in value ? value.#holdsTag : undefined;
  }
}

const SEALED_UNDEFINED: Json = mark({ [TAG]: UNDEFINED.tag, v: null }, true);

/**
 * Seals a value; `name` says in errors what it is, and `author` who wrote it. Throws an `InvalidUpdateError` with the
 * path of what cannot be kept.
 */
export function seal(value: unknown, name: string, author?: string): Json {
  if (value === undefined) return SEALED_UNDEFINED;
  if (isSimple(value)) return value;
  return new Sealing(name, author).walk(value);
}

/** Opens a sealed value for code that reads it. */
export function open(value: Json): unknown {
  return decode(value, false);
}

/** Opens a sealed value as a copy that belongs to the caller and may be changed. */
export function copy(value: Json): unknown {
  return decode(value, true);
}

/** Says whether a sealed value reads as itself. */
export function isPlain(value: Json): boolean {
  if (typeof value !== "object" || value === null || Mark.of(value) === false) return true;
  return Mark.of(value) !== true && classify(value);
}

/** Says whether a sealed value stands for something else than plain data. */
export function isTag(value: Json): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value) && Object.hasOwn(value, TAG);
}

function isSimple(value: unknown): value is string | boolean | number | null {
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0);
  return typeof value === "string" || typeof value === "boolean" || value === null;
}

function mark<T extends Json & object>(value: T, holdsTag: boolean): T {
  new Mark(value, holdsTag);
  return Object.freeze(value);
}

/** One walk through a value that is to be sealed. */
class Sealing {
  readonly #name: string;
  readonly #author: string | undefined;
  readonly #trail: (string | number)[] = [];
  readonly #open: object[] = [];
  /** True when something tagged was met since this was last reset. */
  #met = false;

  constructor(name: string, author: string | undefined) {
    this.#name = name;
    this.#author = author;
  }

  walk(value: unknown): Json {
    if (isSimple(value)) return value;
    if (typeof value !== "object") return this.#tag(value);
    if (value === null) return null;
    if (Mark.of(value) === false) return value as Json; // it was made here
    if (this.#open.includes(value)) this.#refuse("refers back to itself");
    this.#open.push(value);
    const outer = this.#met;
    this.#met = false;
    const sealed = this.#container(value);
    this.#met ||= outer;
    this.#open.pop();
    return sealed;
  }

  #container(value: object): Json {
    if (Array.isArray(value)) {
      const items: Json[] = [];
      for (let index = 0; index < value.length; index++) items.push(this.#part(value[index], index));
      return mark(items, this.#met);
    }
    if (!isObject(value)) return this.#tag(value);
    const entries: Record<string, Json> = {};
    for (const key of Object.keys(value)) assign(entries, key, this.#part(value[key], key));
    if (Object.getOwnPropertySymbols(value).length > 0) this.#refuse("has a symbol as a key");
    if (!Object.hasOwn(value, TAG)) return mark(entries, this.#met);
    return this.#wrap(ESCAPED, Object.freeze(entries));
  }

  #part(value: unknown, key: string | number): Json {
    if (isSimple(value)) return value;
    this.#trail.push(key);
    const sealed = this.walk(value);
    this.#trail.pop();
    return sealed;
  }

  #tag(value: unknown): Json {
    const builtin = builtinOf(value);
    if (builtin === undefined) return this.#refuse(`is ${describe(value)}, which a state cannot hold`);
    const body = builtin.seal(value as never, (part, key) => this.#part(part, key));
    return this.#wrap(builtin, typeof body === "object" && body !== null ? Object.freeze(body) : body);
  }

  #wrap({ tag }: Builtin, body: Json): Json {
    this.#met = true;
    return mark({ [TAG]: tag, v: body }, true);
  }

  #refuse(why: string): never {
    const steps = this.#trail.map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`));
    const hint = "A state holds JSON, undefined, Date, Map, Set, BigInt, Uint8Array, URL and Error.";
    const by = this.#author === undefined ? "" : ` (written by ${this.#author.replace(/^The /, "the ")})`;
    throw new InvalidUpdateError(`${this.#name}${steps.join("")}${by} ${why}. ${hint}`);
  }
}

function describe(value: unknown): string {
  if (typeof value !== "object" || value === null) return `a ${typeof value}`;
  const maker = (value as { readonly constructor?: unknown }).constructor;
  return typeof maker === "function" && maker.name !== ""
    ? `an instance of ${maker.name}`
    : "an instance of a class";
}

/** Freezes a value that comes from a log and finds out whether it holds built-ins. */
function classify(value: readonly Json[] | JsonObject): boolean {
  let holdsTag = isTag(value);
  for (const part of Object.values(value)) if (!isPlain(part)) holdsTag = true;
  mark(value as Json & object, holdsTag);
  return !holdsTag;
}

function decode(value: Json, fresh: boolean): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (!fresh && isPlain(value)) return value;
  if (Array.isArray(value)) return value.map((item) => decode(item, fresh));
  const entries = value as JsonObject; // neither a list nor null
  const builtin = Object.hasOwn(entries, TAG) ? builtinTagged(entries[TAG]) : undefined;
  if (builtin === undefined) return decodeEntries(entries, fresh);
  if (builtin === ESCAPED) return decodeEntries(entries["v"] as JsonObject, fresh);
  return builtin.open(entries["v"] as Json, (part) => decode(part, fresh));
}

function decodeEntries(entries: JsonObject, fresh: boolean): unknown {
  const decoded: Record<string, Json> = {};
  for (const key of Object.keys(entries)) {
    assign(decoded, key, decode(entries[key] as Json, fresh) as Json); // `assign` does not look at the value
  }
  return decoded;
}
