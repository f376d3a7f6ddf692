/** A conversation that is kept: each call of the thread goes on where the last one ended. */

import { END, type Message, MessageGraph, START } from "batonjs";
import { saver } from "./stategraph-saver.ts";

/** Stands for a model: it answers with what it has heard so far. */
function reply(messages: readonly Message[]): string {
  const heard = messages.filter(({ role }) => role === "user").map(({ content }) => content);
  return `So far you said: ${heard.join(", ")}.`;
}

const app = new MessageGraph()
  .addNode("answer", ({ messages }, { messageWriter }) => {
    const content = reply(messages);
    for (const word of content.split(" ")) messageWriter(word);
    return { messages: { id: `reply-${messages.length}`, role: "assistant", content } };
  })
  .addEdge(START, "answer")
  .addEdge("answer", END)
  .compile({ checkpointer: saver() });

const thread = { configurable: { thread_id: "chat" } };
await app.invoke({ messages: "hello" }, thread);

const words: string[] = [];
for await (const [word] of app.stream({ messages: "goodbye" }, { ...thread, streamMode: "messages" })) {
  words.push(String(word));
}
console.log(words.length, words.at(-1));
// → 6 goodbye.
const { messages } = (await app.getState(thread)).values;
console.log(messages.map(({ role }) => role).join(" "));
// → user assistant user assistant
