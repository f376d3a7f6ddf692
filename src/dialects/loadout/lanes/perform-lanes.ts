/**
 * The visit of a parallel loop: all its items are worked on in lanes, and what they did is brought together.
 *
 * 1. A lane is a child run. What a finished one leaves is recorded, and it is never run again.
 * 2. Every lane comes to its own stop before the loop does: questions first, then pauses, then failures.
 * 3. A failed lane is tried again when the loop is, and not because another one got its answer.
 * 4. Rework of the loop is told to its first item, which is the one that it came back for.
 * 5. State, context and usage are folded in the order of the items, and so are the files that lanes changed.
 */

import { type Failure, failure } from "../../../base/failure.ts";
import type { Json, JsonObject } from "../../../base/json.ts";
import type { ChildResult, Outcome, TaskContext } from "../../../kernel/program.ts";
import { CONTEXT, scopeOf } from "../channels.ts";
import type { Chart, Circuit, Place } from "../chart.ts";
import { done, restartLoops, settleScopes } from "../conclude.ts";
import { takeExit } from "../onward.ts";
import { parseObject } from "../parse.ts";
import type { LoadoutServices } from "../ports.ts";
import { type Rework, reworkOf } from "../scope.ts";
import { type Perform, type Performed, stoppedByDriver } from "../socket.ts";
import type { Item, Visit } from "../visit.ts";
import { folderIn, type Ground, groundFor, sealedIn, type Work } from "./ground.ts";
import { Integration } from "./integration.ts";
import { laneDefinition, laneState, laneWrites, mayWrite } from "./lane.ts";
import { type Compile, laneProgram, Purse } from "./lane-program.ts";
import {
  againKey,
  changesOf,
  foldLanes,
  hasAdvanced,
  type LaneRecord,
  recordKey,
  spentOf,
} from "./lane-record.ts";
import { pooled } from "./pooled.ts";

export interface LanesParts {
  readonly chart: Chart;
  readonly place: Place;
  readonly loop: Circuit;
  readonly services: LoadoutServices;
  readonly compile: Compile;
}

export function performLanes(parts: LanesParts): Perform {
  return (visit, context) => new Lanes(parts, visit, context).perform();
}

/** A lane that is done, or why it is not. */
type LaneEnd =
  | { readonly kind: "done"; readonly item: Item; readonly record: LaneRecord }
  | { readonly kind: "stopped"; readonly item: Item; readonly outcome: Outcome };

class Lanes {
  readonly #parts: LanesParts;
  readonly #visit: Visit;
  readonly #context: TaskContext;
  readonly #definition: ReturnType<typeof laneDefinition>;
  readonly #purse: Purse;

  constructor(parts: LanesParts, visit: Visit, context: TaskContext) {
    const { chart, loop, place } = parts;
    this.#parts = parts;
    this.#visit = visit;
    this.#context = context;
    this.#definition = laneDefinition(chart, loop, place.id);
    this.#purse = new Purse(visit);
  }

  async perform(): Promise<Performed> {
    const { services, loop } = this.#parts;
    const ground = await this.#ground(services);
    if (ground.kind === "none") return this.#refuse(ground.why);
    const items = this.#items();
    for (const { key } of items) {
      for (const lane of [key, againKey(key)]) this.#purse.tell(lane, spentOf(this.#recorded(lane)?.usage));
    }
    const most = loop.parallel?.maxConcurrency ?? 1;
    const ends = await pooled(items, most, (item) => this.#lane(item, ground));
    if (this.#context.signal.aborted) return stoppedByDriver("the lanes were");
    const stopped = ends.flatMap((end) => (end.kind === "stopped" ? [end] : []));
    if (stopped.length > 0) return { kind: "stopped", outcome: this.#together(stopped, ground) };
    const records = ends.flatMap((end) => (end.kind === "done" ? [end] : []));
    return ground.kind === "shared" ? this.#finish(records) : this.#integrate(records, ground);
  }

  async #ground(services: LoadoutServices): Promise<Ground> {
    return mayWrite(this.#definition) ? groundFor(services, this.#context) : { kind: "shared" };
  }

  #refuse(why: string): Performed {
    const { id } = this.#parts.loop;
    const message = `The lanes of loop ${id} may write files, so each needs a worktree of its own. ${why} Then resume the run: it goes on with this loop.`;
    return { kind: "stopped", outcome: { kind: "held", reason: "no_worktree", message } };
  }

  /** The items from the one in hand to the last. */
  #items(): Item[] {
    const list = this.#visit.listOf(this.#parts.loop) as readonly Json[]; // a loop without a list is passed by
    const first = this.#visit.item?.index ?? 0;
    return list.slice(first).map((_, offset) => this.#visit.itemAt(this.#parts.loop, first + offset) as Item);
  }

  #recorded(lane: string): LaneRecord | undefined {
    return this.#context.recall(recordKey(lane)) as LaneRecord | undefined; // written under this key alone
  }

  /** Has one item worked on, or takes what it left (1). */
  async #lane(item: Item, ground: Work): Promise<LaneEnd> {
    const context = this.#context;
    const known = this.#recorded(item.key);
    if (known !== undefined) return { kind: "done", item, record: known };
    const failedKey = `failed:${context.attempt}:${item.key}`;
    const why = context.recall(failedKey) as unknown as Failure | undefined; // written below
    if (why !== undefined) return { kind: "stopped", item, outcome: { kind: "failed", failure: why } };
    if (context.signal.aborted) return { item, ...stoppedByDriver("the lanes were") };
    const folder = await folderIn(ground, item);
    if (!folder.ok) return { kind: "stopped", item, outcome: folder.outcome };
    const { outcome, record } = await this.run(item, { key: item.key, cwd: folder.value });
    if (record !== undefined) {
      const sealed = await sealedIn(ground, item);
      if (!sealed.ok) return { kind: "stopped", item, outcome: sealed.outcome };
      const commit = sealed.value;
      const left = await context.once(recordKey(item.key), () => ({ ...record, commit }));
      return { kind: "done", item, record: left };
    }
    if (outcome.kind === "failed" && !context.signal.aborted) {
      await context.once(failedKey, () => ({ ...outcome.failure }) as unknown as JsonObject); // (3)
    }
    return { kind: "stopped", item, outcome };
  }

  /** Runs the sockets of the loop for an item, as a child under a key, to its end or as far as it gets. */
  async run(
    item: Item,
    {
      key,
      cwd,
      rework,
    }: { readonly key: string; readonly cwd: string | undefined; readonly rework?: Rework },
  ): Promise<
    | { readonly record: Omit<LaneRecord, "commit">; readonly outcome?: never }
    | { readonly outcome: Outcome; readonly record?: never }
  > {
    const { loop, place, services, compile } = this.#parts;
    const parts = { services, compile, loop: loop.id, lane: key, purse: this.#purse, cwd };
    const program = laneProgram({ definition: this.#definition, ...parts });
    const isFirst = item.index === this.#visit.item?.index;
    const open = isFirst ? reworkOf(this.#visit.scope(loop), place.id) : [];
    const start = { item, entry: place.id, rework: rework === undefined ? open : [rework], isFirst };
    const writes = laneWrites(this.#visit, loop, start);
    const child = await this.#context.child({ key, program, writes });
    if (child.kind === "stopped") return { outcome: child.outcome };
    this.#purse.tell(key, spentOf(child.output["usage"]));
    if (!hasAdvanced(child.output, scopeOf(loop.id))) return { outcome: stuck(item, loop, child) };
    const before = { state: laneState(this.#visit, loop), context: this.#visit.read(CONTEXT) };
    const changes = changesOf(child.output, before);
    return { record: { run: child.run, ...changes, satisfied: await this.#saidBy(changes.last) } };
  }

  /** Whether the socket that advanced the item said that it is as it should be. */
  async #saidBy(last: LaneRecord["last"]): Promise<boolean | null> {
    const place = last === null ? undefined : this.#parts.chart.places.get(last.socket);
    if (last === null || place?.contract.parse !== "json") return null;
    const parsed = parseObject((await this.#context.fetch(last.ref)) ?? "");
    const satisfied = parsed.ok ? parsed.value["satisfied"] : undefined;
    return typeof satisfied === "boolean" ? satisfied : null;
  }

  /** What the loop comes to when not all lanes are done (2). */
  #together(stopped: readonly (LaneEnd & { kind: "stopped" })[], ground: Ground): Outcome {
    const questions = stopped.flatMap(({ outcome }) => (outcome.kind === "asks" ? outcome.questions : []));
    if (questions.length > 0) return { kind: "asks", questions };
    const held = stopped.find(({ outcome }) => outcome.kind === "held");
    if (held !== undefined) return held.outcome;
    const failures = stopped.flatMap(({ item, outcome }) =>
      outcome.kind === "failed" ? [{ item, why: outcome.failure }] : [],
    );
    const told = failures.map(({ item, why }) => `${item.key} (${item.label}): ${why.message}`);
    const kept = ground.kind === "worktrees" ? " The work of all lanes is kept in their worktrees." : "";
    const { id } = this.#parts.loop;
    const message = `${failures.length} of the lanes of loop ${id} failed.${kept} ${told.join(" ")}`;
    const detail = {
      lanes: failures.map(({ item, why }) => ({
        ...{ item: item.key, code: why.code, message: why.message },
        ...(ground.kind === "worktrees" && { folder: ground.tree(item.key).folder }),
      })),
    };
    return {
      kind: "failed",
      failure: failure("child_failed", message, { at: this.#parts.place.id, detail }),
    };
  }

  /** Brings the files together, in the order of the items (5). */
  async #integrate(
    ends: readonly (LaneEnd & { kind: "done" })[],
    ground: Extract<Ground, { kind: "worktrees" }>,
  ): Promise<Performed> {
    const { visit, context } = { visit: this.#visit, context: this.#context };
    const integration = new Integration({ lanes: this, ground, visit, context });
    const integrated = await integration.perform(ends);
    if (integrated.kind === "stopped") return integrated;
    return this.#finish(
      ends.map((end, index) => ({ ...end, record: integrated.records[index] ?? end.record })),
    );
  }

  /** Leaves the loop as its last item does. */
  #finish(ends: readonly (LaneEnd & { kind: "done" })[]): Performed {
    const { chart, loop } = this.#parts;
    const visit = this.#visit;
    const records = ends.map(({ record }) => record);
    foldLanes(visit, records);
    settleScopes(visit);
    restartLoops(
      chart,
      visit,
      records.flatMap(({ state }) => Object.keys(state)),
    );
    visit.resetScope(loop, 0);
    const { item, record } = ends.at(-1) as LaneEnd & { kind: "done" }; // a loop without items is passed by
    visit.note("advanced", { loop: loop.id, item: item.key, left: 0 });
    const from = record.last?.socket ?? loop.advancer;
    const outcome = done(visit, takeExit(chart, visit, loop, record.satisfied ?? undefined, from));
    return { kind: "stopped", outcome };
  }
}

/** A lane that ended before it advanced: no edge of a member matched what it said. */
function stuck(item: Item, loop: Circuit, { run }: ChildResult): Outcome {
  const message = `${item.key} (${item.label}) came to its end in loop ${loop.id} without advancing: no edge led on. Look at run ${run}.`;
  return { kind: "failed", failure: failure("child_failed", message) };
}
