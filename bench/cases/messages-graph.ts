/** A list of messages that grows by 1 KiB per step, as both sides write it. */

import * as peer from "@langchain/langgraph";
import { END, field, type Message, reducers, START, StateGraph } from "../../src/index.ts";
import type { Journal } from "../../src/run/journal.ts";

/** Bytes of text per message. */
export const KIB = 1024;

export interface Growth {
  /** Steps to take. */
  readonly steps: number;
  /** Called at the end of the last step, while the run still holds everything. */
  readonly atEnd?: () => void;
}

/** On Baton the list is one of messages, which finds the place of each by its id. */
export function batonMessages(checkpointer: Journal | undefined, { steps, atEnd }: Growth) {
  return new StateGraph({
    n: field<number>({ default: 0 }),
    messages: field<readonly Message[]>({ reducer: reducers.messages as never, default: [] }),
  })
    .addNode("a", async ({ n }) => {
      if (n + 1 === steps) atEnd?.();
      return { n: n + 1, messages: [message(n)] };
    })
    .addEdge(START, "a")
    .addConditionalEdges("a", ({ n }) => (n < steps ? "a" : END))
    .compile({ checkpointer });
}

/** On the peer it is a plain list, which is its fastest: its own reducer of messages makes each an instance of a class. */
export function peerMessages(
  checkpointer: object,
  { steps }: Growth,
): peer.PeerApp<{ n: number; messages: readonly object[] }> {
  const messages = peer.Annotation<readonly object[]>({ reducer: (a, b) => [...a, ...b], default: () => [] });
  return new peer.StateGraph(peer.Annotation.Root({ n: peer.Annotation<number>(), messages }))
    .addNode("a", async ({ n }: { n: number }) => ({ n: n + 1, messages: [message(n)] }))
    .addEdge(peer.START, "a")
    .addConditionalEdges("a", ({ n }) => (n < steps ? "a" : peer.END))
    .compile({ checkpointer });
}

/** What tells whether a result is right: how many messages there are, and the last one. */
export function summary(state: { readonly messages: readonly object[] }): object {
  return { count: state.messages.length, last: state.messages.at(-1) };
}

export function expected(steps: number): object {
  return { count: steps, last: message(steps - 1) };
}

/** The message of a step. Its text is a flat string: one that is put together lazily would share its parts with others. */
export function message(n: number): { id: string; role: string; content: string } {
  const text = Buffer.alloc(KIB, "abcdefghijklmnopqrstuvwxyz ");
  text.write(`${n} `, "latin1");
  return { id: `m${n}`, role: "user", content: text.toString("latin1") };
}
