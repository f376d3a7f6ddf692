/** `batonjs/client`: a studio from elsewhere, and what a page needs to show what it says. It runs in a browser. */

export { type Issue, pointer } from "./base/issue.ts";
export { isJsonObject, type Json, type JsonObject, sameJson } from "./base/json.ts";
export type { QuestionId, RunId, TaskId } from "./base/names.ts";
export {
  type Client,
  type ClientOptions,
  createClient,
  type FollowOptions,
  type RunsFilter,
  type VisitsFilter,
} from "./client/client.ts";
export { readSse, type SseMessage } from "./client/sse-reader.ts";
export { StudioError } from "./client/studio-error.ts";
export type { Budget } from "./dialects/budget.ts";
export type { Drawing as GraphDrawing } from "./dialects/graph/drawing.ts";
export type { Edge, InboxDefinition, InboxFile, InboxNode } from "./dialects/inbox/definition.ts";
export { drawInbox, type InboxDrawing } from "./dialects/inbox/draw.ts";
export { editInbox, type InboxEdit } from "./dialects/inbox/edit.ts";
export { checkInbox, type InboxCheck, isInbox, type ReadInbox, readInbox } from "./dialects/inbox/read.ts";
export type {
  DeliveryLine,
  InboxWarning,
  NodeLine,
  PromptLine,
  RejectionLine,
  TurnLine,
} from "./dialects/inbox/result.ts";
export { inboxJsonSchema } from "./dialects/inbox/schema.ts";
export { InboxView, inboxResult } from "./dialects/inbox/view.ts";
export { BUNDLED } from "./dialects/loadout/bundled.ts";
export { checkLoadout, type LoadoutCheck } from "./dialects/loadout/check/check.ts";
export type {
  Config,
  Limits,
  Loadout,
  LoadoutDefinition,
  Materia,
  Socket,
} from "./dialects/loadout/definition.ts";
export {
  type DrawnEdge,
  type DrawnSocket,
  drawLoadout,
  type LoadoutDrawing,
} from "./dialects/loadout/draw.ts";
export type { Proof } from "./dialects/loadout/prove/prove.ts";
export { isLoadout, type ReadLoadout, type ReadOptions, readLoadout } from "./dialects/loadout/read.ts";
export { loadoutJsonSchema } from "./dialects/loadout/schema.ts";
export {
  type LoadoutResult,
  type LoadoutRoute,
  LoadoutView,
  type LoadoutVisit,
  type LoadoutWarning,
  loadoutResult,
} from "./dialects/loadout/view.ts";
export type { Termination } from "./dialects/termination.ts";
export { type Difference, differences } from "./history/difference.ts";
export type { Event, OpenedTask } from "./kernel/event.ts";
export { evolve } from "./kernel/evolve.ts";
export type { Plan } from "./kernel/plan.ts";
export {
  channelValue,
  emptyState,
  openQuestions,
  type Question,
  type RunState,
  type Task,
} from "./kernel/state.ts";
export type { AnswerOf, Answers, DiffDocument, EventsPage, SimulationDocument } from "./protocol/answers.ts";
export type {
  ForkRequest,
  RunVerb,
  SaveRequest,
  SimulateRequest,
  StartRequest,
} from "./protocol/requests.ts";
export type { CheckDocument, ErrorDocument, IssueLine, ResultDocument } from "./protocol/result.ts";
export { ROUTES, type Route, type RouteName } from "./protocol/routes.ts";
export type {
  DefinitionDocument,
  DefinitionKind,
  DefinitionLine,
  FeedMessage,
  MomentDocument,
  PastVisit,
  ProjectDocument,
  QuestionDocument,
  RunDocument,
  RunLine,
  RunsPage,
  StreamMessage,
  VisitsPage,
} from "./protocol/studio.ts";
export { type NameOf, namesIn } from "./views/labels.ts";
export { NameBook } from "./views/nodes.ts";
export type { Tone } from "./views/notes.ts";
export { type QuestionLine, QuestionsView } from "./views/questions.ts";
export { type TextRef, textsIn } from "./views/texts.ts";
export { type Span, Timeline } from "./views/timeline.ts";
export { type Line, summary, Transcript } from "./views/transcript.ts";
