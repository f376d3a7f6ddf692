/** `batonjs/inbox`: agents that write to each other; their graphs checked, drawn, run, edited while they run, and told. */

export type { Changes, WorkingTree } from "./agent/working-tree.ts";
export { amendInbox } from "./dialects/inbox/amend.ts";
export { checkAnswer } from "./dialects/inbox/approval.ts";
export { budgetWrites } from "./dialects/inbox/budget.ts";
export { type Message, messageInbox, resumeWrites, startInbox } from "./dialects/inbox/commands.ts";
export { compileInbox } from "./dialects/inbox/compile.ts";
export type { Edge, InboxDefinition, InboxNode, Workspace } from "./dialects/inbox/definition.ts";
export { drawInbox, type InboxDrawing } from "./dialects/inbox/draw.ts";
export { editInbox, type InboxEdit } from "./dialects/inbox/edit.ts";
export type { Envelope, Payload, Reference } from "./dialects/inbox/envelope.ts";
export type { InboxServices, WorktreeGround } from "./dialects/inbox/ports.ts";
export { checkInbox, type InboxCheck, isInbox, type ReadInbox, readInbox } from "./dialects/inbox/read.ts";
export { type ReadEdits, readEdits } from "./dialects/inbox/read-edits.ts";
export type {
  DeliveryLine,
  InboxResult,
  InboxWarning,
  NodeLine,
  NodeStatus,
  PromptLine,
  RejectionLine,
  TurnLine,
  TurnStatus,
} from "./dialects/inbox/result.ts";
export { inboxJsonSchema } from "./dialects/inbox/schema.ts";
export { InboxView, inboxResult } from "./dialects/inbox/view.ts";
export { InboxRun, type InboxRunOptions } from "./engines/inbox.ts";
export { GitWorkingTree, type GitWorkingTreeOptions } from "./providers/working-tree/git-working-tree.ts";
