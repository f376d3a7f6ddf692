/** Case 6: going on with a thread that another process has left, after a hundred steps or ten thousand. */

import * as peer from "@langchain/langgraph";
import { END, field, START, StateGraph } from "../../src/index.ts";
import type { Journal } from "../../src/run/journal.ts";
import { SqliteJournal } from "../../src/sqlite.ts";
import { type Contender, contest } from "../harness/contest.ts";
import { freshPath } from "../harness/folder.ts";
import { atMost, type Case, timesOf } from "../harness/report.ts";
import { openPeerSaver } from "../peer/sqlite.ts";
import { withThread } from "./loop-graph.ts";

const SHORT = 100;
const LONG = 10_000;
/** The peer takes long for more. */
const PEER_STEPS = 1000;

export const resume: Case = {
  title: "6. Cold resume",
  about:
    "A new journal object on the file, a newly built graph, and a call that takes the thread one step further; timed from opening the file to the result. The file is in the cache of the system.",
  async run() {
    const short = await batonThread(SHORT);
    const long = await batonThread(LONG);
    const timings = await contest([short, long, await peerThread(PEER_STEPS)], {
      rounds: 15,
      result: "one step further",
    });
    const total = timings.of(long.name);
    const inMilliseconds = {
      median: total.median / 1000,
      low: total.low / 1000,
      high: total.high / 1000,
    };
    return {
      rows: timesOf(timings, "resume"),
      figures: [
        atMost("resume at 10,000 steps", inMilliseconds, 100, "ms"),
        atMost("time at 10,000 steps to that at 100", timings.ratio(long.name, short.name), 1.5),
      ],
    };
  },
};

interface Counted {
  readonly n: number;
  readonly until: number;
}

/** Each call takes the thread a step further than the call before. */
function further(name: string, steps: number, call: (until: number) => Promise<Counted>): Contender {
  let until = steps;
  return {
    name,
    units: 1,
    calls: 4,
    run: async () => {
      until++;
      const { n } = await call(until);
      return n === until ? "one step further" : `${n} of ${until}`;
    },
  };
}

async function batonThread(steps: number): Promise<Contender> {
  const path = freshPath("thread.db");
  const call = async (until: number) => {
    const journal = new SqliteJournal(path);
    const state = await batonUntil(journal).invoke({ until }, withThread("t"));
    journal.close();
    return state;
  };
  await call(steps);
  return further(`Baton, ${steps.toLocaleString("en")} steps`, steps, call);
}

async function peerThread(steps: number): Promise<Contender> {
  const path = freshPath("peer-thread.db");
  const call = async (input: Partial<Counted>) => {
    const { saver, close } = openPeerSaver(path);
    const state = await peerUntil(saver).invoke(input, withThread("t"));
    close();
    return state;
  };
  await call({ n: 0, until: steps });
  return further(`LangGraph.js, ${steps.toLocaleString("en")} steps`, steps, (until) => call({ until }));
}

function batonUntil(checkpointer: Journal) {
  return new StateGraph({ n: field<number>({ default: 0 }), until: field<number>() })
    .addNode("a", async ({ n }) => ({ n: n + 1 }))
    .addEdge(START, "a")
    .addConditionalEdges("a", ({ n, until }) => (n < until ? "a" : END))
    .compile({ checkpointer });
}

function peerUntil(checkpointer: object): peer.PeerApp<Counted> {
  const root = peer.Annotation.Root({ n: peer.Annotation<number>(), until: peer.Annotation<number>() });
  return new peer.StateGraph(root)
    .addNode("a", async ({ n }: Counted) => ({ n: n + 1 }))
    .addEdge(peer.START, "a")
    .addConditionalEdges("a", ({ n, until }) => (n < until ? "a" : peer.END))
    .compile({ checkpointer });
}
