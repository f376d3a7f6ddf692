/** Replay programs: what a log of each dialect is replayed with. */

import type { Json } from "../base/json.ts";
import type { NodeName, RunId } from "../base/names.ts";
import type { Graph, SubGraph } from "../dialects/graph/graph.ts";
import { reducers as inboxReducers } from "../dialects/inbox/channels.ts";
import type { LoadoutDefinition } from "../dialects/loadout/definition.ts";
import type { ProgramName } from "../kernel/event.ts";
import type { Plan } from "../kernel/plan.ts";
import type { Program } from "../kernel/program.ts";
import type { ReplayProgram } from "./evidence.ts";
import { recordedLoadout } from "./recorded-loadout.ts";

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

/** The programs of loadouts and inbox graphs, which the log itself holds. Handlers of loadouts are run again. */
export const recordedPrograms: ProgramFor = ({ program, plan, definition }) => {
  if (program.dialect === "loadout" && definition !== undefined) {
    return recordedLoadout(definition as unknown as LoadoutDefinition); // reading made it complete before it was kept
  }
  if (program.dialect !== "inbox") return undefined;
  return { program: { id: program, plan, handlers: {}, reducers: inboxReducers } };
};

/**
 * The programs of a compiled StateGraph and of the graphs inside it; `bind` makes the program of one of them. Nodes
 * are any code, so they are not run again.
 */
export function graphPrograms(graph: Graph, bind: (graph: Graph) => Program): ProgramFor {
  return ({ nodes }) => {
    let inner: Graph | undefined = graph;
    for (const node of nodes) {
      inner = (inner?.nodes.get(node)?.action as Partial<SubGraph> | undefined)?.graph; // a function has none
    }
    return inner && { program: bind(inner) };
  };
}
