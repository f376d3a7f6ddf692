/**
 * A handler runs a node of a graph: the state goes in, what the node returned becomes an outcome.
 *
 * 1. A node that answers at once is settled at once: nothing here waits that need not.
 * 2. Whatever goes wrong is an outcome too, with the error itself for callers in this process.
 */

import { describeError, type FailureCode, failure } from "../../base/failure.ts";
import { isObject, type Json } from "../../base/json.ts";
import type { Result, Write } from "../../kernel/event.ts";
import type { Handler, Outcome, TaskContext, TaskInput } from "../../kernel/program.ts";
import { Command, Send } from "./command.ts";
import { type Invocation, NodeConfig } from "./config.ts";
import { GraphError, InvalidUpdateError, UnknownTargetError } from "./errors.ts";
import type { Graph, GraphNode, SubGraph } from "./graph.ts";
import { type Asking, callAsking } from "./interrupt.ts";
import { follow, RouteBuilder } from "./route.ts";
import { runSubGraph } from "./sub-graph.ts";
import { writesOf } from "./update.ts";
import { open } from "./values.ts";
import type { State } from "./view.ts";

/** What each task of a node has at hand. */
interface Working {
  readonly graph: Graph;
  readonly node: GraphNode;
  readonly input: TaskInput;
  readonly config: NodeConfig;
}

/** The handler of a node, for a run that somebody called with this invocation. */
export function makeHandler(graph: Graph, node: GraphNode, invocation: Invocation): Handler {
  const { action } = node;
  if (typeof action !== "function") {
    const sub = (action as SubGraph).graph; // `check.ts` lets nothing else pass
    return async (input, context) => {
      const config = new NodeConfig(context, invocation);
      const ran = await runSubGraph(sub, { graph, input, context, invocation, node: node.name });
      return ran.kind === "stopped" ? ran.outcome : finish({ graph, node, input, config }, ran.writes, []);
    };
  }
  // The types of an action are those of its author's graph, which this state is of.
  const act = action as (state: unknown, config: NodeConfig) => unknown;
  return (input, context) => {
    const config = new NodeConfig(context, invocation);
    const working: Working = { graph, node, input, config };
    return attempt(working, context, () => act(readState(node, input), config));
  };
}

function readState(node: GraphNode, input: TaskInput): unknown {
  return input.sent ? open(input.input as Json) : node.view.of(input.snapshot);
}

function attempt(working: Working, context: TaskContext, act: () => unknown): Outcome | Promise<Outcome> {
  const asking: Asking = { context, calls: 0, questions: [] };
  const settle = (returned: unknown): Outcome | Promise<Outcome> => {
    if (asking.questions.length > 0) return asks(asking);
    const { writes, targets } = readReturned(working, returned);
    return finish(working, writes, targets);
  };
  const stop = (error: unknown): Outcome =>
    asking.questions.length > 0 ? asks(asking) : failed(working.node, error);
  try {
    const returned = callAsking(asking, act);
    if (isThenable(returned)) return Promise.resolve(returned).then(settle).catch(stop);
    const outcome = settle(returned);
    return outcome instanceof Promise ? outcome.catch(stop) : outcome;
  } catch (error) {
    return stop(error);
  }
}

/** Promises come in many makes. */
function isThenable(value: unknown): value is PromiseLike<unknown> {
  if (value instanceof Promise) return true;
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

function asks({ questions }: Asking): Outcome {
  return { kind: "asks", questions: questions.map((value) => ({ value })) };
}

interface Returned {
  readonly writes: readonly Write[];
  readonly targets: readonly unknown[];
}

const NO_TARGETS: readonly unknown[] = [];

/** What a node wants, whichever way it said so. */
function readReturned({ graph, node }: Working, returned: unknown): Returned {
  const { fields } = graph;
  if (!Array.isArray(returned)) {
    if (returned instanceof Command) return readCommand(graph, node, returned);
    if (returned instanceof Send) return { writes: [], targets: [returned] };
    return { writes: writesOf(fields, returned, node.name), targets: NO_TARGETS };
  }
  const writes: Write[] = [];
  const targets: unknown[] = [];
  for (const item of returned) {
    if (item instanceof Send) targets.push(item);
    else if (item instanceof Command) {
      const read = readCommand(graph, node, item);
      writes.push(...read.writes);
      targets.push(...read.targets);
    } else if (isObject(item)) writes.push(...writesOf(fields, item, node.name));
    else {
      throw new InvalidUpdateError(
        `${node.name} returned a list with a ${typeof item} in it; it may hold updates, commands and sends.`,
      );
    }
  }
  return { writes, targets };
}

function readCommand(graph: Graph, node: GraphNode, command: Command): Returned {
  const { update, goto } = command;
  return {
    writes: writesOf(graph.fields, update, node.name),
    targets: goto === undefined ? NO_TARGETS : [goto],
  };
}

/** The outcome of a node: its writes, and where its edges, its conditional edges and its commands lead. */
function finish(
  { graph, node, input, config }: Working,
  writes: readonly Write[],
  targets: readonly unknown[],
): Outcome | Promise<Outcome> {
  if (node.branches.length === 0 && targets.length === 0) return { kind: "done", writes, route: node.edges };
  const builder = new RouteBuilder(graph.names, node.name, node.edges);
  builder.add(targets, `Node ${node.name}`);
  const done = (): Outcome => {
    const result: Result = { writes, route: builder.route };
    return { kind: "done", ...result, ...(builder.sends.length > 0 && { sends: builder.sends }) };
  };
  if (node.branches.length === 0) return done();
  const state: State = graph.view.after(input.snapshot, writes);
  const waiting = follow(node.branches, builder, [state, config]);
  return waiting === undefined ? done() : waiting.then(done);
}

const FROZEN = /read only property|not extensible|Cannot (delete|define|assign) /;

function failed(node: GraphNode, thrown: unknown): Outcome {
  const cause = describeError(thrown);
  const hint =
    thrown instanceof TypeError && FROZEN.test(cause.message)
      ? " The state that a node reads is frozen: return an update instead of changing it."
      : "";
  const message = `${cause.message}${hint}`;
  const retryable = !(thrown instanceof GraphError) && isWorthRetrying(node, thrown);
  return { kind: "failed", failure: failure(codeOf(thrown), message, { retryable, cause }), thrown };
}

function codeOf(thrown: unknown): FailureCode {
  if (thrown instanceof InvalidUpdateError) return "invalid_update";
  return thrown instanceof UnknownTargetError ? "unknown_target" : "node_failed";
}

function isWorthRetrying({ retryOn }: GraphNode, thrown: unknown): boolean {
  if (retryOn === undefined) return true;
  if (Array.isArray(retryOn)) return retryOn.some((type) => thrown instanceof type);
  return (retryOn as (error: unknown) => boolean)(thrown);
}
