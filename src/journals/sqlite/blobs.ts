/**
 * Blobs: large texts, each stored once under the hash of its content.
 *
 * 1. A reference stands where a string stood. In a text with references, a string that begins with NUL is a reference
 *    or has one NUL more than it should; a text without references is not looked at and not changed.
 * 2. A string that UTF-8 cannot say (a lone surrogate) stays where it is.
 */

import { hash } from "node:crypto";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Json } from "../../base/json.ts";
import type { StoredText } from "../../run/journal.ts";
import { checksum, isWhole } from "./checksum.ts";

/** Plans and definitions from this length on, printed, are blobs: many runs share them. */
const LEAST_SHARED = 1024;
const NUL = "\u0000";

type Kind = "text" | "json";
/** Stands for a value that went to the blobs; strings from users are never instances of it. */
class Reference {
  readonly text: string;
  constructor(kind: Kind, ref: string) {
    this.text = `${NUL}${kind} ${ref}`;
  }
}

export class Blobs {
  readonly #least: number;
  readonly #insert: StatementSync;
  readonly #select: StatementSync;

  /** Strings of at least `least` UTF-16 units are blobs. */
  constructor(db: DatabaseSync, least: number) {
    this.#least = least;
    this.#insert = db.prepare("INSERT OR IGNORE INTO blobs (ref, text, crc) VALUES (?, ?, ?)");
    this.#select = db.prepare("SELECT text, crc FROM blobs WHERE ref = ?");
  }

  put({ ref, text }: StoredText): void {
    const stored = text.isWellFormed() ? text : Buffer.from(text, "utf16le");
    this.#insert.run(ref, stored, checksum(stored));
  }

  /** Reads a text. Throws when it is not what was stored. */
  get(ref: string): string | undefined {
    const row = this.#select.get(ref);
    if (row === undefined) return undefined;
    const text = row["text"] as string | Uint8Array; // what `put` wrote
    if (!isWhole(text, row["crc"])) throw new Error(`the text ${ref} is damaged`);
    return typeof text === "string" ? text : Buffer.from(text).toString("utf16le");
  }

  /** Prints facts in which nothing is large; tells nothing of others. */
  printSmall(facts: readonly object[]): string | undefined {
    if (facts.some(carriesPlan)) return undefined;
    const text = JSON.stringify(facts);
    return text.length < this.#least ? text : undefined;
  }

  /** Prints facts; what is large in them is stored and referred to. */
  print(facts: readonly object[]): { readonly text: string; readonly refers: boolean } {
    const small = this.printSmall(facts);
    if (small !== undefined) return { text: small, refers: false };
    const outlined = facts.map((fact) => this.#outline(fact));
    let refers = false;
    const text = JSON.stringify(outlined, (_key, value: unknown) => {
      if (value instanceof Reference) {
        refers = true;
        return value.text;
      }
      if (typeof value !== "string") return value;
      if (value.length >= this.#least && value.isWellFormed()) {
        refers = true;
        return this.#refer("text", value).text;
      }
      return value.startsWith(NUL) ? NUL + value : value;
    });
    return refers ? { text, refers } : { text: JSON.stringify(facts), refers };
  }

  /** Reads a printed text with references. Throws when a blob is missing. */
  parse(text: string): unknown {
    return JSON.parse(text, (_key, value: unknown) => {
      if (typeof value !== "string" || !value.startsWith(NUL)) return value;
      if (value.startsWith(NUL, 1)) return value.slice(1);
      const ref = value.slice(value.indexOf(" ") + 1);
      const blob = this.get(ref);
      if (blob === undefined) throw new Error(`it needs the text ${ref}, which is not there`);
      return value.startsWith(`${NUL}json `) ? (JSON.parse(blob) as Json) : blob;
    });
  }

  #outline(fact: object): object {
    if (!carriesPlan(fact)) return fact;
    const outlined: Record<string, unknown> = { ...fact };
    for (const key of ["plan", "definition"]) {
      const value = outlined[key];
      if (typeof value !== "object" || value === null) continue;
      const text = JSON.stringify(value);
      if (text.length > LEAST_SHARED) outlined[key] = this.#refer("json", text);
    }
    return outlined;
  }

  #refer(kind: Kind, text: string): Reference {
    const ref = `sha256:${hash("sha256", text)}`;
    this.put({ ref, text });
    return new Reference(kind, ref);
  }
}

function carriesPlan(fact: object): boolean {
  return "plan" in fact || "definition" in fact;
}
