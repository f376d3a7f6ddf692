/** A workflow as plain code: a loop, two tasks, a question, and a memory from one run to the next. */

import { Command, entrypoint, getPreviousState, interrupt, isInterrupted, task } from "batonjs";
import { saver } from "./stategraph-saver.ts";

let written = 0;
const write = task({ name: "write", retryPolicy: { initialInterval: 1 } }, (topic: string) => {
  written++;
  return `On ${topic}, version ${written}`;
});
const count = task("count", (text: string) => text.split(" ").length);

const essay = entrypoint({ name: "essay", checkpointer: saver() }, async (topic: string) => {
  const before = getPreviousState<readonly string[]>() ?? [];
  for (;;) {
    const text = await write(topic);
    const words = await count(text);
    if (interrupt<boolean>({ text, words }))
      return entrypoint.final({ value: text, save: [...before, topic] });
  }
});

const thread = { threadId: "essays" };
for (const topic of ["cats", "dogs"]) {
  let result = await essay.invoke(topic, thread);
  for (const answer of [false, true]) {
    if (isInterrupted(result)) console.log("asked:", result.__interrupt__[0]?.value);
    result = await essay.invoke(new Command({ resume: answer }), thread);
  }
  console.log(result);
}
// → asked: { text: 'On cats, version 1', words: 4 }
// → asked: { text: 'On cats, version 2', words: 4 }
// → On cats, version 2
// → asked: { text: 'On dogs, version 3', words: 4 }
// → asked: { text: 'On dogs, version 4', words: 4 }
// → On dogs, version 4
console.log((await essay.getState(thread)).values.previous);
// → [ 'cats', 'dogs' ]
