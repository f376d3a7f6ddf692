/** A bell wakes one who waits for news: rung before, it wakes at once, so nothing that rings is missed. */

export class Bell {
  #rung: boolean = false;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /** Waits until it rings, the time is over (in milliseconds) or the signal fires. */
  async heard(within: number, signal: AbortSignal): Promise<void> {
    if (!this.#rung && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const end = () => {
          clearTimeout(timer);
          signal.removeEventListener("abort", end);
          this.#wake = undefined;
          resolve();
        };
        const timer = setTimeout(end, within);
        signal.addEventListener("abort", end);
        this.#wake = end;
      });
    }
    this.#rung = false;
  }
}
