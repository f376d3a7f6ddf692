/**
 * Integration brings the files of finished lanes together: in a worktree of its own, one lane after the other in the
 * order of their items, and at the end into the person's folder.
 *
 * 1. What was merged is recorded, and merging again changes nothing, so it may be cut off anywhere.
 * 2. A lane that conflicts gets its item back once, with the conflict in its files; after that a person decides.
 * 3. What is not merged stays where it is, and the result names it.
 */

import type { Worktree } from "../../../agent/worktree.ts";
import type { Json } from "../../../base/json.ts";
import type { Outcome, TaskContext } from "../../../kernel/program.ts";
import { sayingOf } from "../../saying.ts";
import { addSpent } from "../channels.ts";
import type { Rework } from "../scope.ts";
import type { Item, Visit } from "../visit.ts";
import type { Ground } from "./ground.ts";
import { againKey, type LaneRecord, recordKey } from "./lane-record.ts";

export interface IntegrationParts {
  readonly lanes: Runner;
  readonly ground: Extract<Ground, { kind: "worktrees" }>;
  readonly visit: Visit;
  readonly context: TaskContext;
}

/** Runs an item again. */
interface Runner {
  run(
    item: Item,
    how: { readonly key: string; readonly cwd: string; readonly rework: Rework },
  ): Promise<{ readonly record?: Omit<LaneRecord, "commit">; readonly outcome?: Outcome }>;
}

interface Done {
  readonly item: Item;
  readonly record: LaneRecord;
}

type Stopped = { readonly kind: "stopped"; readonly outcome: Outcome };

/** What became of a lane's work, and how many answers of people were used up by then. */
type Merge = { readonly how: "merged" | "left"; readonly answers: number };

export class Integration {
  readonly #parts: IntegrationParts;
  readonly #join: Worktree;
  #answers: number = 0;

  constructor(parts: IntegrationParts) {
    this.#parts = parts;
    this.#join = parts.ground.tree("join");
  }

  /** The records of all lanes, with what rework added to them. */
  async perform(
    ends: readonly Done[],
  ): Promise<Stopped | { readonly kind: "done"; readonly records: readonly LaneRecord[] }> {
    const { ground } = this.#parts;
    const changed = ends.filter(({ record }) => record.commit !== null);
    if (changed.length > 0) await ground.worktrees.open(this.#join);
    for (const end of changed) {
      const stopped = await this.#lane(end);
      if (stopped !== undefined) return stopped;
    }
    const unlanded = await this.#land(changed.length > 0);
    if (unlanded !== undefined) return unlanded;
    await this.#close(ends, changed.length > 0);
    return { kind: "done", records: ends.map((end) => this.#recordOf(end)) };
  }

  #recordOf({ item, record }: Done): LaneRecord {
    const again = this.#again(item);
    if (again === undefined) return record;
    const context = [...record.context, ...again.context];
    const usage = addSpent(record.usage, again.usage);
    return { ...again, state: { ...record.state, ...again.state }, context, usage };
  }

  #again({ key }: Item): LaneRecord | undefined {
    return this.#parts.context.recall(recordKey(againKey(key))) as LaneRecord | undefined; // written by `#rework`
  }

  /** Merges one lane; returns why the loop has to stop before it is. */
  async #lane(end: Done): Promise<Stopped | undefined> {
    const { context } = this.#parts;
    const { key } = end.item;
    const known = context.recall(`merged:${key}`) as Merge | undefined; // written by `#settle`
    if (known !== undefined) {
      this.#answers = known.answers;
      return undefined;
    }
    if (await this.#merge(end.item, this.#again(end.item)?.commit ?? end.record.commit)) {
      return this.#settle(end.item, "merged");
    }
    if (this.#again(end.item) === undefined && context.recall(`gaveUp:${key}`) === undefined) {
      const worked = await this.#rework(end);
      if (worked.kind === "stopped") return worked;
      if (worked.commit !== null && (await this.#merge(end.item, worked.commit))) {
        return this.#settle(end.item, "merged");
      }
    }
    return this.#decide(end.item);
  }

  async #merge({ key, label }: Item, commit: string | null): Promise<boolean> {
    if (commit === null) return true;
    const { worktrees } = this.#parts.ground;
    return (await worktrees.merge(this.#join, commit, `Merge ${key}: ${label}`)).kind === "merged";
  }

  async #settle({ key }: Item, how: Merge["how"]): Promise<undefined> {
    await this.#parts.context.once(`merged:${key}`, () => ({ how, answers: this.#answers }));
    return undefined;
  }

  /** Gives the item back to its lane, which finds the conflict in its files (2). */
  async #rework({
    item,
  }: Done): Promise<Stopped | { readonly kind: "done"; readonly commit: string | null }> {
    const { lanes, ground, context, visit } = this.#parts;
    const tree = ground.tree(item.key);
    const cwd = await ground.worktrees.open(tree);
    const brought = await ground.worktrees.bring(tree, this.#join);
    const files = brought.kind === "conflict" ? brought.files.join(", ") : "none that are left";
    const reason = `What was done here conflicts with the work on earlier items. The conflicts stand in these files: ${files}. Resolve them so that both hold.`;
    const rework: Rework = {
      ...{ from: visit.place.id, label: "Integration", item: item.key },
      ...{ condition: "not_satisfied", reason },
    };
    visit.note("rework", { to: visit.place.id, reason, item: item.key });
    const { record, outcome } = await lanes.run(item, { key: againKey(item.key), cwd, rework });
    if (record === undefined) {
      const isOver = outcome?.kind === "failed" && !context.signal.aborted;
      if (!isOver) return { kind: "stopped", outcome: outcome as Outcome }; // one of the two is always there
      await context.once(`gaveUp:${item.key}`, () => true);
      return { kind: "done", commit: null };
    }
    const sealed = await ground.worktrees.seal(
      tree,
      `${item.label}\n\nResolves conflicts with earlier items.`,
    );
    const commit = sealed.kind === "sealed" ? sealed.commit : null;
    await context.once(recordKey(againKey(item.key)), () => ({ ...record, commit }));
    return { kind: "done", commit };
  }

  /** Has a person decide: resolved in the lane's folder, or left out. */
  async #decide(item: Item): Promise<Stopped | undefined> {
    const { context, ground } = this.#parts;
    const { worktrees } = ground;
    const tree = ground.tree(item.key);
    while (this.#answers < context.answers.length) {
      const approved = sayingOf("approval", context.answers[this.#answers++])?.approved === true;
      if (!approved) return this.#settle(item, "left");
      const sealed = await worktrees.seal(tree, `${item.label}\n\nResolves conflicts with earlier items.`);
      if (sealed.kind === "sealed" && (await this.#merge(item, sealed.commit)))
        return this.#settle(item, "merged");
    }
    await worktrees.open(tree);
    const brought = await worktrees.bring(tree, this.#join);
    const files = brought.kind === "conflict" ? brought.files : [];
    return {
      kind: "stopped",
      outcome: { kind: "asks", questions: [{ value: this.#question(item, files) }] },
    };
  }

  #question({ key, label }: Item, files: readonly string[]): Json {
    const { ground, visit } = this.#parts;
    const { folder, branch } = ground.tree(key);
    const title = `${key} (${label}) conflicts with earlier items. Resolve the files in its folder and approve; deny to leave its work out, on its branch.`;
    const { id, label: name } = visit.place;
    return { kind: "approval", title, args: { folder, branch, files }, node: id, label: name, item: label };
  }

  async #land(isNeeded: boolean): Promise<Stopped | undefined> {
    const { ground, context } = this.#parts;
    if (!isNeeded || context.recall(LANDED) !== undefined) return undefined;
    const landed = await ground.worktrees.land(this.#join);
    if (!landed.ok) {
      const message = `The work of all lanes is merged on branch ${this.#join.branch}, and your folder cannot take it. ${landed.why} Then resume the run.`;
      return { kind: "stopped", outcome: { kind: "held", reason: "not_landed", message } };
    }
    await context.once(LANDED, () => true);
    return undefined;
  }

  /** Removes what has landed, and names what has not (3). */
  async #close(ends: readonly Done[], hasJoin: boolean): Promise<void> {
    const { ground, visit } = this.#parts;
    for (const { item } of ends) {
      const tree = ground.tree(item.key);
      if (await ground.worktrees.close(tree)) continue;
      const message = `The work on ${item.key} (${item.label}) is not merged. It is kept in ${tree.folder}, on branch ${tree.branch}.`;
      visit.warn("unmerged_work", message);
    }
    if (hasJoin) await ground.worktrees.close(this.#join);
  }
}

export const LANDED = "lanes:landed";
