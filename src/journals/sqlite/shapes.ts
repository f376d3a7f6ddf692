/**
 * Shapes: what the JSON of one append has in common with that of the next is stored once.
 *
 * 1. A text is cut into constant pieces and the values between them. Any cut is right, since a text is put together
 *    again from exactly its parts; a good cut is one that many texts share.
 * 2. A shape is stored when it is met for the second time, so what never comes again costs no more than itself.
 * 3. Parts are joined by tabs, which printed JSON does not hold.
 */

import type { DatabaseSync, StatementSync } from "node:sqlite";
import { checksum, isWhole } from "./checksum.ts";

/** Strings of some length, save keys, and digits wherever they stand. */
const VALUES = /("(?=(?:[^"\\]|\\.){24})[^"\\]*(?:\\.[^"\\]*)*"(?!:)|\d+)/;

/** In a longer text the rest is a small part of the whole. */
const LONGEST_TEXT = 32_768;
const MOST_PARTS = 128;
const LONGEST_SHAPE = 4096;
/** How many shapes a file holds at most. */
const MOST_SHAPES = 4096;
/** How many shapes that were met once are remembered. */
const MOST_CANDIDATES = 1024;

export interface Split {
  readonly shape: number;
  /** Joined by tabs (3). */
  readonly values: string;
}

export class Shapes {
  readonly #ids: Map<string, number> = new Map();
  readonly #pieces: Map<number, readonly string[]> = new Map();
  readonly #candidates: Set<string> = new Set();
  readonly #insert: StatementSync;
  readonly #select: StatementSync;
  /** The shape that was used last: the next text mostly has it too, and trying it is cheaper than cutting anew. */
  #recent: { readonly shape: number; readonly pieces: readonly string[] } | undefined;
  #last: number = 0;
  /** True when something was stored since the last reset. */
  #stored: boolean = false;

  constructor(db: DatabaseSync) {
    this.#insert = db.prepare("INSERT INTO shapes (text, crc) VALUES (?, ?)");
    this.#select = db.prepare("SELECT id, text, crc FROM shapes WHERE id > ? ORDER BY id");
    this.#load();
  }

  /** The shape of a text and its values, or nothing when it has no known shape. Call it in a transaction. */
  split(text: string): Split | undefined {
    return this.#split(text, (constant) => this.#learn(constant));
  }

  /** The same, where it takes no more than what is known already: nothing is stored. */
  find(text: string): Split | undefined {
    return this.#split(text, () => undefined);
  }

  #split(text: string, learn: (constant: string) => number | undefined): Split | undefined {
    if (text.length > LONGEST_TEXT) return undefined;
    const again = this.#recent && cut(text, this.#recent.pieces);
    if (again !== undefined) return { shape: this.#recent?.shape as number, values: again };
    const parts = text.split(VALUES);
    if (parts.length === 1 || parts.length > MOST_PARTS) return undefined;
    let constant = parts[0] as string;
    let values = parts[1] as string;
    for (let i = 2; i < parts.length; i += 2) constant += `\t${parts[i]}`;
    for (let i = 3; i < parts.length; i += 2) values += `\t${parts[i]}`;
    const shape = this.#ids.get(constant) ?? learn(constant);
    if (shape === undefined) return undefined;
    this.#recent = { shape, pieces: this.#pieces.get(shape) as readonly string[] };
    return { shape, values };
  }

  /** Puts a text together again. Throws when there is no such shape or the values do not fit it. */
  join(shape: number, values: readonly string[]): string {
    if (!this.#pieces.has(shape)) this.#load();
    const pieces = this.#pieces.get(shape);
    if (pieces === undefined) throw new Error(`it needs shape ${shape}, which is not there`);
    if (pieces.length !== values.length + 1) throw new Error(`it does not fit shape ${shape}`);
    let text = pieces[0] as string;
    for (let i = 1; i < pieces.length; i++) text += `${values[i - 1]}${pieces[i]}`;
    return text;
  }

  /** Forgets what a transaction that was rolled back may have stored. */
  reset(): void {
    if (!this.#stored) return;
    this.#stored = false;
    this.#ids.clear();
    this.#recent = undefined;
    this.#pieces.clear();
    this.#last = 0;
    this.#load();
  }

  #learn(text: string): number | undefined {
    if (text.length > LONGEST_SHAPE) return undefined;
    if (!this.#candidates.delete(text)) {
      if (this.#candidates.size >= MOST_CANDIDATES) this.#candidates.clear();
      this.#candidates.add(text);
      return undefined;
    }
    this.#load(); // another process may have stored it meanwhile
    if (!this.#ids.has(text) && this.#ids.size < MOST_SHAPES) {
      this.#stored = true;
      this.#keep(Number(this.#insert.run(text, checksum(text)).lastInsertRowid), text);
    }
    return this.#ids.get(text);
  }

  #load(): void {
    for (const { id, text, crc } of this.#select.all(this.#last)) {
      if (typeof text === "string" && isWhole(text, crc)) this.#keep(id as number, text);
      this.#last = id as number; // a damaged one is not there, so rows that need it say so
    }
  }

  #keep(id: number, text: string): void {
    this.#ids.set(text, id);
    this.#pieces.set(id, text.split("\t"));
    this.#last = id;
  }
}

/** The values of a text between these pieces, or nothing when it is not what `VALUES` would cut into them. */
function cut(text: string, pieces: readonly string[]): string | undefined {
  const first = pieces[0] as string;
  if (!text.startsWith(first)) return undefined;
  let values = "";
  let from = first.length;
  for (let i = 1; i < pieces.length; i++) {
    const piece = pieces[i] as string;
    const to = i === pieces.length - 1 ? text.length - piece.length : text.indexOf(piece, from);
    if (!isValue(text, from, to)) return undefined;
    values += i === 1 ? text.slice(from, to) : `\t${text.slice(from, to)}`;
    from = to + piece.length;
  }
  return text.endsWith(pieces.at(-1) as string) ? values : undefined;
}

const QUOTE = 34;
const ZERO = 48;
const NINE = 57;

/** Says whether a part of a text is all digits, or a string without escapes. */
function isValue(text: string, from: number, to: number): boolean {
  if (to <= from) return false;
  if (text.charCodeAt(from) === QUOTE) return text.indexOf('"', from + 1) === to - 1;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code < ZERO || code > NINE) return false;
  }
  return true;
}
