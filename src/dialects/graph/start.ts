/** A start is what a run of a graph begins with: its first values, its input, and where its entries lead. */

import { messageOf } from "../../base/failure.ts";
import type { ChannelName } from "../../base/names.ts";
import type { Send, Write } from "../../kernel/event.ts";
import { adoptPlan, emptyState, type RunState, snapshotOf } from "../../kernel/state.ts";
import type { PathConfig } from "./config.ts";
import { GraphError } from "./errors.ts";
import type { Graph } from "./graph.ts";
import { START } from "./names.ts";
import { follow, RouteBuilder } from "./route.ts";
import { seal } from "./values.ts";

export interface Start {
  readonly writes: readonly Write[];
  /** What to signal besides the plan's entry. */
  readonly route: readonly ChannelName[];
  readonly sends: readonly Send[];
}

const NOWHERE: readonly never[] = [];

/** The start of a run on top of the state that it has, which may be that of an empty log. */
export function planStart(
  graph: Graph,
  state: RunState,
  { input, config }: { readonly input: readonly Write[]; readonly config: PathConfig },
): Start | Promise<Start> {
  const writes = state.status === "new" ? [...firstValues(graph, input), ...input] : input;
  if (graph.entry.length === 0) return { writes, route: NOWHERE, sends: NOWHERE };
  const builder = new RouteBuilder(graph.names, START, NOWHERE);
  const snapshot = snapshotOf(state.status === "new" ? freshState(graph, state) : state);
  const done = (): Start => ({ writes, route: builder.route, sends: builder.sends });
  const { configurable, context } = config;
  const seen = { configurable, context };
  const waiting = follow(graph.entry, builder, [graph.view.after(snapshot, writes), seen]);
  return waiting === undefined ? done() : waiting.then(done);
}

/** The values that are made anew for each run. */
function firstValues(graph: Graph, input: readonly Write[]): Write[] {
  const writes: Write[] = [];
  for (const { name, spec, makeDefault } of graph.fields.values()) {
    if (makeDefault === undefined) continue;
    if (spec.kind !== "fold" && input.some(({ channel }) => channel === name)) continue;
    const value = firstValue(name, makeDefault);
    if (value === undefined) continue;
    writes.push({ channel: name, value: seal(value, `The default of ${name}`), overwrite: true });
  }
  return writes;
}

function firstValue(name: string, makeDefault: () => unknown): unknown {
  try {
    return makeDefault();
  } catch (error) {
    throw new GraphError(`The default of ${name} threw: ${messageOf(error)}`, { cause: error });
  }
}

function freshState(graph: Graph, { run }: RunState): RunState {
  const state = emptyState(run);
  adoptPlan(state, graph.plan);
  return state;
}
