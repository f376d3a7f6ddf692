/** Random graphs, and what they end with by a simple reference interpreter that knows nothing of the library. */
import { END, interrupt, MemorySaver, START, StateGraph } from "batonjs";
import fc from "fast-check";
import type { Journal } from "../../src/run/journal.ts";
import { log } from "./stategraph-kit.ts";
import { definitionOf, type RandomField, updateBy } from "./stategraph-random-fields.ts";

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

/** The nodes that each superstep runs, by the rules of a superstep and nothing else. */
export function stepsOf({ nodes, entries, joins }: RandomGraph): string[][] {
  const steps: string[][] = [];
  let length = 0;
  const waiting = joins.map(({ sources }) => new Set(sources));
  let active = new Set(entries);
  while (active.size > 0) {
    const next = new Set<number>();
    const ran = [...active].toSorted((a, b) => a - b);
    for (const index of ran) {
      const { edges, choice } = nodes[index]!;
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
    steps.push(ran.map(nameOf));
    length += ran.length;
  }
  return steps;
}

/** The nodes that the graph runs, one after the other. */
export const interpret = (graph: RandomGraph): string[] => stepsOf(graph).flat();

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

export interface BuildOptions {
  readonly pace?: "step" | "turn";
  readonly checkpointer?: Journal;
  /** The fields besides the log. */
  readonly fields?: readonly RandomField[];
  /** Makes every node answer at once. */
  readonly atOnce?: boolean;
}

export type App = ReturnType<typeof build>;

/** The graph itself. */
export function build(
  { nodes, entries, joins }: RandomGraph,
  { pace = "step", checkpointer = new MemorySaver(), fields = [], atOnce = false }: BuildOptions,
) {
  const graph = new StateGraph({ ...log(), ...definitionOf(fields) });
  nodes.forEach(({ edges, choice, asks, delay }, index) => {
    const act = () => {
      const name = asks ? interrupt<string>(index) : nameOf(index);
      return { log: [name], ...updateBy(fields, nameOf(index)) };
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
