/** `batonjs/views`: what happened in a run as people see it, folded from its events; runs in Node and in a browser. */

export type { Event } from "./kernel/event.ts";
export { NameBook } from "./views/nodes.ts";
export { type Told, type Tone, tellNote } from "./views/notes.ts";
export { type QuestionLine, QuestionsView } from "./views/questions.ts";
export { type TextRef, textsIn } from "./views/texts.ts";
export { type Span, Timeline } from "./views/timeline.ts";
export { type Line, summary, Transcript } from "./views/transcript.ts";
