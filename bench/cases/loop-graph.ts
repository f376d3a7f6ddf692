/** The loop of the first cases, as both sides write it: one node counts, and leads to itself until it is there. */

import * as peer from "@langchain/langgraph";
import { END, field, START, StateGraph } from "../../src/index.ts";
import type { Journal } from "../../src/run/journal.ts";

export const STEPS = 1000;
/** What every loop comes to. */
export const COUNTED: { readonly n: number } = { n: STEPS };

export function batonLoop(checkpointer?: Journal, steps: number = STEPS) {
  return new StateGraph({ n: field<number>({ default: 0 }) })
    .addNode("a", async ({ n }) => ({ n: n + 1 }))
    .addEdge(START, "a")
    .addConditionalEdges("a", ({ n }) => (n < steps ? "a" : END))
    .compile({ checkpointer });
}

export function peerLoop(checkpointer?: object, steps: number = STEPS): peer.PeerApp<{ n: number }> {
  return new peer.StateGraph(peer.Annotation.Root({ n: peer.Annotation<number>() }))
    .addNode("a", async ({ n }: { n: number }) => ({ n: n + 1 }))
    .addEdge(peer.START, "a")
    .addConditionalEdges("a", ({ n }) => (n < steps ? "a" : peer.END))
    .compile(checkpointer && { checkpointer });
}

/** The config of a call; both count a superstep more or less, so the limit is never what stops it. */
export function withThread(thread: string): {
  readonly configurable: { readonly thread_id: string };
  readonly recursionLimit: number;
} {
  return { configurable: { thread_id: thread }, recursionLimit: 1_000_000 };
}
