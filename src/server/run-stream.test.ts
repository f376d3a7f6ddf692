import { afterEach, describe, expect, test } from "vitest";
import type { Event } from "../kernel/event.ts";
import type { StreamMessage } from "../protocol/studio.ts";
import { runStream } from "./run-stream.ts";
import type { Live, News } from "./studio.ts";

/** A log in memory that others append to, with or without a word to those who listen. */
class FakeLive implements Live {
  readonly log: Event[] = [];
  readonly listeners: Set<(news: News) => void> = new Set();
  driver: "studio" | null = null;
  reads = 0;
  readonly latest = async () => [];
  readonly requireRun = async () => {};

  append(count: number, how: "aloud" | "silently"): void {
    for (let i = 0; i < count; i++) {
      const seq = this.log.length + 1;
      this.log.push({ type: "run.cancelled", reason: `${seq}`, run: "r", seq, at: seq } as Event);
    }
    if (how === "aloud") this.tell({ kind: "look" });
  }

  tell(news: News): void {
    for (const listener of this.listeners) listener(news);
  }

  async eventsAfter(_: string, after: number, limit: number): Promise<readonly Event[]> {
    this.reads++;
    return this.log.slice(after, after + limit);
  }

  driverOf(): "studio" | null {
    return this.driver;
  }

  onNews(_: string, listener: (news: News) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

const ending = new Set<AbortController>();
afterEach(() => {
  for (const end of ending) end.abort();
});

function open(live: Live, after: number) {
  const end = new AbortController();
  ending.add(end);
  return { end, source: runStream(live, { run: "r", after, signal: end.signal }) };
}

function parse(frames: string): readonly StreamMessage[] {
  return [...frames.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!) as StreamMessage);
}

const ids = (frames: string) => [...frames.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe("the stream of a run", () => {
  test("cut after any event and opened again from it, tells each event once (1)", async () => {
    const live = new FakeLive();
    live.append(9, "silently");
    for (const cut of upTo(9)) {
      const told = upTo(cut);
      const { source, end } = open(live, cut);
      if (cut === 5) live.append(3, "silently");
      told.push(...ids((await source.next()).value!));
      end.abort();
      await source.return();
      expect(told).toEqual(upTo(live.log.length));
    }
    expect(live.listeners.size).toBe(0);
  });

  test("tells what is appended while it is open, whoever appends it, in order and once", async () => {
    const live = new FakeLive();
    const { source, end } = open(live, 0);
    const told: number[] = [];
    const reading = (async () => {
      for await (const frames of source) {
        told.push(...ids(frames));
        if (told.length >= 450) end.abort();
      }
    })();
    for (const how of ["aloud", "silently", "aloud", "aloud", "silently"] as const) {
      live.append(90, how);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await reading;
    expect(told).toEqual(upTo(450));
  });

  test("says once that it has caught up, and the driver whenever it is another one", async () => {
    const live = new FakeLive();
    live.append(401, "silently");
    const { source } = open(live, 0);
    const first = [(await source.next()).value!, (await source.next()).value!, (await source.next()).value!];
    expect(first.map((frames) => ids(frames).length)).toEqual([200, 200, 1]);
    const besides = first.flatMap(parse).filter(({ type }) => type !== "event");
    expect(besides).toEqual([
      { type: "caught_up", seq: 401 },
      { type: "driver", driver: null },
    ]);
    live.driver = "studio";
    live.tell({ kind: "look" });
    expect(parse((await source.next()).value!)).toEqual([{ type: "driver", driver: "studio" }]);
  });

  test("keeps no more progress than a reader may want, gives it no id, and leaves out what is not JSON (2)", async () => {
    const live = new FakeLive();
    const { source } = open(live, 0);
    await source.next();
    const progress = (chunk: unknown) => ({ run: "r", task: "1/a", node: "a", chunk });
    for (let i = 0; i < 1000; i++) live.tell({ kind: "progress", progress: progress(i) });
    const circle: unknown[] = [];
    circle.push(circle);
    for (const chunk of [circle, undefined, 1n]) live.tell({ kind: "progress", progress: progress(chunk) });
    const { value } = await source.next();
    expect(ids(value!)).toEqual([]);
    const chunks = parse(value!).map((message) => message.type === "progress" && message.chunk);
    expect(chunks).toEqual(Array.from({ length: 197 }, (_, index) => 803 + index));
  });

  test("reads nothing ahead for a reader that does not take what it has", async () => {
    const live = new FakeLive();
    live.append(5000, "silently");
    const { source } = open(live, 0);
    await source.next();
    const { reads } = live;
    for (let i = 0; i < 50; i++) live.append(10, "aloud");
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(live.reads).toBe(reads);
  });

  test("ends when it is told to, also while it waits", async () => {
    const live = new FakeLive();
    const { source, end } = open(live, 0);
    await source.next();
    const waiting = source.next();
    end.abort();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(live.listeners.size).toBe(0);
  });
});
