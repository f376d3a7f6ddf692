/** Three ways to decide where to go: a path map, a command, and a handler for what nobody foresaw. */

import { Command, END, field, START, StateGraph } from "batonjs";
import { saver } from "./stategraph-saver.ts";

const app = new StateGraph({
  text: field<string>(),
  kind: field<string>(),
  answer: field<string>(),
})
  .addNode("classify", ({ text }) => ({ kind: text.endsWith("?") ? "question" : "order" }))
  .addNode(
    "answer",
    ({ text }) => {
      if (text.includes("why")) throw new Error("nobody knows why");
      return { answer: "42" };
    },
    { onError: (error) => ({ answer: `Sorry, ${(error as Error).message}.` }) },
  )
  .addNode(
    "triage",
    ({ text }) => new Command({ update: { kind: "urgent order" }, goto: text.includes("now") ? "act" : END }),
    { ends: ["act", END] },
  )
  .addNode("act", ({ kind }) => ({ answer: `Done: ${kind}` }))
  .addEdge(START, "classify")
  .addConditionalEdges("classify", ({ kind }) => kind, { question: "answer", default: "triage" })
  .addEdge("answer", END)
  .addEdge("act", END)
  .compile({ checkpointer: saver() });

for (const text of ["how many?", "but why?", "ship it now"]) {
  const { kind, answer } = await app.invoke({ text }, { threadId: text.replaceAll(/\W/g, "-") });
  console.log(`${text} (${kind}): ${answer}`);
}
// → how many? (question): 42
// → but why? (question): Sorry, nobody knows why.
// → ship it now (urgent order): Done: urgent order
