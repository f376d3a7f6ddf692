/**
 * Following a stream through every break of its connection.
 *
 * 1. After a break it goes on from the last event that was handed out: none is lost, and none handed out twice.
 * 2. It waits longer the more often it fails in a row. What the server refuses is not tried again.
 */

import type { StreamMessage } from "../protocol/studio.ts";
import { readSse } from "./sse-reader.ts";
import { StudioError } from "./studio-error.ts";

/** In milliseconds. */
const SHORTEST = 250;
const LONGEST = 8000;

export interface Following {
  /** Opens the stream; an id is that of the last event that was handed out. */
  readonly open: (lastId: string | undefined, signal: AbortSignal) => Promise<Response>;
  /** Ends the following. */
  readonly signal: AbortSignal;
  /** Waits before the next try; by the clock when absent. */
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** The messages of a stream whose messages need no order, such as those of the feed. */
export async function* follow<T>({ open, signal, pause = sleep }: Following): AsyncGenerator<T, void> {
  let lastId: string | undefined;
  for (let failures = 0; !signal.aborted; failures++) {
    try {
      const { body } = await open(lastId, signal);
      if (body === null) throw new TypeError("The response has no body.");
      for await (const { id, data } of readSse(body)) {
        failures = 0;
        yield JSON.parse(data) as T; // what the protocol says that the route sends
        lastId = id ?? lastId;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof StudioError && error.status < 500) throw error; // (2)
    }
    await pause(Math.min(LONGEST, SHORTEST * 2 ** failures), signal);
  }
}

/** The messages of a run's stream; an event that was handed out before is passed over (1). */
export async function* followRun(following: Following, after: number): AsyncGenerator<StreamMessage, void> {
  let seen = after;
  const { open } = following;
  const from = (_: string | undefined, stop: AbortSignal) => open(String(seen), stop);
  for await (const message of follow<StreamMessage>({ ...following, open: from })) {
    if (message.type === "event") {
      if (message.event.seq <= seen) continue;
      seen = message.event.seq;
    }
    yield message;
  }
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener("abort", end);
  });
}
