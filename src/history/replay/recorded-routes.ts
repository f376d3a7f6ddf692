/**
 * Recorded routes: the nodes of a StateGraph are any code and are not run again, but where their conditional edges lead
 * follows from the state, and is asked again; and so is where START leads.
 *
 * 1. What a node wrote, and whom it named itself, is taken as recorded; edges and path functions are those of now.
 * 2. What a path function comes to that looked at what its caller passed says nothing, unless somebody knows that.
 */

import { messageOf } from "../../base/failure.ts";
import { canonical, type Json } from "../../base/json.ts";
import type { RunId } from "../../base/names.ts";
import type { PathConfig } from "../../dialects/graph/config.ts";
import type { Graph, GraphNode } from "../../dialects/graph/graph.ts";
import { follow, RouteBuilder } from "../../dialects/graph/route.ts";
import type { Handler, Outcome, Program, TaskInput } from "../../kernel/program.ts";
import { type Evidence, endIn, missing, type ReplayProgram, Unrecorded } from "./evidence.ts";
import { type Caller, goneCaller } from "./gone-caller.ts";
import { startAgain } from "./recorded-start.ts";

export interface RecordedGraph {
  readonly graph: Graph;
  /** What the graph was compiled to. */
  readonly program: Program;
  /** The thread: the root of the family that the run is of. */
  readonly thread: RunId;
  readonly caller: Caller;
}

/** The replay program of one graph. */
export function recordedRoutes({ graph, program, thread, caller: known }: RecordedGraph): ReplayProgram {
  let evidence: Evidence | undefined;
  const current = (): Evidence => {
    if (evidence !== undefined) return evidence;
    throw new Unrecorded("Nothing is replayed at this time.", { isKnownGap: false });
  };
  const callerFor = ({ gap }: Pick<Evidence, "gap">) => goneCaller({ run: thread, known, onLook: gap });
  const deciding = [...graph.nodes.values()].filter(({ branches }) => branches.length > 0);
  const handlers = deciding.map((node): [string, Handler] => [
    node.name,
    (input) => routeAgain({ graph, node, evidence: current(), caller: callerFor(current()) }, input),
  ]);
  return {
    program: { ...program, handlers: Object.fromEntries(handlers) },
    checks: "routes",
    unchecked: ["node functions"],
    start: (started, { state, gap }) => startAgain(started, { graph, state, caller: callerFor({ gap }) }),
    attend: (next) => {
      evidence = next;
    },
  };
}

interface Recorded {
  readonly graph: Graph;
  readonly node: GraphNode;
  readonly evidence: Evidence;
  readonly caller: PathConfig;
}

/** What a node came to, with the conditional edges behind it asked again. */
export async function routeAgain(
  { graph, node, evidence, caller }: Recorded,
  input: TaskInput,
): Promise<Outcome> {
  const end = endIn(evidence);
  if (end?.type !== "task.finished") throw missing(evidence, "what a node returned that did not finish");
  const { type: _, task: __, ...result } = end;
  const outcome = { kind: "done", ...result, notes: notesIn(evidence) } as const;
  if (result.halt !== undefined) return outcome;
  const builder = new RouteBuilder(graph.names, node.name, []);
  try {
    await follow(node.branches, builder, [graph.view.after(input.snapshot, result.writes), caller]);
  } catch (error) {
    const why = messageOf(error);
    throw new Error(`The conditional edge of ${node.name} throws: ${why}`);
  }
  const sends = withEnd(result.sends ?? [], [], builder.sends);
  return {
    ...outcome,
    route: withEnd(result.route, node.edges, builder.route),
    ...((result.sends !== undefined || sends.length > 0) && { sends }),
  };
}

/** What was recorded when it ends like this; else what there would be: what always is, and this. */
function withEnd<T extends object | string>(
  recorded: readonly T[],
  always: readonly T[],
  end: readonly T[],
): readonly T[] {
  const text = (value: T): string => canonical(value as unknown as Json); // routes and sends are plain JSON
  const begins = always.every(
    (value, index) => index < recorded.length && text(value) === text(recorded[index] as T),
  );
  const offset = recorded.length - end.length;
  const ends =
    offset >= always.length &&
    end.every((value, index) => text(value) === text(recorded[offset + index] as T));
  return begins && ends ? recorded : [...always, ...end];
}

function notesIn({ facts }: Evidence): readonly { readonly kind: string; readonly data: Json }[] {
  return facts.flatMap((fact) => (fact.type === "task.noted" ? [{ kind: fact.kind, data: fact.data }] : []));
}
