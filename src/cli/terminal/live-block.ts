/**
 * A live block is the last few rows of a terminal, drawn over as things change; lines are printed above it.
 *
 * 1. Its rows are no wider than the terminal, so their number is the number of lines to go back.
 */

/** How often it is drawn, in milliseconds. */
const INTERVAL = 120;

export class LiveBlock {
  readonly #stream: NodeJS.WriteStream;
  readonly #rows: (width: number) => readonly string[];
  readonly #timer: NodeJS.Timeout;
  #drawn: number = 0;

  constructor(stream: NodeJS.WriteStream, rows: (width: number) => readonly string[]) {
    this.#stream = stream;
    this.#rows = rows;
    this.#timer = setInterval(() => this.#draw(), INTERVAL);
    this.#timer.unref();
  }

  /** Prints a line that stays. */
  above(text: string): void {
    this.#stream.write(`${this.#back()}${text}\n${this.#fresh()}`);
  }

  end(): void {
    clearInterval(this.#timer);
    this.#stream.write(this.#back());
  }

  #draw(): void {
    this.#stream.write(`${this.#back()}${this.#fresh()}`);
  }

  /** Goes to where the block begins and clears everything below. */
  #back(): string {
    const up = this.#drawn === 0 ? "" : `\u001b[${this.#drawn}A`;
    this.#drawn = 0;
    return `${up}\r\u001b[J`;
  }

  #fresh(): string {
    const rows = this.#rows(this.#stream.columns || 80);
    this.#drawn = rows.length;
    return rows.map((row) => `${row}\n`).join("");
  }
}
