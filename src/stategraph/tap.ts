/** A tap hands items from one who makes them to one who reads them, and lets the maker wait for the reader. */

export class Tap<Item> {
  #items: Item[] = [];
  #ended = false;
  #closed = false;
  #reading = false;
  #error: { readonly thrown: unknown } | undefined;
  #wakeReader: (() => void) | undefined;
  #wakeMaker: (() => void) | undefined;

  /** Resolves when the reader leaves. */
  readonly left: Promise<void>;
  readonly #leave: () => void;

  constructor() {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.left = promise;
    this.#leave = resolve;
  }

  /** True once the reader has left. */
  get isClosed(): boolean {
    return this.#closed;
  }

  push(item: Item): void {
    if (this.#closed) return;
    this.#items.push(item);
    this.#wakeReader?.();
  }

  /** Nothing more comes; with an error, the reader meets it after the items that are left. */
  end(error?: { readonly thrown: unknown }): void {
    this.#ended = true;
    this.#error = error;
    this.#wakeReader?.();
  }

  /** The reader leaves. */
  close(): void {
    this.#closed = true;
    this.#items = [];
    this.#leave();
    this.#wakeMaker?.();
  }

  /** Waits until the reader has everything and wants more, or has left. */
  async wanted(): Promise<void> {
    while (!this.#closed && (this.#items.length > 0 || !this.#reading)) {
      await new Promise<void>((resolve) => {
        this.#wakeMaker = resolve;
      });
    }
  }

  /** The next item, or `undefined` when there are no more. Throws what `end` was given. */
  async next(): Promise<{ readonly item: Item } | undefined> {
    for (;;) {
      if (this.#items.length > 0) {
        this.#reading = false;
        return { item: this.#items.shift() as Item };
      }
      if (this.#error !== undefined) throw this.#error.thrown;
      if (this.#ended) return undefined;
      this.#reading = true;
      this.#wakeMaker?.();
      await new Promise<void>((resolve) => {
        this.#wakeReader = resolve;
      });
    }
  }
}
