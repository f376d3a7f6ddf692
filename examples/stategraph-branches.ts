/** Branches side by side, a join that waits for both, and the same graph without a barrier. */

import { END, field, reducers, START, StateGraph } from "batonjs";
import { saver } from "./stategraph-saver.ts";

const after = (ms: number, text: string) => async () => {
  await new Promise((resolve) => setTimeout(resolve, ms));
  return { log: [text] };
};

const graph = new StateGraph({ log: field<string[]>({ reducer: reducers.append, default: [] }) })
  .addNode("search", after(400, "search"))
  .addNode("outline", after(1, "outline"))
  .addNode("draft", after(1, "draft"))
  .addNode("publish", after(1, "publish"))
  .addEdge(START, "search")
  .addEdge(START, "outline")
  .addEdge("outline", "draft")
  .addEdge(["search", "draft"], "publish")
  .addEdge("publish", END);

for (const pace of ["step", "turn"] as const) {
  const app = graph.compile({ checkpointer: saver(), pace });
  console.log(pace, (await app.invoke({}, { threadId: pace })).log.join(" → "));
}
// → step search → outline → draft → publish
// → turn outline → draft → search → publish
