/** What the cases append: events that say little, and the questions that they ask of every journal. */

import { strict as assert } from "node:assert";
import type { Json } from "../../base/json.ts";
import { type RunId, runId, type TaskId } from "../../base/names.ts";
import type { Event } from "../../kernel/event.ts";
import { type Batch, Conflict, type Journal, type RunHead, type StoredText } from "../../run/journal.ts";

export const RUN: RunId = runId("conformance-1");

/** One event that carries a value. Times differ, as they do in a log that was held back. */
export function noted(run: RunId, seq: number, data: Json = seq): Event {
  return { type: "task.noted", task: "1/node" as TaskId, kind: "test", data, run, seq, at: timeOf(seq) };
}

/** A batch of events that carry these values, after what the writer knows. */
export function batchOf(after: number, values: readonly Json[], more: Partial<Batch> = {}): Batch {
  const { run = RUN } = more;
  const events = values.map((value, index) => noted(run, after + index + 1, value));
  return { run, after, events, texts: [], ...more };
}

/** A batch that starts a run and gives it a head. */
export function started(name: string, more: Partial<RunHead> = {}): Batch {
  const run = runId(name);
  return batchOf(0, ["started"], { run, head: headOf(run, more) });
}

export function headOf(run: RunId, more: Partial<RunHead> = {}): RunHead {
  const program = { dialect: "test", name: "program", revision: "1" };
  return { run, program, status: "running", startedAt: timeOf(1), updatedAt: timeOf(1), ...more };
}

export function textOf(ref: string, text: string): StoredText {
  return { ref: `sha256:${ref.padStart(64, "0")}`, text };
}

/** The values of a log after a sequence number, once its events are seen to be numbered without gaps. */
export async function valuesOf(journal: Journal, run: RunId = RUN, after: number = 0): Promise<Json[]> {
  const events = await journal.read(run, after);
  assert.deepEqual(
    events.map((event) => [event.run, event.seq]),
    events.map((_, index) => [run, after + index + 1]),
  );
  return events.map((event) => (event.type === "task.noted" ? event.data : event.type));
}

/** Appends, and demands that the journal says somebody else was first. */
export async function conflicts(journal: Journal, batch: Batch): Promise<void> {
  await assert.rejects(async () => journal.append(batch), Conflict);
}

function timeOf(seq: number): number {
  return 1_700_000_000_000 + Math.floor(seq / 2);
}
