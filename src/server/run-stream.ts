/**
 * The stream of a run: its events from a sequence number on, and beside them what its tasks show while they work.
 *
 * 1. None is lost and none told twice: what was told last is the only thing that is remembered, and the log is read
 *    from there, whoever wrote it. A reader who falls behind reads the log later.
 * 2. Progress is not recorded, has no id, and the oldest of it is dropped when a reader falls behind.
 */

import type { Json } from "../base/json.ts";
import type { RunDocument, StreamMessage } from "../protocol/studio.ts";
import type { Progress } from "../run/host.ts";
import { Bell } from "./bell.ts";
import { frame, KEEP_ALIVE } from "./sse.ts";
import type { Live } from "./studio.ts";

/** How often to look for what other processes recorded, in milliseconds. */
const INTERVAL = 300;
/** How long nothing may be said, in milliseconds. */
const SILENCE = 15_000;
/** How many events go in one frame. */
const PAGE = 200;
/** How much progress is kept for a reader who is behind. */
const MOST_PROGRESS = 200;

export interface RunStreamOptions {
  readonly run: string;
  /** The sequence number of the last event that the reader has. */
  readonly after: number;
  readonly signal: AbortSignal;
}

/** The frames of a run's stream, until the signal fires. */
export async function* runStream(
  live: Live,
  { run, after, signal }: RunStreamOptions,
): AsyncGenerator<string, void> {
  const bell = new Bell();
  const progress: Progress[] = [];
  const leave = live.onNews(run, (news) => {
    if (news.kind === "progress" && progress.push(news.progress) > MOST_PROGRESS) progress.shift(); // (2)
    bell.ring();
  });
  const teller = new Teller();
  let seen = after;
  let saidAt = performance.now();
  try {
    while (!signal.aborted) {
      const events = await live.eventsAfter(run, seen, PAGE);
      seen = events.at(-1)?.seq ?? seen; // (1)
      const isLast = events.length < PAGE;
      const driver = isLast ? await live.driverOf(run) : null;
      const frames = [
        ...events.map((event) => frame({ type: "event", event } satisfies StreamMessage, event.seq)),
        ...(isLast ? teller.beside(seen, driver, progress.splice(0)) : []),
      ];
      const isQuiet = frames.length === 0 && performance.now() - saidAt < SILENCE;
      if (!isQuiet) {
        saidAt = performance.now();
        yield frames.length === 0 ? KEEP_ALIVE : frames.join("");
      }
      if (isLast) await bell.heard(INTERVAL, signal);
    }
  } finally {
    leave();
  }
}

/** Tells what stands beside the events, each thing once. */
class Teller {
  #isCaughtUp: boolean = false;
  #driver: RunDocument["driver"] | undefined;

  beside(seq: number, driver: RunDocument["driver"], progress: readonly Progress[]): readonly string[] {
    const messages: StreamMessage[] = [];
    if (!this.#isCaughtUp) messages.push({ type: "caught_up", seq });
    this.#isCaughtUp = true;
    if (driver !== this.#driver) messages.push({ type: "driver", driver });
    this.#driver = driver;
    for (const { task, node, chunk } of progress) {
      const json = jsonOf(chunk);
      if (json !== undefined) messages.push({ type: "progress", task, node, chunk: json });
    }
    return messages.map((message) => frame(message));
  }
}

/** What a task shows is whatever its code made; what JSON cannot hold is left out. */
function jsonOf(chunk: unknown): Json | undefined {
  try {
    const text: string | undefined = JSON.stringify(chunk);
    return text === undefined ? undefined : (JSON.parse(text) as Json);
  } catch {
    return undefined;
  }
}
