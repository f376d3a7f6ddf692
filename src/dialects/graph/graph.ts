/** A graph, once it is compiled: what its handlers, and those who run it, know about it. */

import type { ChannelName, NodeName } from "../../base/names.ts";
import type { ProgramName } from "../../kernel/event.ts";
import type { Plan } from "../../kernel/plan.ts";
import type { Program } from "../../kernel/program.ts";
import type { Cache } from "./cache.ts";
import type { Invocation } from "./config.ts";
import type { Branch } from "./draft.ts";
import type { FieldPlans } from "./fields.ts";
import type { CachePolicy, ErrorHandler, RetryPolicy, Timeout } from "./node-options.ts";
import type { Pulses } from "./route.ts";
import type { View } from "./view.ts";

export interface Graph {
  readonly id: ProgramName;
  readonly plan: Plan;
  readonly fields: FieldPlans;
  /** The fields that may be put in from outside. */
  readonly input: FieldPlans;
  readonly view: View;
  readonly nodes: ReadonlyMap<NodeName, GraphNode>;
  /** The names of the nodes, each with the pulse that makes the node run. */
  readonly names: Pulses;
  /** The conditional edges from START. */
  readonly entry: readonly Branch[];
  /** Where nodes that are cached keep their results. */
  readonly cache: Cache;
  /** The program with its nodes bound to what the caller of one run passes to them. */
  programFor(invocation: Invocation): Program;
}

/** One node of a compiled graph. */
export interface GraphNode {
  readonly name: NodeName;
  /** A function, or a compiled graph: `check.ts` lets nothing else pass. */
  readonly action: unknown;
  /** What it signals whenever it has finished. */
  readonly edges: readonly ChannelName[];
  readonly branches: readonly Branch[];
  /** The part of the state that it reads. */
  readonly view: View;
  readonly retryOn?: NonNullable<RetryPolicy["retryOn"]>;
  /** How often it is tried. */
  readonly maxAttempts: number;
  readonly timeout: Timeout | undefined;
  readonly cache: CachePolicy | undefined;
  readonly onError: ErrorHandler | undefined;
}

/** A compiled graph that serves as a node of another. */
export interface SubGraph {
  readonly graph: Graph;
}
