/** What the tests of state graphs share: small graphs, threads, and ways to wait and to read. */
import { END, field, MemorySaver, reducers, START, StateGraph } from "batonjs";
import { SqliteJournal } from "../../src/journals/sqlite/sqlite-journal.ts";
import type { RetainingJournal } from "../../src/run/journal.ts";

/** The ways in which a graph may keep its threads: every promise about threads holds for all of them. */
export const SAVERS: [name: string, make: () => RetainingJournal][] = [
  ["MemorySaver", () => new MemorySaver()],
  ["SqliteSaver", () => new SqliteJournal(":memory:")],
];

let threads = 0;

/** The config of a thread that nobody else uses. */
export function newThread(): { configurable: { thread_id: string } } {
  return { configurable: { thread_id: `thread-${++threads}` } };
}

/** A state that is a list of texts, to which every write adds. */
export const log = () => ({ log: field<string[]>({ reducer: reducers.append, default: [] }) });

/** A node that adds a text to the log. */
export const say = (text: string) => () => ({ log: [text] });

/** START → each of these → END, one after the other; each says its name. */
export function chain<const Names extends string>(...names: readonly Names[]) {
  const graph = new StateGraph(log());
  for (const name of names) graph.addNode(name, say(name));
  graph.addEdge(START, names[0] as string);
  for (const [index, name] of names.entries()) graph.addEdge(name, names[index + 1] ?? END);
  return graph as unknown as StateGraph<ReturnType<typeof log>, Names>; // it has these nodes
}

/** START → a → b → END. */
export const ab = () => chain("a", "b");

/** One node between START and END. */
export const one = (fields: object, action: unknown) =>
  new StateGraph(fields as ReturnType<typeof log>)
    .addNode("one", action as () => null)
    .addEdge(START, "one")
    .addEdge("one", END);

/** START → each of these side by side → END. */
export function sideBySide<Names extends string>(actions: Readonly<Record<Names, unknown>>) {
  const graph = new StateGraph(log());
  for (const [name, action] of Object.entries(actions)) {
    graph.addNode(name, action as () => null).addEdge(START, name);
    graph.addEdge(name, END);
  }
  return graph;
}

export const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}
