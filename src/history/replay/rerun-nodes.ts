/**
 * Rerun nodes: the node functions of a StateGraph are called again over a log, and held against what they came to then.
 *
 * 1. They get what they got then: the state, the argument of a send, answers, and what `once` and tasks had recorded,
 *    whose effects are not done again. What a node does besides is its own and is done again: whoever asks for this
 *    knows that. Nothing is written to the log, no cache is looked at, and what nodes show of their progress is dropped.
 * 2. Of a task that was tried several times the attempt that counted is called again, and no other.
 * 3. A result that came from a cache says nothing of the function, which did not run; its conditional edges are asked.
 * 4. Time limits hold as they did, by the clock of now.
 */

import type { RunId } from "../../base/names.ts";
import type { Invocation } from "../../dialects/graph/config.ts";
import type { Graph, GraphNode, SubGraph } from "../../dialects/graph/graph.ts";
import type { Handler, TaskContext, TaskInput } from "../../kernel/program.ts";
import { systemMachine } from "../../stategraph/timer.ts";
import { type Evidence, endIn, type ReplayProgram, Unrecorded } from "./evidence.ts";
import { type Caller, goneCaller } from "./gone-caller.ts";
import { routeAgain } from "./recorded-routes.ts";
import { startAgain } from "./recorded-start.ts";

export interface RerunGraph {
  readonly graph: Graph;
  /** The thread: the root of the family that the run is of. */
  readonly thread: RunId;
  readonly caller: Caller;
  /** True for a graph that another one has as a node. */
  readonly isChild: boolean;
}

/** The replay program of one graph whose nodes are called again. */
export function rerunNodes({ graph, thread, caller: known, isChild }: RerunGraph): ReplayProgram {
  let evidence: Evidence | undefined;
  const current = (): Evidence => {
    if (evidence !== undefined) return evidence;
    throw new Unrecorded("Nothing is replayed at this time.", { isKnownGap: false });
  };
  const callerFor = (gap: Evidence["gap"]) => goneCaller({ run: thread, known, onLook: gap });
  const invocation = Object.assign(
    callerFor((what) => current().gap(what)),
    { machine: systemMachine, isRerun: true, ...(isChild && { isChild }) },
  ) satisfies Invocation;
  const program = graph.programFor(invocation);
  const handlers = Object.entries(program.handlers).map(([name, handler]): [string, Handler] => {
    const node = graph.nodes.get(name);
    if (node === undefined) return [name, handler];
    const call = subGraphOf(node) === undefined ? handler : withCaller({ handler, node, known }, current);
    return [
      name,
      (input, context) =>
        wasCached(current())
          ? routeAgain({ graph, node, evidence: current(), caller: callerFor(current().gap) }, input) // (3)
          : call(input, context),
    ];
  });
  return {
    program: { ...program, handlers: Object.fromEntries(handlers) },
    checks: "nodes",
    unchecked: [],
    start: (started, { state, gap }) => startAgain(started, { graph, state, caller: callerFor(gap) }),
    attend: (next) => {
      evidence = next;
    },
  };
}

function wasCached({ facts }: Evidence): boolean {
  return facts.some((fact) => fact.type === "task.noted" && fact.kind === "cached");
}

function subGraphOf({ action }: GraphNode): Graph | undefined {
  return typeof action === "object" && action !== null ? (action as SubGraph).graph : undefined; // `check.ts`
}

interface Inner {
  readonly handler: Handler;
  readonly node: GraphNode;
  readonly known: Caller;
}

/** The paths of a sub-graph's START are asked by its node, too; what they look at there nobody is told of. */
function withCaller({ handler, node, known }: Inner, current: () => Evidence): Handler {
  const isUnknown = !Object.hasOwn(known, "context") && (subGraphOf(node)?.entry.length ?? 0) > 0;
  if (!isUnknown) return handler;
  return async (input: TaskInput, context: TaskContext) => {
    const outcome = await handler(input, context);
    if (outcome.kind === "failed" && endIn(current())?.type !== "task.failed")
      current().gap("what its caller passed as context");
    return outcome;
  };
}
