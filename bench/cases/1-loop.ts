/** Case 1: a loop of supersteps that nobody keeps. */

import { handWrittenLoop } from "../floors/hand-written.ts";
import { contest } from "../harness/contest.ts";
import { atLeast, atMost, type Case, timesOf } from "../harness/report.ts";
import { batonLoop, COUNTED, peerLoop, STEPS, withThread } from "./loop-graph.ts";

const PEER = "LangGraph.js, no checkpointer";
const BATON = "Baton, no checkpointer";
const FLOOR = "hand-written loop";

export const loop: Case = {
  title: "1. A loop of 1,000 supersteps in memory",
  about:
    "One async node that counts, and a conditional edge. The hand-written loop freezes a snapshot and records three objects per step.",
  async run() {
    const ours = batonLoop();
    const theirs = peerLoop();
    const timings = await contest(
      [
        { name: PEER, units: STEPS, run: () => theirs.invoke({ n: 0 }, withThread("t")) },
        { name: BATON, units: STEPS, calls: 20, run: () => ours.invoke({ n: 0 }, withThread("t")) },
        { name: FLOOR, units: STEPS, calls: 100, run: () => handWrittenLoop(STEPS) },
      ],
      { rounds: 15, result: COUNTED },
    );
    return {
      rows: timesOf(timings, "step"),
      figures: [
        atLeast("faster than LangGraph.js", timings.ratio(PEER, BATON), 50, 100),
        atMost("time of the hand-written loop", timings.ratio(BATON, FLOOR), 4),
      ],
    };
  },
};
