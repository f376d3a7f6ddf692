/**
 * The feed tells of runs that are new or stand differently, to everybody who listens.
 *
 * 1. It begins with the runs as they stand, so nothing falls between a list and the feed after it.
 * 2. It looks only while somebody listens, and once for all of them.
 * 3. A listener who falls behind gets the latest line of each run, and not every one in between.
 * 4. A run that is among the latest no more was either passed by others or removed; who was removed is told.
 */

import { Refusal } from "../base/refusal.ts";
import type { FeedMessage, RunLine } from "../protocol/studio.ts";
import { Bell } from "./bell.ts";
import { frame, KEEP_ALIVE } from "./sse.ts";
import type { Live } from "./studio.ts";

/** How often to look, in milliseconds. */
const INTERVAL = 500;
/** How long nothing may be said, in milliseconds. */
const SILENCE = 15_000;

interface Listener {
  readonly bell: Bell;
  /** What it has to be told, by run. */
  readonly due: Map<string, FeedMessage>;
}

export class Feed {
  readonly #live: Live;
  readonly #listeners: Set<Listener> = new Set();
  /** The lines that were told last, as text. */
  #told: Map<string, string> = new Map();
  #timer: NodeJS.Timeout | undefined;

  constructor(live: Live) {
    this.#live = live;
  }

  /** The frames for one listener, until the signal fires. */
  async *frames(signal: AbortSignal): AsyncGenerator<string, void> {
    const lines = await this.#live.latest();
    const due = new Map(lines.map((line) => [line.run, { type: "run", line } as const]));
    const listener: Listener = { bell: new Bell(), due }; // (1)
    if (this.#listeners.size === 0)
      this.#told = new Map(lines.map((line) => [line.run, JSON.stringify(line)]));
    this.#listeners.add(listener);
    this.#look();
    try {
      for (let saidAt = 0; !signal.aborted; ) {
        const due = [...listener.due.values()];
        listener.due.clear();
        if (due.length > 0 || performance.now() - saidAt >= SILENCE) {
          saidAt = performance.now();
          yield due.map((message) => frame(message)).join("") || KEEP_ALIVE;
        }
        await listener.bell.heard(SILENCE, signal);
      }
    } finally {
      this.#listeners.delete(listener);
    }
  }

  /** Looks now and again, while there is somebody to tell (2). */
  #look(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(async () => {
      const lines = this.#listeners.size === 0 ? [] : await this.#live.latest().catch(() => []);
      this.#timer = undefined;
      if (this.#listeners.size === 0) return;
      await this.#tell(lines);
      this.#look();
    }, INTERVAL);
    this.#timer.unref();
  }

  async #tell(lines: readonly RunLine[]): Promise<void> {
    const before = this.#told;
    this.#told = new Map(lines.map((line) => [line.run, JSON.stringify(line)]));
    for (const line of lines) {
      if (before.get(line.run) !== this.#told.get(line.run)) this.#ring(line.run, { type: "run", line });
    }
    for (const run of before.keys()) {
      if (this.#told.has(run) || (await this.#isThere(run))) continue;
      this.#ring(run, { type: "gone", run }); // (4)
    }
  }

  /** What is due to every listener, the last word on each run (3). */
  #ring(run: string, message: FeedMessage): void {
    for (const { due, bell } of this.#listeners) {
      due.set(run, message);
      bell.ring();
    }
  }

  /** A journal that cannot be asked now has removed nothing. */
  async #isThere(run: string): Promise<boolean> {
    return this.#live.requireRun(run).then(
      () => true,
      (error: unknown) => !(error instanceof Refusal && error.code === "unknown_run"),
    );
  }
}
