/** Cases of heads and snapshots: what a list of runs shows, and the cache that makes loading cheap. */

import { strict as assert } from "node:assert";
import { runId, type TaskId } from "../../base/names.ts";
import type { Journal, RunFilter } from "../../run/journal.ts";
import { batchOf, headOf, RUN, started, valuesOf } from "./batches.ts";

export const listCases: Readonly<Record<string, (journal: Journal) => Promise<void>>> = {
  async "a head comes back as it was given, and stays until it is given again"(journal) {
    const head = headOf(RUN, { status: "paused", reason: "interrupt_before", startedAt: 1, updatedAt: 2 });
    await journal.append(batchOf(0, ["a"], { head }));
    await journal.append(batchOf(1, ["b"]));
    assert.deepEqual(await journal.head(RUN), head);
    const later = headOf(RUN, { status: "completed" });
    await journal.append(batchOf(2, ["c"], { head: later }));
    assert.deepEqual(await journal.head(RUN), later);
    assert.deepEqual(await journal.runs(), [later]);
  },

  async "a run without a head is in no list"(journal) {
    await journal.append(batchOf(0, ["a"]));
    assert.deepEqual(await journal.runs({ children: true }), []);
  },

  async "runs are listed last changed first, whatever their times say"(journal) {
    for (const [index, name] of ["a", "b", "c"].entries()) {
      await journal.append(started(name, { updatedAt: 100 - index }));
    }
    assert.deepEqual(await names(journal), ["c", "b", "a"]);
    const run = runId("a");
    await journal.append(batchOf(1, ["on"], { run, head: headOf(run, { status: "failed", updatedAt: 0 }) }));
    assert.deepEqual(await names(journal), ["a", "c", "b"]);
    const other = runId("b");
    await journal.append(batchOf(1, ["on"], { run: other }));
    assert.deepEqual(await names(journal), ["a", "c", "b"]);
  },

  async "runs are found by status, by prefix, and at most so many"(journal) {
    for (const [index, name] of ["x1", "x2", "y1", "y2", "y3"].entries()) {
      await journal.append(started(name, { status: index % 2 === 0 ? "waiting" : "running" }));
    }
    assert.deepEqual(await names(journal, { status: "waiting" }), ["y3", "y1", "x1"]);
    assert.deepEqual(await names(journal, { status: "cancelled" }), []);
    assert.deepEqual(await names(journal, { prefix: "y" }), ["y3", "y2", "y1"]);
    assert.deepEqual(await names(journal, { prefix: "x", status: "running" }), ["x2"]);
    assert.deepEqual(await names(journal, { limit: 2 }), ["y3", "y2"]);
    assert.deepEqual(await names(journal, { limit: 0 }), []);
    assert.deepEqual(await names(journal, { prefix: "" }), ["y3", "y2", "y1", "x2", "x1"]);
  },

  async "a prefix is taken literally"(journal) {
    for (const name of ["a_b", "aXb", "A_b", "ä_b", "a~b"]) await journal.append(started(name));
    assert.deepEqual(await names(journal, { prefix: "a_" }), ["a_b"]);
    assert.deepEqual(await names(journal, { prefix: "ä" }), ["ä_b"]);
    for (const prefix of ["%", "_", "a%", "a*", "a?", "[a]", "'", "\\"]) {
      assert.deepEqual(await names(journal, { prefix }), [], prefix);
    }
  },

  async "children are listed when asked for, with their parents"(journal) {
    const parent = { run: runId("p"), task: "1/spawn" as TaskId };
    await journal.append(started("p"));
    await journal.append(started("p/1/spawn", { parent }));
    assert.deepEqual(await names(journal), ["p"]);
    assert.deepEqual(await names(journal, { children: true }), ["p/1/spawn", "p"]);
    assert.deepEqual((await journal.head(runId("p/1/spawn")))?.parent, parent);
  },

  async "many runs are listed and read"(journal) {
    const all = Array.from({ length: 1000 }, (_, index) => `run-${index}`);
    for (const name of all) await journal.append(started(name));
    assert.deepEqual(await names(journal), all.toReversed());
    assert.deepEqual(await valuesOf(journal, runId("run-500")), ["started"]);
  },

  async "a snapshot is replaced by the next one"(journal) {
    await journal.append(batchOf(0, ["a", "b"]));
    await journal.saveSnapshot(RUN, { seq: 1, state: { cells: [["a", "\u0000 ä"]] } });
    assert.deepEqual(await journal.snapshot(RUN), { seq: 1, state: { cells: [["a", "\u0000 ä"]] } });
    const state = { ...(JSON.parse('{"__proto__":1}') as object), cells: [] };
    await journal.saveSnapshot(RUN, { seq: 2, state });
    assert.deepEqual(await journal.snapshot(RUN), { seq: 2, state });
    assert.equal(await journal.snapshot(runId("other")), undefined);
    assert.deepEqual(await valuesOf(journal), ["a", "b"]);
  },
};

async function names(journal: Journal, filter?: RunFilter): Promise<string[]> {
  return (await journal.runs(filter)).map(({ run }) => run);
}
