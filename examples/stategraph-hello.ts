/** A draft is written, checked, and shown to a person, who may send it back. */

import { Command, END, field, interrupt, isInterrupted, reducers, START, StateGraph } from "batonjs";
import { saver } from "./stategraph-saver.ts";

const graph = new StateGraph({
  topic: field<string>(),
  drafts: field<readonly string[]>({ reducer: reducers.append, default: [] }),
  approved: field<boolean>({ default: false }),
})
  .addNode("write", ({ topic, drafts }) => ({ drafts: [`${topic}, draft ${drafts.length + 1}`] }))
  .addNode("review", ({ drafts }) => ({ approved: interrupt<boolean>({ read: drafts.at(-1) }) }))
  .addEdge(START, "write")
  .addEdge("write", "review")
  .addConditionalEdges("review", ({ approved }) => (approved ? END : "write"));

const app = graph.compile({ checkpointer: saver() });
const thread = { configurable: { thread_id: "hello" } };

let result = await app.invoke({ topic: "Batons" }, thread);
for (const answer of [false, true]) {
  if (isInterrupted(result)) console.log("asked:", result.__interrupt__[0]?.value);
  result = await app.invoke(new Command({ resume: answer }), thread);
}
console.log(result);
// → asked: { read: 'Batons, draft 1' }
// → asked: { read: 'Batons, draft 2' }
// → { topic: 'Batons', drafts: [ 'Batons, draft 1', 'Batons, draft 2' ], approved: true }
