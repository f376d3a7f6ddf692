/**
 * A bundle is a family of runs in one file: JSON lines, each chained to the one before it by a hash.
 *
 * 1. A line ends with `,"chain":"<64 hex digits>"}`: the SHA-256 of the chain before it, a line break, and the line up
 *    to there as it is written. The chain before the first line is empty.
 * 2. The first line says what the file is, the last one how many lines there are; so a changed, missing or added byte
 *    is found, and the line named.
 * 3. Lines come in the order in which a reader needs them: the header, every run with its events, then the texts, and
 *    last the pictures of the files that turns worked on, as a git bundle.
 */

import { createHash } from "node:crypto";
import { isObject, type Json } from "../../base/json.ts";
import type { RunId } from "../../base/names.ts";
import type { Event } from "../../kernel/event.ts";
import type { Picture } from "../tree-store.ts";

/** The version of the format. A reader refuses a newer one. */
export const BUNDLE_VERSION = 1;

export type BundleLine =
  | {
      readonly kind: "baton.bundle";
      readonly version: number;
      readonly run: RunId;
      readonly runs: readonly RunId[];
      /** Present when something was taken out: how many values, by which patterns and fields. */
      readonly redacted?: Redacted;
    }
  | { readonly kind: "event"; readonly event: Event }
  | { readonly kind: "text"; readonly ref: string; readonly text: string }
  | { readonly kind: "git"; readonly pictures: readonly Picture[]; readonly base64: string }
  | { readonly kind: "end"; readonly lines: number };

export interface Redacted {
  readonly values: number;
  readonly secrets: boolean;
  readonly fields: readonly string[];
}

const CHAIN = /^,"chain":"([0-9a-f]{64})"\}$/;
const CHAIN_LENGTH = ',"chain":""}'.length + 64;

/** Writes lines of a bundle, in their order. */
export class BundleWriter {
  #chain = "";
  #lines = 0;

  /** One line, with its line break. */
  line(line: Exclude<BundleLine, { kind: "end" }>): string {
    return this.#write(line);
  }

  end(): string {
    return this.#write({ kind: "end", lines: this.#lines + 1 });
  }

  #write(line: BundleLine): string {
    const body = JSON.stringify(line).slice(0, -1);
    this.#chain = linkOf(this.#chain, body);
    this.#lines++;
    return `${body},"chain":"${this.#chain}"}\n`;
  }
}

/** What is wrong with a bundle, and in which line, counted from 1. */
export class BundleDamage extends Error {
  override readonly name: string = "BundleDamage";
  readonly line: number;

  constructor(line: number, what: string) {
    super(`The bundle is damaged in line ${line}: ${what}.`);
    this.line = line;
  }
}

/** Reads the lines of a bundle, each verified before it is handed on. Throws `BundleDamage` at the first wrong one. */
export function* readBundle(text: string): Generator<{ readonly number: number; readonly line: BundleLine }> {
  let chain = "";
  let number = 0;
  let isEnded = false;
  const lines = text.split("\n");
  for (const written of lines.slice(0, -1)) {
    number++;
    if (isEnded) throw new BundleDamage(number, "it stands after the end");
    const body = written.slice(0, -CHAIN_LENGTH);
    const [, recorded] = CHAIN.exec(written.slice(-CHAIN_LENGTH)) ?? [];
    chain = linkOf(chain, body);
    if (recorded !== chain) throw new BundleDamage(number, "it is not as it was written");
    const line = parse(`${body}}`, number);
    isEnded = line.kind === "end";
    if (line.kind === "end" && line.lines !== number) throw new BundleDamage(number, "lines are missing");
    yield { number, line };
  }
  if (lines.at(-1) !== "") throw new BundleDamage(number + 1, "it breaks off");
  if (!isEnded) throw new BundleDamage(number + 1, "the end is missing");
}

function linkOf(before: string, body: string): string {
  return createHash("sha256").update(`${before}\n${body}`).digest("hex");
}

const isText = (value: unknown): boolean => typeof value === "string";
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const isObjectName = (value: unknown): boolean =>
  typeof value === "string" && /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(value);
const isListOf = (value: unknown, isOne: (one: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(isOne);

/** What a reader of each kind relies on: the chain says that nothing changed since, and not who wrote it. */
const SHAPES: { readonly [K in BundleLine["kind"]]: (line: Readonly<Record<string, unknown>>) => boolean } = {
  "baton.bundle": ({ version, run, runs }) => isCount(version) && isText(run) && isListOf(runs, isText),
  event: ({ event }) =>
    isObject(event) &&
    isText(event["type"]) &&
    isText(event["run"]) &&
    isCount(event["seq"]) &&
    isCount(event["at"]),
  text: ({ ref, text }) => isText(ref) && isText(text),
  git: ({ pictures, base64 }) =>
    isText(base64) &&
    isListOf(pictures, (one) => isObject(one) && isObjectName(one["object"]) && isObjectName(one["tree"])),
  end: ({ lines }) => isCount(lines),
};

function parse(text: string, number: number): BundleLine {
  let value: unknown;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    throw new BundleDamage(number, "it is no JSON");
  }
  const kind = isObject(value) ? value["kind"] : undefined;
  const isKnown = typeof kind === "string" && Object.hasOwn(SHAPES, kind);
  const isLine = isKnown && isObject(value) && SHAPES[kind as BundleLine["kind"]](value);
  if (isLine) return value as unknown as BundleLine; // as far as a reader relies on it
  throw new BundleDamage(number, "it is no line that this Baton knows");
}
