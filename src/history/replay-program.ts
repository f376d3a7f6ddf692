/** Replay programs: what a log of each dialect is replayed with. */

import type { Json } from "../base/json.ts";
import type { NodeName, RunId } from "../base/names.ts";
import type { Graph, SubGraph } from "../dialects/graph/graph.ts";
import type { InboxDefinition } from "../dialects/inbox/definition.ts";
import type { LoadoutDefinition } from "../dialects/loadout/definition.ts";
import type { ProgramName } from "../kernel/event.ts";
import type { Plan } from "../kernel/plan.ts";
import type { Program } from "../kernel/program.ts";
import type { ReplayProgram } from "./evidence.ts";
import { recordedInbox } from "./recorded-inbox.ts";
import { recordedLoadout } from "./recorded-loadout.ts";
import { recordedRoutes } from "./recorded-routes.ts";

/** A run whose program is wanted, as its log begins. */
export interface Wanted {
  readonly run: RunId;
  readonly program: ProgramName;
  readonly plan: Plan;
  readonly definition: Json | undefined;
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

/** The program of a graph that nobody called: its nodes, which could ask for more, are not run. */
function unbound(graph: Graph): Program {
  return graph.programFor({ configurable: {}, context: undefined, machine: undefined as never }); // never asked
}

/**
 * The programs of a compiled StateGraph and of the graphs inside it; `bind` makes the program of one of them. Nodes
 * are any code, so they are not run again; path functions of conditional edges are.
 */
export function graphPrograms(graph: Graph, bind: (graph: Graph) => Program = unbound): ProgramFor {
  return ({ nodes }) => {
    let inner: Graph | undefined = graph;
    for (const node of nodes) {
      inner = (inner?.nodes.get(node)?.action as Partial<SubGraph> | undefined)?.graph; // a function has none
    }
    return inner && recordedRoutes(inner, bind(inner));
  };
}
