/** Replay programs: what a log of each dialect is replayed with. */

import type { Json } from "../../base/json.ts";
import type { NodeName, RunId } from "../../base/names.ts";
import type { Graph, SubGraph } from "../../dialects/graph/graph.ts";
import type { InboxDefinition } from "../../dialects/inbox/definition.ts";
import type { LoadoutDefinition } from "../../dialects/loadout/definition.ts";
import type { ProgramName } from "../../kernel/event.ts";
import type { Plan } from "../../kernel/plan.ts";
import type { Program } from "../../kernel/program.ts";
import type { ReplayProgram } from "./evidence.ts";
import type { Caller } from "./gone-caller.ts";
import { logProgram } from "./log-program.ts";
import { recordedInbox } from "./recorded-inbox.ts";
import { recordedLoadout } from "./recorded-loadout.ts";
import { recordedRoutes } from "./recorded-routes.ts";
import { rerunNodes } from "./rerun-nodes.ts";

/** A run whose program is wanted, as its log begins. */
export interface Wanted {
  readonly run: RunId;
  readonly program: ProgramName;
  readonly plan: Plan;
  readonly definition: Json | undefined;
  /** The root of its family. */
  readonly thread: RunId;
  /** The nodes whose tasks lead from the root of the family to this run; none for the root. */
  readonly nodes: readonly NodeName[];
}

/** Finds the program of a run; without one the run is skipped, and the report says so. */
export type ProgramFor = (wanted: Wanted) => ReplayProgram | undefined;

/** The programs of loadouts and inbox graphs, which the log itself holds. Their handlers are run again. */
export const recordedPrograms: ProgramFor = ({ program, plan, definition }) => {
  if (definition === undefined) return undefined;
  // Reading made definitions complete before they were kept.
  if (program.dialect === "loadout") return recordedLoadout(definition as unknown as LoadoutDefinition);
  if (program.dialect === "inbox") return recordedInbox(definition as unknown as InboxDefinition, { plan });
  return undefined;
};

/**
 * The programs of runs of StateGraphs whose module is not at hand, as far as their logs tell them: the order of steps and
 * tasks, and every change of a field that needs no reducer of its author, are decided again.
 */
export const logPrograms: ProgramFor = (wanted) => logProgram(wanted);

/** The program of a graph that nobody called: its nodes, which could ask for more, are not run. */
function unbound(graph: Graph, isChild: boolean): Program {
  const nobody = { configurable: {}, context: undefined, machine: undefined as never }; // never asked
  return graph.programFor({ ...nobody, ...(isChild && { isChild }) });
}

/**
 * The programs of a compiled StateGraph and of the graphs inside it; `bind` makes the program of one of them. Nodes
 * are any code, so they are not run again; path functions of conditional edges are, also those of START. `caller` is
 * what was passed to `invoke`, which logs do not keep: what cannot be told without it is taken as recorded.
 */
export function graphPrograms(
  graph: Graph,
  bind: (graph: Graph, isChild: boolean) => Program = unbound,
  caller: Caller = {},
): ProgramFor {
  return ({ thread, nodes }) => {
    const inner = innerGraph(graph, nodes);
    const isChild = nodes.length > 0;
    return inner && recordedRoutes({ graph: inner, program: bind(inner, isChild), thread, caller });
  };
}

/**
 * The programs of a compiled StateGraph and of the graphs inside it, whose node functions are called again with what
 * they got then: they do again what they do besides returning, save the effects of `once` and of tasks. `caller` is
 * what was passed to `invoke`, which logs do not keep: what cannot be told without it is taken as recorded.
 */
export function rerunPrograms(graph: Graph, caller: Caller = {}): ProgramFor {
  return ({ thread, nodes }) => {
    const inner = innerGraph(graph, nodes);
    return inner && rerunNodes({ graph: inner, thread, caller, isChild: nodes.length > 0 });
  };
}

/** The graph that these nodes lead to. */
function innerGraph(graph: Graph, nodes: readonly NodeName[]): Graph | undefined {
  let inner: Graph | undefined = graph;
  for (const node of nodes) {
    inner = (inner?.nodes.get(node)?.action as Partial<SubGraph> | undefined)?.graph; // a function has none
  }
  return inner;
}
