/** A plan is what the kernel runs: channels, and the nodes that they trigger. It is plain JSON. */

import type { Json } from "../base/json.ts";
import type { ChannelName, NodeName } from "../base/names.ts";
import type { Patch } from "./patch.ts";

/**
 * When tasks commit. `step`: together, once every task of the superstep has settled (Pregel, Malewicz et al. 2010).
 * `turn`: each on its own as it settles, while others still run.
 */
export type Pace = "step" | "turn";

/** The part of a program that is data. It is recorded with the start of a run, and again when it is changed. */
export interface Plan {
  readonly name: string;
  readonly pace: Pace;
  readonly channels: Readonly<Record<ChannelName, ChannelSpec>>;
  /** In definition order, which is the order in which tasks of one step commit. */
  readonly nodes: Readonly<Record<NodeName, PlanNode>>;
  /** The pulses and gates that a start signals. */
  readonly entry: readonly ChannelName[];
  /** The channels that are the result of a run. */
  readonly output: readonly ChannelName[];
  readonly limits: Limits;
  /** What a failed task does: `stop` fails the run once its siblings have settled, `hold` blocks only its node. */
  readonly onFailure: "stop" | "hold";
  /** How the author drew it, for views; the kernel does not look. */
  readonly drawing?: Json;
}

export interface Limits {
  /** The most steps that one start or resume may open; none when absent. */
  readonly steps?: number;
  /** The most tasks that run at once; none when absent. */
  readonly concurrency?: number;
}

export interface PlanNode {
  /** Any of these makes the node run. Queues are emptied into the task. */
  readonly triggers: readonly ChannelName[];
  /** What the node may look at. */
  readonly reads: readonly ChannelName[];
  readonly attempts?: Attempts;
  /** Where the run pauses for a person to look. */
  readonly pause?: "before" | "after" | "both";
  /** Runs only when nothing else can. */
  readonly deferred?: boolean;
  /** What its tasks need for themselves: of the nodes with the same key, one at a time has an open task. */
  readonly exclusive?: string;
}

/** How often a failed task is tried; times are in milliseconds. */
export interface Attempts {
  readonly max: number;
  readonly initialInterval: number;
  readonly backoffFactor: number;
  readonly maxInterval: number;
  /** Shortens each wait by up to a half, drawn from the run, task and attempt. */
  readonly jitter: boolean;
}

/** Data channels hold values; `pulse` and `gate` carry control and are signalled by a task's route. */
export type ChannelSpec =
  /** The latest write; two writes in one commit conflict. */
  | { readonly kind: "last"; readonly initial?: Json }
  /** Every write folded in by a reducer of the program, in task order. */
  | { readonly kind: "fold"; readonly reducer: string; readonly initial?: Json }
  /** A write that is gone after the next commit. Guarded, two writes in one commit conflict; else the last stays. */
  | { readonly kind: "ephemeral"; readonly guard: boolean }
  /** Writes collected in a list (a written list adds its items), for one step or, accumulating, for good. */
  | { readonly kind: "topic"; readonly unique: boolean; readonly accumulate: boolean }
  /** An ordered inbox that the node it triggers consumes whole. */
  | { readonly kind: "queue" }
  /** Fires when signalled. */
  | { readonly kind: "pulse" }
  /** Fires once all of these nodes have signalled it, in one step or in several, and then arms again. */
  | { readonly kind: "gate"; readonly waitsFor: readonly NodeName[] };

/** What a plan says, turned around for look-ups; derived once per plan. */
export interface PlanIndex {
  readonly order: ReadonlyMap<NodeName, number>;
  /** The nodes that a channel triggers. */
  readonly listeners: ReadonlyMap<ChannelName, readonly NodeName[]>;
  /** The channels that hold values, and the place of each among them. */
  readonly data: readonly ChannelName[];
  readonly places: ReadonlyMap<ChannelName, number>;
  /** For each of them the patch that takes what was written. */
  readonly takes: ReadonlyMap<ChannelName, Patch>;
  /** The channels whose content lasts for one step. */
  readonly fleeting: readonly ChannelName[];
  readonly hasDeferred: boolean;
  readonly hasQueues: boolean;
  readonly hasExclusive: boolean;
  readonly hasPauses: boolean;
}

const CONTROL: ReadonlySet<ChannelSpec["kind"]> = new Set(["pulse", "gate"]);

const indexes = new WeakMap<Plan, PlanIndex>();
/** The one that was asked for last, which mostly is asked for next: comparing costs less than looking up. */
let latest: { readonly plan: Plan; readonly index: PlanIndex } | undefined;

/** Derives the index of a plan, once. */
export function indexOf(plan: Plan): PlanIndex {
  if (latest?.plan === plan) return latest.index;
  let index = indexes.get(plan);
  if (index === undefined) {
    index = deriveIndex(plan);
    indexes.set(plan, index);
  }
  latest = { plan, index };
  return index;
}

function deriveIndex(plan: Plan): PlanIndex {
  const order = new Map<NodeName, number>();
  const listeners = new Map<ChannelName, NodeName[]>();
  for (const [name, node] of Object.entries(plan.nodes)) {
    order.set(name, order.size);
    for (const channel of node.triggers) {
      const nodes = listeners.get(channel);
      if (nodes === undefined) listeners.set(channel, [name]);
      else nodes.push(name);
    }
  }
  const fleeting = Object.entries(plan.channels)
    .filter(([, spec]) => spec.kind === "ephemeral" || (spec.kind === "topic" && !spec.accumulate))
    .map(([name]) => name);
  const data = Object.keys(plan.channels).filter(
    (name) => !CONTROL.has(plan.channels[name]?.kind ?? "pulse"),
  );
  const takes = new Map(
    data.map((channel): [string, Patch] => [channel, { channel, op: "take", as: "set" }]),
  );
  const hasQueues = Object.values(plan.channels).some(({ kind }) => kind === "queue");
  const hasDeferred = Object.values(plan.nodes).some(({ deferred }) => deferred);
  const hasExclusive = Object.values(plan.nodes).some(({ exclusive }) => exclusive !== undefined);
  const hasPauses = Object.values(plan.nodes).some(({ pause }) => pause !== undefined);
  const places = new Map(data.map((name, place) => [name, place]));
  return { order, listeners, data, places, takes, fleeting, hasDeferred, hasQueues, hasExclusive, hasPauses };
}
