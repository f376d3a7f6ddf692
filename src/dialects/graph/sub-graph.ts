/**
 * A sub-graph is a graph that serves as a node of another: it runs as a child with a log of its own.
 *
 * 1. The fields that both graphs have go in, and come out again; all others are its own.
 * 2. What comes out is the change: the items that it added to a list that it was given, not the whole list again.
 * 3. The state may have changed while the sub-graph waited for a person: its change is to what it was given then.
 * 4. A command to the parent comes out beside the change; where both set a field that takes one value, it wins.
 */

import { type Json, sameJson } from "../../base/json.ts";
import type { NodeName } from "../../base/names.ts";
import type { Write } from "../../kernel/event.ts";
import type { Outcome, TaskContext, TaskInput } from "../../kernel/program.ts";
import { emptyState } from "../../kernel/state.ts";
import type { Invocation } from "./config.ts";
import type { FieldPlan } from "./fields.ts";
import type { Graph } from "./graph.ts";
import { messagesBetween } from "./messages.ts";
import { openWishes } from "./parent-command.ts";
import { planStart } from "./start.ts";
import { writesOf } from "./update.ts";
import { open } from "./values.ts";

/** Where a sub-graph runs: a task of the graph that it is a node of. */
export interface Surroundings {
  readonly graph: Graph;
  readonly node: NodeName;
  readonly input: TaskInput;
  readonly context: TaskContext;
  readonly invocation: Invocation;
}

export type SubGraphResult =
  | { readonly kind: "done"; readonly writes: readonly Write[]; readonly targets: readonly unknown[] }
  | { readonly kind: "stopped"; readonly outcome: Outcome };

/** Runs a sub-graph, or goes on where it stood. */
export async function runSubGraph(sub: Graph, around: Surroundings): Promise<SubGraphResult> {
  const { context, graph, node } = around;
  const invocation: Invocation = { ...around.invocation, isChild: true };
  const given = givenTo(sub, around);
  const start = await planStart(sub, emptyState(context.run), { input: given, config: invocation });
  const { writes, route, sends } = start;
  const program = sub.programFor(invocation);
  const child = await context.child({ key: "", program, writes, route, ...(sends.length > 0 && { sends }) });
  if (child.kind === "stopped") return child;
  const before = givenThen(sub, given, child.began);
  const changed = changes(sub, graph, { before, after: child.output });
  const wishes = openWishes(child.output);
  const told = wishes.flatMap(({ update }) => writesOf(graph.fields, update, `A command from ${node}`));
  const targets = wishes.flatMap((wish) => wish.targets);
  return { kind: "done", writes: [...superseded(graph, changed, told), ...told], targets };
}

/** A field that takes one value takes that of the command, if there is one. */
function superseded(graph: Graph, changed: readonly Write[], told: readonly Write[]): readonly Write[] {
  const taken = new Set(told.map(({ channel }) => channel));
  return changed.filter(({ channel }) => {
    const kind = graph.fields.get(channel)?.spec.kind;
    return !taken.has(channel) || kind === "fold" || kind === "topic";
  });
}

/** What goes in: the argument of a send, or the shared part of the state. */
function givenTo(sub: Graph, { graph, node, input }: Surroundings): Write[] {
  if (input.sent) return [...writesOf(sub.input, open(input.input as Json), `The send to ${node}`)];
  return [...sub.input.keys()].flatMap((channel): Write[] => {
    const value = graph.fields.has(channel) ? input.snapshot.read(channel) : undefined;
    return value === undefined ? [] : [{ channel, value, overwrite: true }];
  });
}

/** What a sub-graph was given when it began, which may be in an earlier run of its task (3). */
function givenThen(
  sub: Graph,
  given: readonly Write[],
  began: Readonly<Record<string, Json>> | undefined,
): ReadonlyMap<string, Json> {
  const now = new Map(given.map(({ channel, value }) => [channel, value]));
  if (began === undefined) return now;
  // A default that was made for the run was not given to it.
  const isGiven = (channel: string) => sub.fields.get(channel)?.makeDefault === undefined || now.has(channel);
  return new Map(Object.entries(began).filter(([channel]) => isGiven(channel)));
}

interface Both {
  readonly before: ReadonlyMap<string, Json>;
  readonly after: Readonly<Record<string, Json>>;
}

function changes(sub: Graph, parent: Graph, { before, after }: Both): Write[] {
  return sub.plan.output.flatMap((channel): Write[] => {
    const field = parent.fields.get(channel);
    const value = after[channel];
    if (field === undefined || value === undefined) return [];
    const old = before.get(channel);
    if (old !== undefined && sameJson(old, value)) return [];
    return [{ channel, value: old === undefined ? value : changeOf(field, old, value) }];
  });
}

/** What to write so that folding it in turns one value into the other, as far as that can be told. */
function changeOf({ spec, sums, holdsMessages }: FieldPlan, before: Json, after: Json): Json {
  if (spec.kind !== "fold" && spec.kind !== "topic") return after;
  if (sums && typeof before === "number" && typeof after === "number") return after - before;
  if (!Array.isArray(before) || !Array.isArray(after)) return after;
  const old: readonly Json[] = before;
  const isGrown = old.length <= after.length && old.every((item, index) => sameJson(item, after[index]));
  if (isGrown) return after.slice(old.length);
  return holdsMessages ? messagesBetween(old, after) : after;
}
