/** Cases of appending and reading: order, the lock, all or nothing. */

import { strict as assert } from "node:assert";
import { runId } from "../../base/names.ts";
import { Conflict, type Journal } from "../../run/journal.ts";
import { batchOf, conflicts, headOf, noted, RUN, textOf, valuesOf } from "./batches.ts";

export const appendCases: Readonly<Record<string, (journal: Journal) => Promise<void>>> = {
  async "a run that was never written to has an empty log"(journal) {
    assert.deepEqual(await journal.read(RUN, 0), []);
    assert.deepEqual(await journal.read(RUN, 7), []);
    assert.equal(await journal.head(RUN), undefined);
    assert.equal(await journal.snapshot(RUN), undefined);
    assert.equal(await journal.weight(RUN, 0), 0);
  },

  async "events come back whole, in order, with run, number and time"(journal) {
    const events = [1, 2, 3, 4, 5].map((seq) => noted(RUN, seq, { seq }));
    await journal.append({ run: RUN, after: 0, events: events.slice(0, 2), texts: [] });
    await journal.append({ run: RUN, after: 2, events: events.slice(2), texts: [] });
    assert.deepEqual(await journal.read(RUN, 0), events);
  },

  async "reading begins after a number and ends at a limit"(journal) {
    for (const after of [0, 3, 6]) await journal.append(batchOf(after, [after + 1, after + 2, after + 3]));
    const all = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    for (const after of [0, 1, 2, 3, 8, 9, 10]) {
      for (const limit of [0, 1, 2, 4, 100, Number.POSITIVE_INFINITY]) {
        const read = await journal.read(RUN, after, limit);
        const wanted = all.slice(after, after + limit);
        assert.deepEqual(
          read.map(({ seq }) => seq),
          wanted,
          `after ${after}, at most ${limit}`,
        );
      }
    }
  },

  async "a writer that has not seen the end conflicts, and nothing of its append is kept"(journal) {
    await journal.append(batchOf(0, ["a", "b"]));
    const text = textOf("1", "not to be kept");
    const head = headOf(RUN);
    for (const after of [0, 1, 3, 100]) {
      await conflicts(journal, batchOf(after, ["stale"], { texts: [text], head }));
    }
    assert.deepEqual(await valuesOf(journal), ["a", "b"]);
    assert.equal(await journal.text(text.ref), undefined);
    assert.equal(await journal.head(RUN), undefined);
    await journal.append(batchOf(2, ["c"]));
    assert.deepEqual(await valuesOf(journal), ["a", "b", "c"]);
  },

  async "a log begins at the beginning"(journal) {
    await conflicts(journal, batchOf(1, ["late"]));
    assert.deepEqual(await valuesOf(journal), []);
    await journal.append(batchOf(0, ["first"]));
    assert.deepEqual(await valuesOf(journal), ["first"]);
  },

  async "a conflict names its run"(journal) {
    await journal.append(batchOf(0, ["a"]));
    await assert.rejects(
      async () => journal.append(batchOf(0, ["b"])),
      (error) => error instanceof Conflict && error.run === RUN && error.message.includes(RUN),
    );
  },

  async "what was read does not change when the log goes on"(journal) {
    await journal.append(batchOf(0, ["a"]));
    const before = await journal.read(RUN, 0);
    await journal.append(batchOf(1, ["b"]));
    assert.equal(before.length, 1);
  },

  async "runs do not touch each other"(journal) {
    const names = ["a", "A", "a/1", "a%", "b", "ä"].map((name) => `${RUN}/${name}`.replace("%", "~"));
    const runs = names.map(runId);
    for (const round of [0, 1, 2]) {
      for (const run of runs) await journal.append(batchOf(round, [`${run}:${round}`], { run }));
    }
    for (const run of runs) {
      assert.deepEqual(
        await valuesOf(journal, run),
        [0, 1, 2].map((round) => `${run}:${round}`),
      );
    }
  },

  async "a batch of 10,000 events is one append"(journal) {
    const values = Array.from({ length: 10_000 }, (_, index) => index);
    await journal.append(batchOf(0, values));
    assert.deepEqual(await valuesOf(journal), values);
    assert.deepEqual(await valuesOf(journal, RUN, 9990), values.slice(9990));
    assert.deepEqual(
      (await journal.read(RUN, 4321, 3)).map(({ seq }) => seq),
      [4322, 4323, 4324],
    );
    await conflicts(journal, batchOf(5000, ["stale"]));
    await journal.append(batchOf(10_000, ["next"]));
    assert.deepEqual(await valuesOf(journal, RUN, 10_000), ["next"]);
  },

  async "a log of many appends reads the same from anywhere"(journal) {
    const text = "x".repeat(500);
    const count = 600;
    for (let i = 0; i < count; i++) await journal.append(batchOf(i, [`${i} ${text}`]));
    for (const after of [0, 1, 127, 128, 299, 598, 599, 600]) {
      const values = await valuesOf(journal, RUN, after);
      assert.equal(values.length, count - after);
      assert.equal(values[0], after === count ? undefined : `${after} ${text}`);
    }
    for (const after of [0, 1, 300, 599, 601]) await conflicts(journal, batchOf(after, ["stale"]));
  },

  async "weight is what is left to read"(journal) {
    for (let i = 0; i < 20; i++) await journal.append(batchOf(i, ["x".repeat(i)]));
    const weights = await Promise.all([0, 5, 10, 15, 20, 25].map((after) => journal.weight(RUN, after)));
    const falling = [...weights].sort((a, b) => b - a);
    assert.deepEqual(weights, falling);
    assert.deepEqual(weights.slice(-2), [0, 0]);
  },
};
