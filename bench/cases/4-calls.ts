/** Case 4: many calls of a small graph, and one step of many branches. */

import * as peer from "@langchain/langgraph";
import { END, field, reducers, START, StateGraph } from "../../src/index.ts";
import { contest } from "../harness/contest.ts";
import { atLeast, type Case, timesOf } from "../harness/report.ts";

const CALLS = 1000;
const BRANCHES = Array.from({ length: 100 }, (_, index) => `b${index}`);

const PEER_CALLS = "LangGraph.js, a call of a one-node graph";
const CALLS_OF_BATON = "Baton, a call of a one-node graph";
const PEER_BRANCHES = "LangGraph.js, 100 parallel branches";
const BRANCHES_OF_BATON = "Baton, 100 parallel branches";

export const calls: Case = {
  title: "4. A thousand calls, a hundred branches",
  about:
    "1,000 calls, one after the other, of a graph of one async node; and one call of a graph in which START leads to 100 async nodes whose results a reducer adds.",
  async run() {
    const one = await contest(
      [
        { name: PEER_CALLS, units: CALLS, run: () => oneAfterTheOther(peerOne()) },
        { name: CALLS_OF_BATON, units: CALLS, calls: 10, run: () => oneAfterTheOther(batonOne()) },
      ],
      { rounds: 9, result: { n: CALLS } },
    );
    const theirs = peerBranches();
    const ours = batonBranches();
    const branches = await contest(
      [
        { name: PEER_BRANCHES, units: 1, calls: 5, run: () => theirs.invoke({}) },
        { name: BRANCHES_OF_BATON, units: 1, calls: 200, run: () => ours.invoke({}) },
      ],
      { rounds: 9, result: { sum: BRANCHES.length } },
    );
    return {
      rows: [...timesOf(one, "call"), ...timesOf(branches, "call")],
      figures: [
        atLeast("faster than LangGraph.js, calls", one.ratio(PEER_CALLS, CALLS_OF_BATON), 50),
        atLeast("faster than LangGraph.js, branches", branches.ratio(PEER_BRANCHES, BRANCHES_OF_BATON), 50),
      ],
    };
  },
};

interface Counts {
  invoke(input: { n: number }): Promise<{ n: number }>;
}

/** Each call counts on from the one before. */
async function oneAfterTheOther(app: Counts): Promise<{ n: number }> {
  let state = { n: 0 };
  for (let call = 0; call < CALLS; call++) state = await app.invoke(state);
  return state;
}

function batonOne(): Counts {
  return new StateGraph({ n: field<number>() })
    .addNode("a", async ({ n }) => ({ n: n + 1 }))
    .addEdge(START, "a")
    .addEdge("a", END)
    .compile();
}

function peerOne(): Counts {
  return new peer.StateGraph(peer.Annotation.Root({ n: peer.Annotation<number>() }))
    .addNode("a", async ({ n }: { n: number }) => ({ n: n + 1 }))
    .addEdge(peer.START, "a")
    .addEdge("a", peer.END)
    .compile();
}

function batonBranches() {
  const graph = new StateGraph({ sum: field<number>({ reducer: reducers.add, default: 0 }) });
  for (const name of BRANCHES) {
    graph.addNode(name, async () => ({ sum: 1 }));
    graph.addEdge(START, name).addEdge(name as never, END);
  }
  return graph.compile();
}

function peerBranches(): peer.PeerApp<{ sum: number }> {
  const sum = peer.Annotation<number>({ reducer: (a, b) => a + b, default: () => 0 });
  const graph = new peer.StateGraph(peer.Annotation.Root({ sum }));
  for (const name of BRANCHES) {
    graph
      .addNode(name, async () => ({ sum: 1 }))
      .addEdge(peer.START, name)
      .addEdge(name, peer.END);
  }
  return graph.compile();
}
