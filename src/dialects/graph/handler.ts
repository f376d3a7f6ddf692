/**
 * A handler runs a node of a graph: the state goes in, what the node returned becomes an outcome.
 *
 * 1. A node that answers at once is settled at once: nothing here waits that need not.
 * 2. Whatever goes wrong is an outcome too, with the error itself for callers in this process.
 * 3. An error handler stands in for the node once no attempt is left: what it returns is what the node returned.
 */

import type { Caller } from "../../base/ambient.ts";
import type { Json } from "../../base/json.ts";
import type { Result } from "../../kernel/event.ts";
import type { Handler, Outcome, TaskContext, TaskInput } from "../../kernel/program.ts";
import { CacheSlot } from "./cache.ts";
import { type Invocation, NodeConfig } from "./config.ts";
import { NodeTimeoutError } from "./errors.ts";
import { failed, failedWithin } from "./failed.ts";
import type { Graph, GraphNode, SubGraph } from "./graph.ts";
import { Asking, type Scope, scopeCaller } from "./interrupt.ts";
import type { Watch } from "./machine.ts";
import { readReturned, resultOf } from "./returned.ts";
import { follow, RouteBuilder } from "./route.ts";
import { runSubGraph } from "./sub-graph.ts";
import { open, seal } from "./values.ts";
import type { State } from "./view.ts";

type Maybe<T> = T | PromiseLike<T>;

/** What runs in a node: its function, or what stands in for it. */
type Act = (state: unknown, config: NodeConfig) => unknown;

/** What each task of a node has at hand. */
interface Working {
  readonly graph: Graph;
  readonly node: GraphNode;
  readonly input: TaskInput;
  readonly context: TaskContext;
  readonly invocation: Invocation;
  readonly asking: Asking;
  readonly caller: Caller<Scope>;
  /** What the node returned, before conditional edges were asked. */
  result: Result | undefined;
}

/** The handler of a node, for a run that somebody called with this invocation. */
export function makeHandler(graph: Graph, node: GraphNode, invocation: Invocation): Handler {
  const run = typeof node.action === "function" ? runAction : runGraph;
  const perform = node.cache === undefined || invocation.isRerun ? run : cached(run);
  const caller = scopeCaller();
  return (input, context) => {
    const asking = new Asking(context);
    const working = { graph, node, input, context, invocation, asking, caller, result: undefined };
    const outcome = perform(working);
    return node.onError === undefined ? outcome : whenMended(working, outcome);
  };
}

function whenMended(working: Working, outcome: Maybe<Outcome>): Maybe<Outcome> {
  return isLate(outcome) ? outcome.then((late) => mended(working, late)) : mended(working, outcome);
}

/** Runs a function, for as long as it may take. */
function runAction(working: Working): Maybe<Outcome> {
  const { node, context, invocation } = working;
  // The types of an action are those of its author's graph, which this state is of.
  const act = node.action as Act;
  if (node.timeout === undefined) return attempt(working, configOf(working), act);
  return withinTime(working, invocation.machine.watch(node.timeout, context.signal), act);
}

async function withinTime(working: Working, watch: Watch, act: Act): Promise<Outcome> {
  const { node } = working;
  const late = watch.expired.then((limit): Outcome => {
    const error = new NodeTimeoutError(node.name, limit, node.timeout?.[limit] ?? 0);
    return failed(node, error);
  });
  try {
    return await Promise.race([attempt(working, configOf(working, watch), act), late]);
  } finally {
    watch.end();
  }
}

async function runGraph(working: Working): Promise<Outcome> {
  const { graph, node, input, context, invocation } = working;
  const sub = (node.action as SubGraph).graph; // `check.ts` lets nothing else pass
  try {
    const ran = await runSubGraph(sub, { graph, input, context, invocation, node: node.name });
    if (ran.kind === "stopped") return failedWithin(node, ran.outcome);
    return await finish(working, configOf(working), resultOf(graph, node, ran));
  } catch (error) {
    return failed(node, error);
  }
}

function configOf({ context, invocation, asking }: Working, watch?: Watch): NodeConfig {
  return new NodeConfig(context, invocation, { asking, watch });
}

function readState(node: GraphNode, input: TaskInput): unknown {
  return input.sent ? open(input.input as Json) : node.view.of(input.snapshot);
}

/** Calls an action and makes an outcome of whatever comes of it. */
function attempt(working: Working, config: NodeConfig, act: Act): Maybe<Outcome> {
  const { node, input, asking, caller } = working;
  try {
    const returned = caller.run({ asking, config }, act, [readState(node, input), config]);
    return isThenable(returned)
      ? new LateOutcome(working, config, returned)
      : settled(working, config, returned);
  } catch (error) {
    return stopped(working, error);
  }
}

/**
 * The outcome of an action that has not returned yet. It never rejects. Whoever waits for it goes on in the turn in
 * which the action returns; a promise of the outcome would take each task one more.
 */
class LateOutcome implements PromiseLike<Outcome> {
  readonly #working: Working;
  readonly #config: NodeConfig;
  readonly #returned: Promise<unknown>;

  constructor(working: Working, config: NodeConfig, returned: PromiseLike<unknown>) {
    this.#working = working;
    this.#config = config;
    this.#returned = Promise.resolve(returned);
  }

  // biome-ignore lint/suspicious/noThenProperty: it is waited for like a promise
  then<Next = Outcome>(done?: Reader<Next> | null): Promise<Next> {
    const read: Reader<Next> = done ?? ((outcome) => outcome as Next); // without a reader, Next is Outcome
    return this.#returned.then(
      (value) => {
        const outcome = settled(this.#working, this.#config, value);
        return isLate(outcome) ? outcome.then(read) : read(outcome);
      },
      (error) => read(stopped(this.#working, error)),
    );
  }
}

type Reader<Next> = (outcome: Outcome) => Next | PromiseLike<Next>;

/** The outcome of an action that returned. */
function settled(working: Working, config: NodeConfig, returned: unknown): Maybe<Outcome> {
  const { graph, node, invocation, asking } = working;
  if (asking.questions.length > 0) return asks(asking);
  try {
    const read = readReturned(graph, node, returned, invocation.isChild === true);
    const outcome = finish(working, config, resultOf(graph, node, read));
    return isLate(outcome) ? outcome.then(undefined, (error) => stopped(working, error)) : outcome;
  } catch (error) {
    return stopped(working, error);
  }
}

/** The outcome of an action that threw. */
function stopped({ node, asking }: Working, error: unknown): Outcome {
  return asking.questions.length > 0 ? asks(asking) : failed(node, error);
}

/** Promises come in many makes. */
function isThenable(value: unknown): value is PromiseLike<unknown> {
  if (value instanceof Promise) return true;
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

function isLate(outcome: Maybe<Outcome>): outcome is PromiseLike<Outcome> {
  return "then" in outcome;
}

function asks({ questions }: Asking): Outcome {
  return { kind: "asks", questions: questions.map((value) => ({ value })) };
}

/** The outcome of a node: its result, and where its edges and conditional edges lead besides. */
function finish(working: Working, config: NodeConfig, result: Result): Maybe<Outcome> {
  const { graph, node, input } = working;
  working.result = result;
  if (result.halt !== undefined || node.branches.length === 0) return { kind: "done", ...result };
  const builder = new RouteBuilder(graph.names, node.name, result.route);
  if (result.sends !== undefined) builder.addSends(result.sends);
  const state: State = graph.view.after(input.snapshot, result.writes);
  const waiting = follow(node.branches, builder, [state, config]);
  return waiting === undefined ? routed(result, builder) : routedLate(waiting, result, builder);
}

function routed({ writes }: Result, { route, sends }: RouteBuilder): Outcome {
  return sends.length > 0 ? { kind: "done", writes, route, sends } : { kind: "done", writes, route };
}

async function routedLate(waiting: Promise<void>, result: Result, builder: RouteBuilder): Promise<Outcome> {
  await waiting;
  return routed(result, builder);
}

/** Hands the failure of a last attempt to the error handler of the node (3). */
function mended(working: Working, outcome: Outcome): Maybe<Outcome> {
  const { node, context } = working;
  if (outcome.kind !== "failed" || context.signal.aborted) return outcome;
  const made = context.attempt - context.firstAttempt + 1;
  if (outcome.failure.retryable && made < node.maxAttempts) return outcome;
  const { cause, message } = outcome.failure;
  const error = outcome.thrown ?? new Error(cause?.message ?? message);
  const handle = node.onError as (error: unknown, state: unknown, config: NodeConfig) => unknown; // as in `runAction`
  return attempt(working, configOf(working), (state, config) => handle(error, state, config));
}

/** Looks for an earlier result first, and remembers a new one; one that people had a part in is never remembered. */
function cached(run: (working: Working) => Maybe<Outcome>): (working: Working) => Promise<Outcome> {
  return async (working) => {
    const { graph, node, asking } = working;
    try {
      const slot = slotOf(working);
      const found = await slot.find();
      if (found !== undefined) {
        const outcome = await finish(working, configOf(working), found);
        return { ...outcome, notes: [{ kind: "cached", data: { graph: graph.id.name } }] };
      }
      const outcome = await run(working);
      const { result } = working;
      const isWhole = outcome.kind === "done" && result?.halt === undefined && !asking.hasAsked;
      if (isWhole && result !== undefined) await slot.keep(result);
      return outcome;
    } catch (error) {
      return failed(node, error);
    }
  };
}

function slotOf({ graph, node, input, context }: Working): CacheSlot {
  const policy = node.cache ?? {};
  const state = readState(node, input);
  const whole = input.sent ? (input.input ?? null) : seal({ ...(state as State) }, `What ${node.name} reads`);
  const key =
    policy.key === undefined ? whole : seal(policy.key(state as never), `The cache key of ${node.name}`);
  return new CacheSlot(graph.cache, policy, { graph: `${graph.id.name}@${graph.id.revision}`, context, key });
}
