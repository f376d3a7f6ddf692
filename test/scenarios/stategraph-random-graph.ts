/** Random graphs, and what they end with by a simple reference interpreter that knows nothing of the library. */
import { END, field, interrupt, MemorySaver, reducers, START, StateGraph } from "batonjs";
import fc from "fast-check";
import type { Journal } from "../../src/run/journal.ts";

export interface RandomNode {
  /** Where its edges lead: later nodes only, so that every graph ends. */
  readonly edges: readonly number[];
  /** Two later nodes, of which it chooses one by the length of the list as it leaves it. */
  readonly choice: readonly [number, number] | undefined;
  readonly asks: boolean;
  /** How many times it waits before it answers. */
  readonly delay: number;
}

export interface RandomGraph {
  readonly nodes: readonly RandomNode[];
  readonly entries: readonly number[];
  readonly joins: readonly { readonly sources: readonly number[]; readonly target: number }[];
}

const SIZE = 7;
const later = (index: number) => fc.integer({ min: index + 1, max: SIZE });
const node = (index: number): fc.Arbitrary<RandomNode> =>
  fc.record({
    edges: fc.uniqueArray(later(index), { maxLength: 2 }),
    choice: fc.option(fc.tuple(later(index), later(index)), { nil: undefined }),
    asks: fc.boolean(),
    delay: fc.nat(3),
  });
const join = fc.integer({ min: 2, max: SIZE - 1 }).chain((target) =>
  fc.record({
    sources: fc.uniqueArray(fc.nat(target - 1), { minLength: 2, maxLength: 3 }),
    target: fc.constant(target),
  }),
);
export const graphs: fc.Arbitrary<RandomGraph> = fc.record({
  nodes: fc.tuple(...Array.from({ length: SIZE }, (_, index) => node(index))),
  entries: fc.uniqueArray(fc.nat(2), { minLength: 1 }),
  joins: fc.array(join, { maxLength: 2 }),
});

export const nameOf = (index: number) => (index >= SIZE ? END : `n${index}`);

/** What the graph ends with, by the rules of a superstep and nothing else. */
export function interpret({ nodes, entries, joins }: RandomGraph): string[] {
  const log: string[] = [];
  const waiting = joins.map(({ sources }) => new Set(sources));
  let active = new Set(entries);
  while (active.size > 0) {
    const next = new Set<number>();
    const length = log.length;
    for (const index of [...active].toSorted((a, b) => a - b)) {
      const { edges, choice } = nodes[index]!;
      log.push(nameOf(index));
      for (const target of edges) next.add(target);
      if (choice) next.add(choice[(length + 1) % 2]!);
      for (const missing of waiting) missing.delete(index);
    }
    joins.forEach(({ sources, target }, place) => {
      if (waiting[place]!.size > 0) return;
      next.add(target);
      waiting[place] = new Set(sources);
    });
    next.delete(SIZE);
    active = next;
  }
  return log;
}

/** What the graph ends with at pace `turn` when every node answers at once: who was signalled first runs first. */
export function interpretTurns({ nodes, entries, joins }: RandomGraph): string[] {
  const log: string[] = [];
  const waiting = joins.map(({ sources }) => new Set(sources));
  const since = new Map(entries.map((entry) => [entry, 0]));
  let commits = 0;
  const signal = (target: number) => {
    if (target < SIZE && !since.has(target)) since.set(target, commits);
  };
  while (since.size > 0) {
    const batch = [...since].toSorted((a, b) => a[1] - b[1] || a[0] - b[0]).map(([index]) => index);
    since.clear();
    const length = log.length;
    for (const index of batch) {
      commits++;
      const { edges, choice } = nodes[index]!;
      log.push(nameOf(index));
      if (since.has(index)) since.set(index, commits);
      for (const target of edges) signal(target);
      if (choice) signal(choice[(length + 1) % 2]!);
      joins.forEach(({ target }, place) => {
        if (waiting[place]!.delete(index) && waiting[place]!.size === 0) signal(target);
      });
    }
    joins.forEach(({ sources }, place) => {
      if (waiting[place]!.size === 0) waiting[place] = new Set(sources);
    });
  }
  return log;
}

/** A reducer to which the order of its updates matters. */
const nest = (current: string, update: string) => `(${current}${update})`;

/** The state that goes with a log: what each reducer makes of the same names in the same order. */
export function stateOf(log: readonly string[]) {
  return {
    log,
    nested: log.reduce(nest, ""),
    count: log.length,
    latest: log.at(-1) ?? "",
    seen: Object.fromEntries(log.map((name) => [name, true])),
  };
}

export interface BuildOptions {
  readonly pace?: "step" | "turn";
  readonly checkpointer?: Journal;
  /** Makes every node answer at once. */
  readonly atOnce?: boolean;
}

export type App = ReturnType<typeof build>;

/** The graph itself. */
export function build(
  { nodes, entries, joins }: RandomGraph,
  { pace = "step", checkpointer = new MemorySaver(), atOnce = false }: BuildOptions,
) {
  const graph = new StateGraph({
    log: field<string[]>({ reducer: reducers.append, default: [] }),
    nested: field<string>({ reducer: nest, default: "" }),
    count: field<number>({ reducer: reducers.add, default: 0 }),
    latest: field<string>({ reducer: reducers.replace, default: "" }),
    seen: field<Record<string, boolean>>({ reducer: reducers.merge, default: {} }),
  });
  nodes.forEach(({ edges, choice, asks, delay }, index) => {
    const act = () => {
      const name = asks ? interrupt<string>(index) : nameOf(index);
      return { log: [name], nested: name, count: 1, latest: name, seen: { [name]: true } };
    };
    const actLater = async () => {
      for (let i = 0; i < delay; i++) await new Promise((resolve) => setImmediate(resolve));
      return act();
    };
    graph.addNode(nameOf(index), atOnce ? act : actLater);
    for (const target of edges) graph.addEdge(nameOf(index), nameOf(target));
    if (choice) graph.addConditionalEdges(nameOf(index), ({ log }) => nameOf(choice[log.length % 2]!));
    graph.addEdge(nameOf(index), END);
  });
  for (const entry of entries) graph.addEdge(START, nameOf(entry));
  for (const { sources, target } of joins) graph.addEdge(sources.map(nameOf), nameOf(target));
  return graph.compile({ checkpointer, pace });
}
