/**
 * Reading is looking into a folder of this machine without changing it.
 *
 * 1. A path stays inside the folder, links included.
 * 2. Everything is bounded: what is not given is said, never left out in silence.
 * 3. A search follows no links and leaves out the folders that nobody means: those of version control, packages
 *    and Baton's own.
 */

import { open, readdir, stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Signal } from "../../base/abort.ts";
import { placeInside, segmentsInside } from "./inside.ts";

/** The most bytes of a file that are read at once, and of one that is searched. */
const MAX_BYTES = 256 * 1024;
const MAX_ENTRIES = 1000;
const MAX_FILES = 20_000;
const MAX_HITS = 200;
const MAX_LINE = 300;
/** (3) */
const LEFT_OUT: ReadonlySet<string> = new Set([".git", ".jj", ".hg", ".svn", ".baton", "node_modules"]);

export interface Lines {
  /** The first line, counted from 1. */
  readonly from?: number;
  readonly count?: number;
}

export interface Search {
  /** What a line must contain, as it is spelled. */
  readonly text: string;
  /** The folder or file to search; everything when absent. */
  readonly path?: string;
  readonly signal: Signal;
}

export class LocalReading {
  readonly #root: string;

  /** @param root The folder; relative ones are relative to the working directory of the process. */
  constructor(root: string) {
    this.#root = resolve(root);
  }

  /** The text of a file, or some of its lines. Rejects with a sentence. */
  async read(path: string, { from = 1, count = Number.POSITIVE_INFINITY }: Lines = {}): Promise<string> {
    const { text, isCut } = await this.#text(path);
    const lines = text.split("\n");
    const end = from - 1 + count;
    const some = from === 1 && end >= lines.length ? text : lines.slice(from - 1, end).join("\n");
    return isCut && end >= lines.length
      ? `${some}\n[The file is longer: ${MAX_BYTES} bytes were read.]`
      : some;
  }

  /** The text of a file, whole; nothing when there is none, or it is too long. */
  async whole(path: string): Promise<string | undefined> {
    const found = await this.#text(path).catch(() => undefined);
    return found === undefined || found.isCut ? undefined : found.text;
  }

  /** What lies in a folder, sorted; folders end with `/`. Rejects with a sentence. */
  async list(path = "."): Promise<readonly string[]> {
    const folder = await this.#place(path);
    if (!(await stat(folder)).isDirectory())
      throw new Error(`${JSON.stringify(path)} is a file and no folder.`);
    const entries = await readdir(folder, { withFileTypes: true });
    const names = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
    if (names.length <= MAX_ENTRIES) return names;
    return [...names.slice(0, MAX_ENTRIES), `[and ${names.length - MAX_ENTRIES} more]`];
  }

  /** The lines that contain a text, as `path:number: line`. Rejects with a sentence. */
  async search({ text, path = ".", signal }: Search): Promise<readonly string[]> {
    const hits: string[] = [];
    let files = 0;
    for await (const file of this.#files(segmentsInside(path))) {
      if (signal.aborted) break;
      if (++files > MAX_FILES) return [...hits, `[Stopped after ${MAX_FILES} files: search in a folder.]`];
      const found = await this.#text(file).catch(() => undefined); // it is no text
      if (found === undefined) continue;
      hits.push(...linesWith(text, found.text).map((line) => `${file}:${line}`));
      if (found.isCut) hits.push(`${file}: [Only its first ${MAX_BYTES} bytes were searched.]`);
      if (hits.length < MAX_HITS) continue;
      return [...hits.slice(0, MAX_HITS), `[Stopped after ${MAX_HITS} lines: search for more of it.]`];
    }
    return hits;
  }

  /** The files below a place, in order, as paths relative to the folder (3). */
  async *#files(segments: readonly string[]): AsyncGenerator<string> {
    const place = await this.#place(segments.join("/"));
    if ((await stat(place)).isFile()) return yield segments.join("/");
    const entries = await readdir(place, { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const inner = [...segments, entry.name];
      if (entry.isFile()) yield inner.join("/");
      else if (entry.isDirectory() && !LEFT_OUT.has(entry.name)) yield* this.#files(inner);
    }
  }

  async #text(path: string): Promise<{ readonly text: string; readonly isCut: boolean }> {
    const place = await this.#place(path);
    if (!(await stat(place)).isFile()) throw new Error(`${JSON.stringify(path)} is no ordinary file.`);
    const file = await open(place);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_BYTES + 1), 0, MAX_BYTES + 1, 0);
      const bytes = buffer.subarray(0, Math.min(bytesRead, MAX_BYTES));
      if (bytes.includes(0)) throw new Error(`${JSON.stringify(path)} is no text.`);
      return { text: bytes.toString("utf8"), isCut: bytesRead > MAX_BYTES };
    } finally {
      await file.close();
    }
  }

  /** Where a path really is (1). */
  async #place(path: string): Promise<string> {
    const place = await placeInside(this.#root, path);
    if (place === undefined) throw new Error(`There is no ${JSON.stringify(path)}.`);
    return place;
  }
}

/** The lines that contain a text, with their numbers. */
function linesWith(text: string, content: string): readonly string[] {
  if (!content.includes(text)) return [];
  const lines = content.split("\n").map((line, index) => ({ line, number: index + 1 }));
  const hits = lines.filter(({ line }) => line.includes(text));
  return hits.map(({ line, number }) => `${number}: ${line.slice(0, MAX_LINE)}`);
}
