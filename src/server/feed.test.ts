import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Refusal } from "../base/refusal.ts";
import type { FeedMessage, RunLine } from "../protocol/studio.ts";
import { Feed } from "./feed.ts";
import type { Live } from "./studio.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const line = (run: string, status: RunLine["status"]): RunLine => ({
  ...{ run, status, task: "", reason: null, startedAt: 0, updatedAt: 0, parent: null, questions: 0 },
  program: { dialect: "loadout", name: "it", revision: "1" },
  usage: { tokens: 0, costUsd: 0 },
  driver: null,
});

class Lines {
  readonly lines: Map<string, RunLine> = new Map();
  readonly known: Set<string> = new Set();
  looks = 0;
  readonly live = {
    latest: async () => {
      this.looks++;
      return [...this.lines.values()];
    },
    requireRun: async (run: string) => {
      if (!this.known.has(run)) throw new Refusal("unknown_run", `There is no run ${run}.`);
    },
  } as unknown as Live; // a feed asks for nothing else

  set(run: string, status: RunLine["status"]): void {
    this.lines.set(run, line(run, status));
    this.known.add(run);
  }
}

const told = (frames: string | undefined) =>
  [...(frames ?? "").matchAll(/^data: (.*)$/gm)].map(([, data]) => {
    const message = JSON.parse(data!) as FeedMessage;
    return message.type === "gone" ? `${message.run} gone` : `${message.line.run} ${message.line.status}`;
  });

test("begins with the runs as they stand, and then tells only what changes (1)", async () => {
  const runs = new Lines();
  runs.set("a", "running");
  runs.set("b", "waiting");
  const end = new AbortController();
  const frames = new Feed(runs.live).frames(end.signal);
  expect(told((await frames.next()).value!)).toEqual(["a running", "b waiting"]);
  const next = frames.next();
  await vi.advanceTimersByTimeAsync(2000);
  runs.set("a", "completed");
  await vi.advanceTimersByTimeAsync(600);
  expect(told((await next).value!)).toEqual(["a completed"]);
  end.abort();
  expect((await frames.next()).done).toBe(true);
});

test("tells of a run that was removed, and not of one that others have passed (4)", async () => {
  const runs = new Lines();
  for (const run of ["a", "b", "c"]) runs.set(run, "completed");
  const frames = new Feed(runs.live).frames(new AbortController().signal);
  await frames.next();
  const next = frames.next();
  runs.lines.delete("a");
  runs.lines.delete("b");
  runs.known.delete("b");
  await vi.advanceTimersByTimeAsync(600);
  expect(told((await next).value!)).toEqual(["b gone"]);
});

test("looks once for all listeners, and no more when the last one is gone (2)", async () => {
  const runs = new Lines();
  const feed = new Feed(runs.live);
  const ends = [new AbortController(), new AbortController(), new AbortController()];
  runs.set("a", "running");
  const all = ends.map(({ signal }) => feed.frames(signal));
  for (const frames of all) await frames.next();
  const waiting = all.map((frames) => frames.next());
  const before = runs.looks;
  await vi.advanceTimersByTimeAsync(5000);
  expect(runs.looks - before).toBe(10);
  for (const end of ends) end.abort();
  await Promise.all(waiting);
  await vi.advanceTimersByTimeAsync(1000);
  const after = runs.looks;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(runs.looks).toBe(after);
});

test("a listener who falls behind gets the latest line of a run, and not those in between (3)", async () => {
  const runs = new Lines();
  runs.set("a", "running");
  const end = new AbortController();
  const frames = new Feed(runs.live).frames(end.signal);
  await frames.next();
  for (const status of ["paused", "running", "failed"] as const) {
    runs.set("a", status);
    runs.set(status, "running");
    await vi.advanceTimersByTimeAsync(600);
  }
  expect(told((await frames.next()).value!)).toEqual([
    ...["a failed", "paused running", "running running", "failed running"],
  ]);
  end.abort();
  await frames.return();
});

test("says now and again that it is still there", async () => {
  const runs = new Lines();
  runs.set("a", "running");
  const end = new AbortController();
  const frames = new Feed(runs.live).frames(end.signal);
  await frames.next();
  const next = frames.next();
  await vi.advanceTimersByTimeAsync(16_000);
  expect((await next).value).toBe(": still here\n\n");
  end.abort();
  await frames.return();
});
