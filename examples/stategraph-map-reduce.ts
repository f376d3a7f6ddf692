/** Several reviewers read a text side by side, each asks a person, and their verdicts come together. */

import { Command, END, field, interrupt, reducers, Send, StateGraph } from "batonjs";
import { saver } from "./stategraph-saver.ts";

interface Assignment {
  readonly reviewer: string;
  readonly text: string;
}

const graph = new StateGraph({
  text: field<string>(),
  reviewers: field<readonly string[]>(),
  verdicts: field<Readonly<Record<string, string>>>({ reducer: reducers.merge, default: {} }),
  summary: field<string>(),
})
  .addNode("review", ({ reviewer, text }: Assignment) => ({
    verdicts: { [reviewer]: interrupt<string>(`${reviewer}, what do you think of "${text}"?`) },
  }))
  .addNode("summarise", ({ verdicts }) => ({
    summary: Object.entries(verdicts)
      .map(([reviewer, verdict]) => `${reviewer}: ${verdict}`)
      .join(", "),
  }))
  .setConditionalEntryPoint(({ reviewers, text }) =>
    reviewers.map((reviewer) => new Send("review", { reviewer, text })),
  )
  .addEdge("review", "summarise")
  .addEdge("summarise", END);

const app = graph.compile({ checkpointer: saver() });
const thread = { configurable: { thread_id: "reviews" } };

const asked = await app.invoke({ text: "Batons", reviewers: ["Ada", "Grace"] }, thread);
const questions = asked.__interrupt__ ?? [];
for (const { id, value } of questions) console.log(id, value);
// → 1/review:0 Ada, what do you think of "Batons"?
// → 1/review#1:0 Grace, what do you think of "Batons"?

const answers = Object.fromEntries(
  questions.map(({ id }, index) => [id, index === 0 ? "fine" : "too short"]),
);
const { summary } = await app.invoke(new Command({ resume: answers }), thread);
console.log(summary);
// → Ada: fine, Grace: too short
console.log(app.getGraph().drawMermaid().split("\n").at(1));
// →   __start__(["__start__"]):::ends
