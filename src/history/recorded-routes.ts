/**
 * Recorded routes: the nodes of a StateGraph are any code and are not run again, but where their conditional edges lead
 * follows from the state, and is asked again.
 *
 * 1. What a node wrote, and whom it named itself, is taken as recorded; edges and path functions are those of now.
 * 2. A path function that cannot be asked without what its caller passed (a context, say) is taken as recorded.
 */

import { canonical, type Json } from "../base/json.ts";
import type { PathConfig } from "../dialects/graph/config.ts";
import type { Graph, GraphNode } from "../dialects/graph/graph.ts";
import { follow, RouteBuilder } from "../dialects/graph/route.ts";
import type { Handler, Outcome, Program, TaskInput } from "../kernel/program.ts";
import { type Evidence, endIn, missing, type ReplayProgram, Unrecorded } from "./evidence.ts";

/** The replay program of one graph; `program` is what the graph was compiled to. */
export function recordedRoutes(graph: Graph, program: Program): ReplayProgram {
  let evidence: Evidence | undefined;
  const current = (): Evidence => {
    if (evidence !== undefined) return evidence;
    throw new Unrecorded("Nothing is replayed at this time.", { isKnownGap: false });
  };
  const deciding = [...graph.nodes.values()].filter(({ branches }) => branches.length > 0);
  const handlers = deciding.map((node): [string, Handler] => {
    return [node.name, (input) => routeAgain({ graph, node, evidence: current() }, input)];
  });
  return {
    program: { ...program, handlers: Object.fromEntries(handlers) },
    checks: "routes",
    attend: (next) => {
      evidence = next;
    },
  };
}

interface Recorded {
  readonly graph: Graph;
  readonly node: GraphNode;
  readonly evidence: Evidence;
}

async function routeAgain({ graph, node, evidence }: Recorded, input: TaskInput): Promise<Outcome> {
  const end = endIn(evidence);
  if (end?.type !== "task.finished") throw missing(evidence, "what a node returned that did not finish");
  const { type: _, task: __, ...result } = end;
  const outcome = { kind: "done", ...result, notes: notesIn(evidence) } as const;
  if (result.halt !== undefined) return outcome;
  const builder = new RouteBuilder(graph.names, node.name, []);
  try {
    await follow(node.branches, builder, [graph.view.after(input.snapshot, result.writes), NOBODY]);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw missing(evidence, `what the path function of ${node.name} was called with (${why})`); // (2)
  }
  const sends = withEnd(result.sends ?? [], [], builder.sends);
  return {
    ...outcome,
    route: withEnd(result.route, node.edges, builder.route),
    ...((result.sends !== undefined || sends.length > 0) && { sends }),
  };
}

/** Whoever called the run is not there any more. */
const NOBODY: PathConfig = { configurable: {}, context: undefined };

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
