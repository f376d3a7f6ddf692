/** A heartbeat says at intervals that a turn goes on, while its agent shows nothing. */

import type { Agent, Progress } from "../../agent/agent.ts";

/** How often, in milliseconds. */
const EVERY_MS = 10_000;

/** The same agent; whoever watches hears of it at least every so many milliseconds. */
export function withHeartbeat(agent: Agent, everyMs: number = EVERY_MS): Agent {
  return {
    session: (request) => agent.session(request),
    ...(agent.mayWrite && { mayWrite: (request) => agent.mayWrite?.(request) ?? true }),
    async turn(request) {
      const heart = new Heart((chunk) => request.progress(chunk), everyMs);
      try {
        return await agent.turn({ ...request, progress: (chunk) => heart.show(chunk) });
      } finally {
        heart.stop();
      }
    },
  };
}

class Heart {
  readonly #progress: (chunk: Progress) => void;
  readonly #timer: NodeJS.Timeout;
  #last: number = performance.now();

  constructor(progress: (chunk: Progress) => void, everyMs: number) {
    this.#progress = progress;
    this.#timer = setInterval(() => {
      const quietMs = Math.round(performance.now() - this.#last);
      if (quietMs >= everyMs) this.#progress({ kind: "beat", quietMs });
    }, everyMs).unref();
  }

  show(chunk: Progress): void {
    this.#last = performance.now();
    this.#progress(chunk);
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
