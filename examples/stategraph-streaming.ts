/** A run that is read while it goes on, and by a second reader who comes later. */

import { END, field, reducers, START, StateGraph } from "batonjs";
import { saver } from "./stategraph-saver.ts";

const app = new StateGraph({ pages: field<string[]>({ reducer: reducers.append, default: [] }) })
  .addNode("fetch", async (_state, { writer }) => {
    for (const percent of [50, 100]) writer({ percent });
    return { pages: ["one", "two"] };
  })
  .addNode("count", ({ pages }) => ({ pages: [`${pages.length} pages`] }))
  .addSequence(["fetch", "count"])
  .addEdge(START, "fetch")
  .addEdge("count", END)
  .compile({ checkpointer: saver() });

const thread = { threadId: "crawl" };
for await (const chunk of app.stream({}, { ...thread, streamMode: ["custom", "updates"] })) {
  console.log(JSON.stringify(chunk));
}
// → ["custom",{"percent":50}]
// → ["custom",{"percent":100}]
// → ["updates",{"fetch":{"pages":["one","two"]}}]
// → ["updates",{"count":{"pages":["2 pages"]}}]

const seen: number[] = [];
for await (const { seq } of app.events(thread)) seen.push(seq);
for await (const { chunk } of app.events(thread, { after: seen[0] ?? 0 })) console.log("later:", chunk);
// → later: { count: { pages: [ '2 pages' ] } }
