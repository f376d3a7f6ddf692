/**
 * Compiling turns a draft into a program: edges become channels that nodes signal, actions become handlers.
 *
 * 1. An edge is a pulse of its target; a waiting edge is a gate; an edge to END is nothing.
 * 2. What can be worked out once per graph is worked out here, and not in a step.
 */

import type { Issue } from "../../base/issue.ts";
import { assign, canonical, type Json, type JsonObject } from "../../base/json.ts";
import type { ChannelName, NodeName } from "../../base/names.ts";
import { hash32 } from "../../base/random.ts";
import type { ProgramName } from "../../kernel/event.ts";
import type { ChannelSpec, Plan, PlanNode } from "../../kernel/plan.ts";
import type { Program, Reducer } from "../../kernel/program.ts";
import { type Cache, MemoryCache } from "./cache.ts";
import { checkDraft, checkPauses } from "./check.ts";
import { checkCompileOptions } from "./check-options.ts";
import type { CompileOptions } from "./compile-options.ts";
import type { Invocation } from "./config.ts";
import { type Branch, type Draft, type DraftNode, withDefaults } from "./draft.ts";
import { type Drawing, drawingOf } from "./drawing.ts";
import { InvalidGraphError } from "./errors.ts";
import { type FieldPlans, planFields } from "./fields.ts";
import type { Graph, GraphNode } from "./graph.ts";
import { makeHandler } from "./handler.ts";
import { END, gateOf, pulseOf, START } from "./names.ts";
import { attemptsOf, timeoutOf } from "./node-options.ts";
import { asChild } from "./parent-command.ts";
import type { Pulses } from "./route.ts";
import { isStandardSchema, type StandardSchema } from "./standard-schema.ts";
import { View } from "./view.ts";

/** The fields of the state, and of those of its input and output where they differ. */
export interface StateDefinition {
  readonly fields: unknown;
  readonly input?: unknown;
  readonly output?: unknown;
}

/** The most supersteps of one call, when the caller does not say. */
export const DEFAULT_LIMIT = 25;

export class CompiledGraph implements Graph {
  readonly id: ProgramName;
  readonly plan: Plan;
  readonly drawing: Drawing;
  readonly fields: FieldPlans;
  /** What may be put in from outside. */
  readonly input: FieldPlans;
  /** What the caller gets; present when the author declared it. */
  readonly output: FieldPlans | undefined;
  /** Schemas that were declared for the whole of what goes in and comes out. */
  readonly schemas: { readonly input?: StandardSchema; readonly output?: StandardSchema };
  readonly cache: Cache;
  readonly view: View;
  readonly nodes: ReadonlyMap<NodeName, GraphNode>;
  readonly names: Pulses;
  /** The conditional edges from START. */
  readonly entry: readonly Branch[];
  readonly #reducers: Readonly<Record<string, Reducer>>;
  #child: { readonly id: ProgramName; readonly plan: Plan } | undefined;

  constructor(given: Draft, definition: StateDefinition, options: CompileOptions) {
    const issues: Issue[] = [...checkCompileOptions(options), ...(options.found ?? [])];
    const draft = withDefaults(given, options.defaults ?? {});
    this.cache = options.cache ?? new MemoryCache();
    this.fields = allFields(draft, definition, issues);
    this.input = narrowed(this.fields, definition.input, issues);
    const output = narrowed(this.fields, definition.output ?? definition.fields, issues);
    this.output = definition.output === undefined ? undefined : output;
    this.schemas = wholeSchemas(definition);
    issues.push(...checkDraft(given));
    issues.push(...checkPauses(draft, "interruptBefore", options.interruptBefore ?? []));
    issues.push(...checkPauses(draft, "interruptAfter", options.interruptAfter ?? []));
    if (issues.length > 0) throw new InvalidGraphError(onceEach(issues));
    this.view = new View(this.fields);
    this.names = new Map(draft.nodes.map(({ name }) => [name, pulseOf(name)]));
    this.entry = draft.branches.filter(({ source }) => source === START);
    this.nodes = new Map(draft.nodes.map((node) => [node.name, planNode(this, draft, node)]));
    this.drawing = drawingOf(draft);
    this.plan = makePlan(this, draft, { ...options, output: [...output.keys()] });
    this.id = identify(this.plan);
    this.#reducers = Object.fromEntries(
      [...this.fields.values()].flatMap(({ name, reducer }) => (reducer ? [[name, reducer]] : [])),
    );
  }

  /** The program with its nodes bound to what the caller of one run passes to them. */
  programFor(invocation: Invocation): Program {
    const handlers: Program["handlers"] = Object.fromEntries(
      [...this.nodes.values()].map((node) => [node.name, makeHandler(this, node, invocation)]),
    );
    const { id, plan } = invocation.isChild ? this.#asChild() : this;
    return { id, plan, handlers, reducers: this.#reducers };
  }

  #asChild(): { readonly id: ProgramName; readonly plan: Plan } {
    if (this.#child === undefined) {
      const plan = asChild(this.plan);
      this.#child = { id: identify(plan), plan };
    }
    return this.#child;
  }
}

/** A field that is declared for the state and for its output is one mistake. */
function onceEach(issues: readonly Issue[]): Issue[] {
  return [...new Map(issues.map((issue) => [`${issue.pointer} ${issue.message}`, issue])).values()];
}

function identify(plan: Plan): ProgramName {
  const text = canonical(plan as unknown as Json); // a plan is plain JSON
  const revision = [text, `${text}.`].map((part) => hash32(part).toString(16).padStart(8, "0")).join("");
  return { dialect: "graph", name: plan.name, revision };
}

function wholeSchemas({ input, output }: StateDefinition): CompiledGraph["schemas"] {
  return {
    ...(isStandardSchema(input) && { input }),
    ...(isStandardSchema(output) && { output }),
  };
}

function allFields(draft: Draft, { fields, input, output }: StateDefinition, issues: Issue[]): FieldPlans {
  const all = new Map(planFields(fields, issues));
  const more = [input, output, ...draft.nodes.map(({ options }) => options.input)];
  for (const definition of more) {
    if (definition === undefined) continue;
    for (const [name, field] of planFields(definition, issues)) if (!all.has(name)) all.set(name, field);
  }
  return all;
}

/** The fields that a narrower definition names, with the schemas that it gives them. */
function narrowed(all: FieldPlans, definition: unknown, issues: Issue[]): FieldPlans {
  if (definition === undefined) return all;
  const named = [...planFields(definition, issues).values()];
  return new Map(
    named.flatMap(({ name, schema }) => {
      const field = all.get(name);
      return field === undefined ? [] : [[name, schema === undefined ? field : { ...field, schema }]];
    }),
  );
}

function planNode(graph: CompiledGraph, draft: Draft, { name, action, options }: DraftNode): GraphNode {
  const branches = draft.branches.filter(({ source }) => source === name);
  const input = options.input === undefined ? undefined : planFields(options.input, []);
  return {
    name,
    action,
    edges: edgesFrom(draft, name),
    branches,
    view: input === undefined ? graph.view : new View(pick(graph.fields, input)),
    ...(options.retryPolicy?.retryOn && { retryOn: options.retryPolicy.retryOn }),
    maxAttempts: options.retryPolicy === undefined ? 1 : attemptsOf(options.retryPolicy).max,
    timeout: timeoutOf(options.timeout),
    cache: options.cache === true ? {} : options.cache,
    onError: options.onError,
  };
}

function pick(fields: FieldPlans, names: FieldPlans): FieldPlans {
  return new Map([...fields].filter(([name]) => names.has(name)));
}

/** What a node signals whenever it has finished. */
function edgesFrom({ edges, joins }: Draft, node: NodeName): readonly ChannelName[] {
  const pulses = edges.filter(([source, target]) => source === node && target !== END);
  const gates = joins.filter(({ sources, target }) => sources.includes(node) && target !== END);
  return [
    ...new Set([
      ...pulses.map(([, target]) => pulseOf(target)),
      ...gates.map(({ sources, target }) => gateOf(sources, target)),
    ]),
  ];
}

function makePlan(
  graph: CompiledGraph,
  draft: Draft,
  options: CompileOptions & { readonly output: readonly string[] },
): Plan {
  const { maxConcurrency } = options;
  const channels: Record<ChannelName, ChannelSpec> = {};
  for (const { name, spec } of graph.fields.values()) assign(channels as never, name, spec as never);
  for (const pulse of graph.names.values()) channels[pulse] = { kind: "pulse" };
  const joins = draft.joins.filter(({ target }) => target !== END);
  for (const { sources, target } of joins)
    channels[gateOf(sources, target)] = { kind: "gate", waitsFor: sources };
  const reads = [...graph.fields.keys()];
  const nodes = draft.nodes.map(({ name, options: { retryPolicy, defer } }): [NodeName, PlanNode] => {
    const gates = joins.filter(({ target }) => target === name);
    const pause = pauseOf(name, options);
    return [
      name,
      {
        triggers: [pulseOf(name), ...new Set(gates.map(({ sources, target }) => gateOf(sources, target)))],
        reads,
        ...(retryPolicy && { attempts: attemptsOf(retryPolicy) }),
        ...(pause && { pause }),
        ...(defer && { deferred: true }),
      },
    ];
  });
  return {
    name: options.name ?? "graph",
    pace: options.pace ?? "step",
    channels,
    nodes: Object.fromEntries(nodes),
    entry: edgesFrom(draft, START),
    output: options.output,
    limits: { steps: DEFAULT_LIMIT, ...(maxConcurrency !== undefined && { concurrency: maxConcurrency }) },
    onFailure: "stop",
    drawing: graph.drawing as unknown as JsonObject, // a drawing is plain JSON
  };
}

function pauseOf(
  name: NodeName,
  { interruptBefore = [], interruptAfter = [] }: CompileOptions,
): PlanNode["pause"] {
  const before = interruptBefore === "*" || interruptBefore.includes(name);
  const after = interruptAfter === "*" || interruptAfter.includes(name);
  if (before) return after ? "both" : "before";
  return after ? "after" : undefined;
}
