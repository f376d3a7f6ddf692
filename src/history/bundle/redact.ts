/**
 * Redaction takes secrets out of logs and texts: what looks like a key, and the values of named fields.
 *
 * 1. The same secret is the same mark everywhere, so that patches and writes still agree.
 * 2. A text that changed gets the reference of its new content, and whatever referred to it refers to that.
 * 3. Fields are those of values. A word of the log's own format cannot be named.
 * 4. What a named field held is taken out wherever else it is written too, such as in a prompt; unless it is very short,
 *    or part of a name that the plan has.
 */

import { assign, isJsonObject, type Json } from "../../base/json.ts";
import { Refusal } from "../../base/refusal.ts";
import { sha256 } from "../../engines/local.ts";
import { REF } from "../../journals/referred.ts";
import type { StoredText } from "../../run/journal.ts";

export interface RedactOptions {
  /** Takes out what looks like a key, a token or a private key. */
  readonly secrets?: boolean;
  /** Takes out the values of fields with these names, in any case. */
  readonly fields?: readonly string[];
}

const MARK = "[redacted]";

/** Shorter values are looked for in their fields only: elsewhere they may mean anything. */
const LEAST_KNOWN = 4;

const SECRETS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\b(sk|pk|rk)[-_][A-Za-z0-9_-]{16,}/g,
  /\b(gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,})/g,
  /\b(AKIA|ASIA)[0-9A-Z]{16}\b/g,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g,
  /\bAIza[0-9A-Za-z_-]{30,}/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g,
  /\bBearer +[A-Za-z0-9._~+/=-]{16,}/g,
];

/** The words of facts, patches and plans, which mean something to the kernel. */
const FORMAT: ReadonlySet<string> = new Set([
  ...[
    "type",
    "run",
    "seq",
    "at",
    "task",
    "tasks",
    "step",
    "node",
    "nodes",
    "plan",
    "program",
    "ran",
    "route",
  ],
  ...[
    "writes",
    "patches",
    "channel",
    "channels",
    "op",
    "as",
    "value",
    "items",
    "entries",
    "kind",
    "key",
    "ref",
  ],
  ...[
    "data",
    "sends",
    "input",
    "questions",
    "question",
    "id",
    "state",
    "from",
    "definition",
    "failure",
    "code",
  ],
]);

export class Redactor {
  readonly #secrets: boolean;
  readonly #fields: ReadonlySet<string>;
  /** What named fields held, longest first. */
  #known: readonly string[] = [];
  /** How many values were taken out. */
  values = 0;

  /** Refuses fields that are words of the format. */
  constructor({ secrets = false, fields = [] }: RedactOptions) {
    this.#secrets = secrets;
    this.#fields = new Set(fields.map((field) => field.toLowerCase()));
    const taken = fields.find((field) => FORMAT.has(field.toLowerCase()));
    if (taken === undefined) return;
    const message = `${taken} is a word of the log's own format, so it cannot be redacted as a field.`;
    throw new Refusal("invalid_value", message); // (3)
  }

  /** Takes note of what named fields hold anywhere in these texts; `names` is what may not be touched (4). */
  learn(texts: readonly string[], names: string): void {
    if (this.#fields.size === 0) return;
    const known = new Set<string>();
    for (const text of texts) this.#collect(parse(text) ?? null, known);
    this.#known = [...known]
      .filter((value) => value.length >= LEAST_KNOWN && !names.includes(value))
      .sort((a, b) => b.length - a.length);
  }

  /** A value without its secrets; the value itself when there are none. */
  value<T extends Json>(value: T): T {
    return this.#redact(value) as T; // of the same shape: only strings and the values of fields change
  }

  /** A text without its secrets; a text that is JSON is looked into. */
  text(text: string): string {
    const json = this.#fields.size > 0 ? parse(text) : undefined;
    if (json === undefined) return this.#string(text);
    const redacted = this.#redact(json);
    return redacted === json ? text : JSON.stringify(redacted);
  }

  #redact(value: Json): Json {
    if (typeof value === "string") return this.#string(value);
    if (Array.isArray(value)) {
      const items = value.map((item) => this.#redact(item as Json));
      return items.every((item, index) => item === value[index]) ? value : items;
    }
    if (!isJsonObject(value)) return value;
    const copy: Record<string, Json> = {};
    let isChanged = false;
    for (const [key, held] of Object.entries(value)) {
      const redacted = this.#fields.has(key.toLowerCase()) ? this.#mark() : this.#redact(held);
      const name = this.#string(key); // a key of an object may be one that opens something
      isChanged ||= redacted !== held || name !== key;
      assign(copy, name, redacted);
    }
    return isChanged ? copy : value;
  }

  #string(text: string): string {
    const rest = this.#known.reduce((left, value) => left.replaceAll(value, () => this.#mark()), text);
    if (!this.#secrets) return rest;
    return SECRETS.reduce((left, pattern) => left.replace(pattern, () => this.#mark()), rest);
  }

  #collect(value: Json, known: Set<string>): void {
    if (Array.isArray(value)) for (const item of value) this.#collect(item as Json, known);
    else if (isJsonObject(value)) {
      for (const [key, held] of Object.entries(value)) {
        if (typeof held === "string" && this.#fields.has(key.toLowerCase())) known.add(held);
        else this.#collect(held, known);
      }
    }
  }

  #mark(): string {
    this.values++;
    return MARK;
  }
}

/** Texts under the references of what they hold now, and the new reference of each that has changed (2). */
export function readdress(texts: readonly StoredText[]): {
  readonly texts: readonly StoredText[];
  readonly moved: ReadonlyMap<string, string>;
} {
  const moved = new Map<string, string>();
  let current = texts;
  for (;;) {
    const before = moved.size;
    const changed = current.map(({ ref, text }) => {
      const refreshed = followRefs(text, moved);
      const address = sha256(refreshed);
      return { was: ref, ref: address, text: refreshed };
    });
    // A text that holds references changes with them, and so does its own; a cycle of hashes cannot be.
    for (const { was, ref } of changed) if (was !== ref) moved.set(was, ref);
    current = changed.map(({ ref, text }) => ({ ref, text }));
    if (moved.size === before) return { texts: current, moved };
  }
}

/** A text with its references as they are now, however often they moved. */
export function followRefs(text: string, moved: ReadonlyMap<string, string>): string {
  if (moved.size === 0) return text;
  return text.replace(REF, (ref) => {
    let latest = ref;
    for (let next = moved.get(latest); next !== undefined; next = moved.get(latest)) latest = next;
    return latest;
  });
}

function parse(text: string): Json | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
