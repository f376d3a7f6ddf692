/**
 * An edit of the state is made in the name of a node, as if that node had just returned it.
 *
 * 1. What comes after that node runs next, and nothing else: what waited to run is dropped, unless it is the same.
 * 2. Waiting edges keep what they have.
 */

import type { JsonObject } from "../base/json.ts";
import type { ChannelName, NodeName, RunId } from "../base/names.ts";
import type { CompiledGraph } from "../dialects/graph/compile.ts";
import { GraphError, InvalidUpdateError } from "../dialects/graph/errors.ts";
import { END, nodeOfTask, START } from "../dialects/graph/names.ts";
import { follow, RouteBuilder } from "../dialects/graph/route.ts";
import { planStart } from "../dialects/graph/start.ts";
import { writesOf } from "../dialects/graph/update.ts";
import { archiveState } from "../kernel/archive.ts";
import type { Write } from "../kernel/event.ts";
import { hasFired } from "../kernel/signal.ts";
import { type RunState, snapshotOf } from "../kernel/state.ts";
import type { Journal } from "../run/journal.ts";
import { missingCheckpointer, sent } from "./begin.ts";
import { configFor } from "./moments.ts";
import type { RunConfig } from "./run-config.ts";
import { invocationOf, record, type Session } from "./session.ts";

/** An update, and the node in whose name it is made; by default the one that ran last. */
export interface Edit {
  readonly values: unknown;
  readonly asNode?: NodeName | undefined;
}

/** An edit, ready to be recorded. */
interface Written {
  readonly author: NodeName;
  readonly writes: readonly Write[];
}

/** Writes to the state of a thread, all or nothing; returns the config of the moment that this makes. */
export async function editState(session: Session, edits: readonly Edit[]): Promise<RunConfig> {
  const { ledger, isKept } = session;
  if (!isKept) throw new GraphError(missingCheckpointer("updateState()"));
  if (edits.length === 0) throw new InvalidUpdateError("There is no update to make: give at least one.");
  const written: Written[] = [];
  for (const edit of edits) written.push(await read(session, edit, edits.length));
  refuseRivals(session, written);
  if (ledger.state.status === "new") await beginAs(session, written);
  else await recordEdits(session, written);
  await ledger.flush();
  return configFor(ledger.run, ledger.state.seq);
}

/** Refuses what no moment of the thread could take, before the thread is put back to the one that is named. */
export function checkEdits({ graph }: Session, edits: readonly Edit[]): void {
  for (const edit of edits) {
    refuseNameless(graph, edit, edits.length);
    writesOf(graph.fields, edit.values, `updateState as ${edit.asNode ?? "the node that ran last"}`);
  }
}

async function read({ graph, ledger }: Session, edit: Edit, count: number): Promise<Written> {
  refuseNameless(graph, edit, count);
  const { values, asNode } = edit;
  const author = asNode ?? (await lastNode(ledger.journal, ledger.run, ledger.state.seq));
  return { author, writes: writesOf(graph.fields, values, `updateState as ${author}`) };
}

function refuseNameless(graph: CompiledGraph, { asNode }: Edit, count: number): void {
  const isEnd = asNode === START || asNode === END;
  if (asNode !== undefined && !isEnd && !graph.names.has(asNode)) {
    throw new GraphError(`There is no node ${asNode}. The nodes are: ${[...graph.names.keys()].join(", ")}.`);
  }
  if (asNode === undefined && count > 1) {
    throw new InvalidUpdateError(
      "Of several updates at once, each has to say in whose name it is: pass asNode.",
    );
  }
}

/** Edits that are made at once are those of one superstep: a field that takes one value takes it from one of them. */
function refuseRivals({ graph }: Session, written: readonly Written[]): void {
  const authors = new Map<string, NodeName>();
  for (const { author, writes } of written) {
    for (const channel of new Set(writes.map((write) => write.channel))) {
      const rival = authors.get(channel);
      authors.set(channel, author);
      const kind = graph.fields.get(channel)?.spec.kind;
      if (rival === undefined || kind === "fold" || kind === "topic") continue;
      throw new InvalidUpdateError(
        `Field ${channel} takes one value in a superstep, and the updates as ${rival} and ${author} both write it.`,
      );
    }
  }
}

async function recordEdits(session: Session, written: readonly Written[]): Promise<void> {
  const next: Successors[] = [];
  for (const one of written) next.push(await successors(session, one));
  const targets = new Set(next.flatMap((one) => [...one.targets]));
  const sends = next.flatMap((one) => one.sends);
  await record(session, (decide, state, emit) => {
    const isSame = sends.length === 0 && sameNodes(targets, pendingNodes(state));
    if (!isSame && (state.tasks.size > 0 || state.runnable.size > 0 || state.sends.length > 0)) {
      const from = { run: state.run, seq: state.seq };
      emit({ type: "run.forked", from, state: withoutPending(state) });
    }
    for (const [index, { author, writes }] of written.entries()) {
      const { route, sends: more } = next[index] as Successors; // one for each edit
      const as = author === START ? undefined : { as: author };
      decide({ type: "update", writes, route: isSame ? [] : route, ...sent(more), ...as });
    }
  });
}

/** Begins a thread with edits. */
async function beginAs(session: Session, written: readonly Written[]): Promise<void> {
  const { graph, ledger, config } = session;
  const given = written.flatMap(({ author, writes }) => (author === START ? writes : []));
  const invocation = invocationOf(config, ledger.run);
  const { writes, route, sends } = await planStart(graph, ledger.state, { input: given, config: invocation });
  const others = written.filter(({ author }) => author !== START);
  if (others.length === 0) {
    await record(session, (decide) => {
      decide({ type: "start", writes, route, ...sent(sends) });
      decide({ type: "update", writes: [] }); // it is an update that began the thread, and no input
    });
    return;
  }
  await record(session, (decide, state, emit) => {
    decide({ type: "start", writes });
    const from = { run: state.run, seq: state.seq };
    emit({ type: "run.forked", from, state: withoutPending(state) });
  });
  await recordEdits(session, others);
}

interface Successors {
  readonly route: readonly ChannelName[];
  readonly sends: RouteBuilder["sends"];
  /** The nodes that this route makes run, gates that still wait left out. */
  readonly targets: ReadonlySet<NodeName>;
}

async function successors(
  { graph, ledger, config }: Session,
  { author, writes }: Written,
): Promise<Successors> {
  const node = graph.nodes.get(author);
  const edges = author === START ? graph.plan.entry : (node?.edges ?? []);
  const branches = author === START ? graph.entry : (node?.branches ?? []);
  const builder = new RouteBuilder(graph.names, author, edges);
  if (branches.length > 0) {
    const state = graph.view.after(snapshotOf(ledger.state), writes);
    await follow(branches, builder, [state, invocationOf(config, ledger.run)]);
  }
  const { route, sends } = builder;
  const targets = Object.entries(graph.plan.nodes)
    .filter(([, { triggers }]) => triggers.some((trigger) => route.includes(trigger)))
    .map(([name]) => name);
  return { route, sends, targets: new Set(targets) };
}

/** The nodes that would run next, with those that have finished beside them. */
function pendingNodes(state: RunState): ReadonlySet<NodeName> {
  const open = [...state.tasks.values()].map(({ node }) => node);
  return new Set([...open, ...[...state.runnable].map(([node]) => node)]);
}

function sameNodes(some: ReadonlySet<NodeName>, others: ReadonlySet<NodeName>): boolean {
  return some.size === others.size && [...some].every((node) => others.has(node));
}

/** The state with nothing left to run; gates that still wait for somebody keep what they have. */
function withoutPending(state: RunState): JsonObject {
  const signals = [...state.signals]
    .filter(([channel]) => !hasFired(state, channel))
    .map(([channel, nodes]) => [channel, [...nodes]]);
  return { ...archiveState(state), signals, runnable: [], sends: [], busy: [], tasks: [] };
}

const PAGE = 256;

/** The node that ran last. Throws when there were several. */
async function lastNode(journal: Journal, run: RunId, end: number): Promise<NodeName> {
  for (let after = end; after > 0; ) {
    const from = Math.max(0, after - PAGE);
    const page = await journal.read(run, from, after - from);
    after = from;
    for (const event of page.toReversed()) {
      if (event.type === "run.started") return START;
      if (event.type === "state.updated" && event.as !== undefined) return event.as;
      if (event.type === "step.committed") return onlyNode(event.ran);
      if (event.type === "run.forked" && event.from.run === run) {
        return lastNode(journal, run, event.from.seq);
      }
    }
  }
  return START;
}

function onlyNode(tasks: readonly string[]): NodeName {
  const nodes = new Set(tasks.map(nodeOfTask));
  const [only] = nodes;
  if (nodes.size === 1 && only !== undefined) return only;
  throw new InvalidUpdateError(
    `${[...nodes].join(" and ")} ran last, so it is not clear in whose name the update is: pass asNode.`,
  );
}
