/** Random graphs, questions and orders of completion end as a simple reference interpreter says. */
import { Command, END, field, interrupt, MemorySaver, reducers, START, StateGraph } from "batonjs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { newThread } from "./stategraph-savers.ts";

interface RandomNode {
  /** Where its edges lead: later nodes only, so that every graph ends. */
  readonly edges: readonly number[];
  /** Two later nodes, of which it chooses one by the length of the list as it leaves it. */
  readonly choice: readonly [number, number] | undefined;
  readonly asks: boolean;
  /** How many times it waits before it answers. */
  readonly delay: number;
}

interface RandomGraph {
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
const graphs: fc.Arbitrary<RandomGraph> = fc.record({
  nodes: fc.tuple(...Array.from({ length: SIZE }, (_, index) => node(index))),
  entries: fc.uniqueArray(fc.nat(2), { minLength: 1 }),
  joins: fc.array(join, { maxLength: 2 }),
});

const nameOf = (index: number) => (index >= SIZE ? END : `n${index}`);

/** What the graph ends with, by the rules of a superstep and nothing else. */
function interpret({ nodes, entries, joins }: RandomGraph): string[] {
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

function build({ nodes, entries, joins }: RandomGraph, pace: "step" | "turn") {
  const graph = new StateGraph({ log: field<string[]>({ reducer: reducers.append, default: [] }) });
  nodes.forEach(({ edges, choice, asks, delay }, index) => {
    graph.addNode(nameOf(index), async () => {
      for (let i = 0; i < delay; i++) await new Promise((resolve) => setImmediate(resolve));
      return { log: [asks ? interrupt<string>(index) : nameOf(index)] };
    });
    for (const target of edges) graph.addEdge(nameOf(index), nameOf(target));
    if (choice) graph.addConditionalEdges(nameOf(index), ({ log }) => nameOf(choice[log.length % 2]!));
    graph.addEdge(nameOf(index), END);
  });
  for (const entry of entries) graph.addEdge(START, nameOf(entry));
  for (const { sources, target } of joins) graph.addEdge(sources.map(nameOf), nameOf(target));
  return graph.compile({ checkpointer: new MemorySaver(), pace });
}

/** Runs a graph to its end, answering one question at a time. */
async function run(graph: RandomGraph, pace: "step" | "turn"): Promise<readonly string[]> {
  const app = build(graph, pace);
  const thread = newThread();
  let result = await app.invoke({}, thread);
  while (result.__interrupt__ !== undefined) {
    const { id, value } = result.__interrupt__.at(-1)!;
    result = await app.invoke(new Command({ resume: { [id]: nameOf(value as number) } }), thread);
  }
  return result.log;
}

test("the result equals that of the reference interpreter, whatever is asked and whoever ends first", async () => {
  await fc.assert(
    fc.asyncProperty(graphs, async (graph) => {
      expect(await run(graph, "step")).toEqual(interpret(graph));
    }),
    { numRuns: 150 },
  );
});

test("without choices, pace turn runs the nodes that pace step runs", async () => {
  const plain = graphs.map((graph) => ({
    ...graph,
    nodes: graph.nodes.map((random) => ({ ...random, choice: undefined })),
  }));
  await fc.assert(
    fc.asyncProperty(plain, async (graph) => {
      expect(new Set(await run(graph, "turn"))).toEqual(new Set(interpret(graph)));
    }),
    { numRuns: 75 },
  );
});
