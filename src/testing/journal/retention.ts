/** Cases of journals that can forget: what is removed is gone, and nothing else is. */

import { strict as assert } from "node:assert";
import { runId, type TaskId } from "../../base/names.ts";
import type { RetainingJournal } from "../../run/journal.ts";
import { batchOf, conflicts, headOf, RUN, started, textOf, valuesOf } from "./batches.ts";

const [A, B] = [runId("a"), runId("b")];

export const retentionCases: Readonly<Record<string, (journal: RetainingJournal) => Promise<void>>> = {
  async "a removed run has no log, no head and no snapshot, and others keep theirs"(journal) {
    for (const run of [A, B]) {
      await journal.append(batchOf(0, ["x", "y"], { run, head: headOf(run) }));
      await journal.saveSnapshot(run, { seq: 2, state: {} });
    }
    await journal.remove([A, runId("never-there")]);
    assert.deepEqual(await journal.read(A, 0), []);
    assert.equal(await journal.head(A), undefined);
    assert.equal(await journal.snapshot(A), undefined);
    assert.equal(await journal.weight(A, 0), 0);
    assert.deepEqual(await valuesOf(journal, B), ["x", "y"]);
    assert.deepEqual(await journal.snapshot(B), { seq: 2, state: {} });
    assert.deepEqual(
      (await journal.runs()).map(({ run }) => run),
      [B],
    );
  },

  async "whoever still writes to a removed run is refused, and its id can be used again"(journal) {
    await journal.append(batchOf(0, ["old", "older"], { run: A }));
    await journal.remove([A]);
    await conflicts(journal, batchOf(2, ["late"], { run: A }));
    await journal.append(batchOf(0, ["new"], { run: A }));
    await journal.append(batchOf(1, ["newer"], { run: A }));
    assert.deepEqual(await valuesOf(journal, A), ["new", "newer"]);
  },

  async "runs that come after removed ones are runs of their own"(journal) {
    for (let round = 0; round < 5; round++) {
      const run = runId(`run-${round}`);
      await journal.append(batchOf(0, [round], { run, head: headOf(run) }));
      assert.deepEqual(await valuesOf(journal, run), [round]);
      if (round < 4) await journal.remove([run]);
    }
    assert.equal((await journal.runs()).length, 1);
  },

  async "a family is removed together"(journal) {
    const parent = { run: A, task: "1/spawn" as TaskId };
    await journal.append(started("a"));
    await journal.append(started("a/1/spawn", { parent }));
    await journal.remove([A, runId("a/1/spawn")]);
    assert.deepEqual(await journal.runs({ children: true }), []);
  },

  async "vacuum drops the texts that nothing refers to, and only those, and a dry run none"(journal) {
    const [own, shared, inner] = [textOf("1", "own"), textOf("2", "shared"), textOf("3", "inner")];
    const outer = textOf("4", `it holds ${inner.ref}`);
    const texts = [own, shared, inner, outer];
    await journal.append(batchOf(0, [own.ref, shared.ref], { run: A, texts }));
    await journal.append(batchOf(0, [`see ${shared.ref}`, { artifact: { ref: outer.ref } }], { run: B }));
    assert.equal((await journal.vacuum()).texts, 0);
    await journal.remove([A]);
    assert.equal(await journal.text(own.ref), own.text);
    const would = await journal.vacuum({ dryRun: true });
    assert.equal(await journal.text(own.ref), own.text);
    const { texts: dropped } = await journal.vacuum();
    assert.ok(dropped >= 1);
    assert.equal(would.texts, dropped);
    assert.equal(await journal.text(own.ref), undefined);
    for (const { ref, text } of [shared, inner, outer]) assert.equal(await journal.text(ref), text);
  },

  async "vacuum keeps every log as it is"(journal) {
    const long = "a text that is long enough to be stored apart ".repeat(400);
    for (let i = 0; i < 40; i++) await journal.append(batchOf(i * 2, [{ i, long }, `${i} ${long}`]));
    const before = await journal.read(RUN, 0);
    await journal.vacuum();
    assert.deepEqual(await journal.read(RUN, 0), before);
    await journal.append(batchOf(80, ["on"]));
    assert.deepEqual(await valuesOf(journal, RUN, 80), ["on"]);
  },
};

export const sharedRetentionCases: Readonly<
  Record<string, (one: RetainingJournal, other: RetainingJournal) => Promise<void>>
> = {
  async "a run that one removed is gone for the other, which cannot write to it"(one, other) {
    await one.append(batchOf(0, ["a", "b"], { run: A }));
    assert.deepEqual(await valuesOf(other, A), ["a", "b"]);
    await one.remove([A]);
    assert.deepEqual(await other.read(A, 0), []);
    await conflicts(other, batchOf(2, ["late"], { run: A }));
  },

  async "a run that was removed and begun again is the new one for both"(one, other) {
    await one.append(batchOf(0, ["old"], { run: A, head: headOf(A) }));
    assert.deepEqual(await valuesOf(other, A), ["old"]);
    await one.remove([A]);
    await one.append(batchOf(0, ["of b"], { run: B }));
    await other.append(batchOf(0, ["new"], { run: A, head: headOf(A) }));
    await one.append(batchOf(1, ["newer"], { run: A }));
    for (const journal of [one, other]) {
      assert.deepEqual(await valuesOf(journal, A), ["new", "newer"]);
      assert.deepEqual(await valuesOf(journal, B), ["of b"]);
    }
  },
};
