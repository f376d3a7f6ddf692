/** Cases of two journals open on one store, as two processes have it. */

import { strict as assert } from "node:assert";
import { runId } from "../../base/names.ts";
import type { Journal } from "../../run/journal.ts";
import { batchOf, conflicts, headOf, RUN, started, textOf, valuesOf } from "./batches.ts";

export const sharedCases: Readonly<Record<string, (one: Journal, other: Journal) => Promise<void>>> = {
  async "both see what either wrote"(one, other) {
    const text = textOf("1", "shared");
    await one.append(batchOf(0, ["a"], { texts: [text], head: headOf(RUN) }));
    await other.append(batchOf(1, ["b"]));
    await one.saveSnapshot(RUN, { seq: 2, state: { cells: [] } });
    for (const journal of [one, other]) {
      assert.deepEqual(await valuesOf(journal), ["a", "b"]);
      assert.equal(await journal.text(text.ref), "shared");
      assert.deepEqual(await journal.head(RUN), headOf(RUN));
      assert.equal((await journal.snapshot(RUN))?.seq, 2);
    }
  },

  async "of two writers that saw the same end, one wins"(one, other) {
    await one.append(batchOf(0, ["a"]));
    await valuesOf(other);
    await other.append(batchOf(1, ["b"]));
    await conflicts(one, batchOf(1, ["late"]));
    await one.append(batchOf(2, ["c"]));
    await conflicts(other, batchOf(2, ["late", "late"]));
    await conflicts(other, batchOf(4, ["early"]));
    assert.deepEqual(await valuesOf(other), ["a", "b", "c"]);
  },

  async "of two that start the same run, one wins"(one, other) {
    await one.append(started("same"));
    await conflicts(other, started("same"));
    await other.append(started("different"));
    await one.append(batchOf(1, ["on"], { run: runId("different") }));
    assert.deepEqual(await valuesOf(other, runId("different")), ["started", "on"]);
  },

  async "a long log that is handed over and back has no gap"(one, other) {
    const text = "x".repeat(700);
    let seq = 0;
    for (const [writer, count] of [
      [other, 50],
      [one, 1],
      [other, 150],
      [one, 250],
      [other, 250],
    ] as const) {
      for (const end = seq + count; seq < end; seq++) await writer.append(batchOf(seq, [`${seq} ${text}`]));
    }
    const wanted = Array.from({ length: seq }, (_, index) => `${index} ${text}`);
    for (const journal of [one, other]) assert.deepEqual(await valuesOf(journal), wanted);
  },

  async "a long log that two write to in turn has no gap"(one, other) {
    const text = "x".repeat(700);
    for (let seq = 0; seq < 800; seq++) {
      const [writer, rival] = seq % 3 === 0 ? [other, one] : [one, other];
      await writer.append(batchOf(seq, [`${seq} ${text}`]));
      if (seq % 7 === 0) await conflicts(rival, batchOf(seq, ["late"]));
    }
    for (const stale of [1, 100, 400, 799]) {
      for (const journal of [one, other]) await conflicts(journal, batchOf(stale, ["late"]));
    }
    for (const journal of [one, other]) {
      const values = await valuesOf(journal);
      assert.deepEqual(
        values,
        values.map((_, seq) => `${seq} ${text}`),
      );
      assert.equal(values.length, 800);
    }
  },
};
