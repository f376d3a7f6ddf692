/** A team as a node: it asks a question of its own, goes on where it stood, and may hand the work back up. */

import { Command, END, field, interrupt, reducers, START, StateGraph } from "batonjs";
import { saver } from "./stategraph-saver.ts";

const log = { log: field<string[]>({ reducer: reducers.append, default: [] }) };
let reviews = 0;

const team = new StateGraph({ ...log, draft: field<string>() })
  .addNode("write", async (_, { once }) => {
    const version = await once("version", () => ++reviews); // kept, so that a replay knows it too
    return { draft: `draft, version ${version}`, log: ["written"] };
  })
  .addNode("review", ({ draft }) => {
    const verdict = interrupt<string>(`What about this ${draft}?`);
    if (verdict === "legal") return new Command({ graph: Command.PARENT, goto: "lawyer" });
    return { log: [`team says ${verdict}`] };
  })
  .addSequence(["write", "review"])
  .addEdge(START, "write")
  .addEdge("review", END)
  .compile();

const app = new StateGraph(log)
  .addNode("team", team, { ends: ["lawyer", END] })
  .addNode("lawyer", () => ({ log: ["lawyer says no"] }))
  .addEdge(START, "team")
  .addEdge("lawyer", END)
  .compile({ checkpointer: saver() });

for (const answer of ["fine", "legal"]) {
  const thread = { threadId: answer };
  const asked = await app.invoke({}, thread);
  console.log(asked.__interrupt__?.[0]?.value);
  console.log((await app.invoke(new Command({ resume: answer }), thread)).log.join(", "));
}
// → What about this draft, version 1?
// → written, team says fine
// → What about this draft, version 2?
// → written, lawyer says no
