/** The bus carries news of runs from whoever drives them in this process to whoever looks on. */

import type { Progress } from "../../run/host.ts";
import type { News } from "../../server/studio.ts";

type Listener = (news: News) => void;

export class Bus {
  readonly #listeners: Map<string, Set<Listener>> = new Map();

  /** There may be something new in the log of a run, or somebody else drives it. */
  look(run: string): void {
    this.#tell(run, { kind: "look" });
  }

  progress(progress: Progress): void {
    this.#tell(progress.run, { kind: "progress", progress });
  }

  /** Calls the listener with the news of a run; returns what ends that. */
  subscribe(run: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(run) ?? new Set();
    this.#listeners.set(run, listeners);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(run) === listeners) this.#listeners.delete(run);
    };
  }

  #tell(run: string, news: News): void {
    for (const listener of this.#listeners.get(run) ?? []) listener(news);
  }
}
