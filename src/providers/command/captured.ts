/** What a command printed: bytes are kept as they come and read as UTF-8 at the end, so no character is torn. */

/** Keeps everything up to a limit, and says when there is more. */
export class Head {
  readonly #limit: number;
  readonly #chunks: Buffer[] = [];
  #size = 0;

  /** @param limit In bytes. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Adds a chunk; false when it does not fit, and then as much as fits was kept. */
  add(chunk: Buffer): boolean {
    const room = this.#limit - this.#size;
    const kept = chunk.length > room ? chunk.subarray(0, room) : chunk;
    this.#size += kept.length;
    if (kept.length > 0) this.#chunks.push(kept);
    return kept.length === chunk.length;
  }

  toString(): string {
    return Buffer.concat(this.#chunks).toString("utf8");
  }
}

/** Keeps the end, however much there is. */
export class Tail {
  readonly #limit: number;
  #chunks: Buffer[] = [];
  #size = 0;

  /** @param limit In bytes. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Adds a chunk; memory stays below twice the limit and one chunk. */
  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size > 2 * this.#limit) {
      const last = this.#last();
      this.#chunks = [last];
      this.#size = last.length;
    }
  }

  toString(): string {
    const last = this.#last();
    const mayBeCut = last.length === this.#limit;
    return last.subarray(mayBeCut ? firstWhole(last) : 0).toString("utf8");
  }

  /** A copy, so that what came before it can be freed. */
  #last(): Buffer {
    const all = Buffer.concat(this.#chunks);
    return all.length > this.#limit ? Buffer.from(all.subarray(all.length - this.#limit)) : all;
  }
}

/** Skips the rest of a character whose beginning was cut off: at most three bytes `10xxxxxx`. */
function firstWhole(bytes: Buffer): number {
  let start = 0;
  while (start < 3 && start < bytes.length && ((bytes[start] as number) & 0xc0) === 0x80) start++;
  return start;
}
