/** Looking back, changing one thing, and going on from there; what was recorded stays as it was. */

import { END, field, reducers, START, StateGraph } from "batonjs";
import { saver } from "./stategraph-saver.ts";

const app = new StateGraph({
  plan: field<string>(),
  log: field<string[]>({ reducer: reducers.append, default: [] }),
})
  .addNode("plan", () => ({ plan: "by train" }))
  .addNode("travel", ({ plan }) => ({ log: [`went ${plan}`] }))
  .addSequence(["plan", "travel"])
  .addEdge(START, "plan")
  .addEdge("travel", END)
  .compile({ checkpointer: saver() });

const thread = { threadId: "trip" };
console.log((await app.invoke({}, thread)).log);
// → [ 'went by train' ]

for await (const { config, next } of app.getStateHistory(thread)) {
  if (next[0] !== "travel") continue;
  await app.updateState(config, { plan: "by boat" });
  break;
}
console.log((await app.invoke(null, thread)).log);
// → [ 'went by boat' ]

const sources: string[] = [];
for await (const { metadata } of app.getStateHistory(thread)) sources.push(metadata.source);
console.log(sources.reverse().join(" "));
// → input loop loop fork update loop
