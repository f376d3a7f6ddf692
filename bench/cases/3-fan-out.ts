/** Case 3: a node sends work to a thousand and to ten thousand tasks of one step. */

import * as peer from "@langchain/langgraph";
import { END, field, reducers, Send, START, StateGraph } from "../../src/index.ts";
import { type Contender, contest } from "../harness/contest.ts";
import { timedProbe } from "../harness/probe.ts";
import { atLeast, atMost, type Case, type Figure, timesOf } from "../harness/report.ts";

const FEW = 1000;
const MANY = 10_000;
/** How long the peer gets for the many, in milliseconds: it takes longer, and a bound is enough. */
const LIMIT = 12_000;

const PEER = "LangGraph.js, 1,000 sends";
const BATON = "Baton, 1,000 sends";
const BATON_MANY = "Baton, 10,000 sends";

export const fanOut: Case = {
  title: "3. Fan-out by Send",
  about: `A conditional edge sends 1,000 or 10,000 numbers to a node, whose results a reducer adds. LangGraph.js gets ${LIMIT / 1000} seconds in a process of its own for the 10,000, and is ended then.`,
  async run() {
    const timings = await contest(
      [{ name: PEER, units: FEW, run: () => peerFan(FEW).invoke({}) }, batonFan(BATON, FEW, 10)],
      { rounds: 9, result: { sum: sumTo(FEW) } },
    );
    const flat = await contest([batonFan(BATON, FEW, 20, true), batonFan(BATON_MANY, MANY, 2, true)], {
      rounds: 15,
      result: "counted",
    });
    return {
      rows: [...timesOf(timings, "send"), ...timesOf(flat, "send").slice(1)],
      figures: [
        atLeast("faster than LangGraph.js at 1,000", timings.ratio(PEER, BATON), 100),
        await againstMany(flat.of(BATON_MANY).median),
        atMost("time of a send at 10,000 to that at 1,000", flat.ratio(BATON_MANY, BATON), 1.3),
      ],
    };
  },
};

/** The peer with 10,000, once, in a process that may be ended. */
export async function fanOutMany(): Promise<void> {
  const { sum } = await peerFan(MANY).invoke({});
  if (sum !== sumTo(MANY)) throw new Error(`The peer's sum is ${sum}.`);
}

async function againstMany(ours: number): Promise<Figure> {
  const { milliseconds, isOver } = await timedProbe("fan-out-peer.ts", LIMIT);
  const ratio = (milliseconds * 1000) / MANY / ours;
  const value = { median: ratio, low: ratio, high: ratio };
  return { ...atLeast("faster than LangGraph.js at 10,000", value, 100), isBound: isOver };
}

function batonFan(name: string, width: number, calls: number, onlyChecks = false): Contender {
  const graph = new StateGraph({ sum: field<number>({ reducer: reducers.add, default: 0 }) })
    .addNode("split", () => ({}))
    .addNode("work", async ({ i }: { readonly i: number }) => ({ sum: i }))
    .addEdge(START, "split")
    .addEdge("work", END)
    .addConditionalEdges("split", () => Array.from({ length: width }, (_, i) => new Send("work", { i })))
    .compile();
  const run = () => graph.invoke({});
  if (!onlyChecks) return { name, units: width, calls, run };
  const counted = async () => ((await run()).sum === sumTo(width) ? "counted" : "miscounted");
  return { name, units: width, calls, run: counted };
}

function peerFan(width: number): peer.PeerApp<{ sum: number }> {
  const sum = peer.Annotation<number>({ reducer: (a, b) => a + b, default: () => 0 });
  return new peer.StateGraph(peer.Annotation.Root({ sum }))
    .addNode("split", () => ({}))
    .addNode("work", async ({ i }: { i: number }) => ({ sum: i }))
    .addEdge(peer.START, "split")
    .addEdge("work", peer.END)
    .addConditionalEdges("split", () => Array.from({ length: width }, (_, i) => new peer.Send("work", { i })))
    .compile();
}

/** 0 + 1 + … up to but without `width`. */
function sumTo(width: number): number {
  return (width * (width - 1)) / 2;
}
