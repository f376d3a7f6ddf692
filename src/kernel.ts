/** `batonjs/kernel`: the kernel, its run loop and its ports, for authors of a dialect, a journal or an engine. */

export type { Failure, FailureCode } from "./base/failure.ts";
export { describeError, failure } from "./base/failure.ts";
export type { Issue } from "./base/issue.ts";
export { pointer } from "./base/issue.ts";
export type { Json, JsonObject } from "./base/json.ts";
export type { ChannelName, NodeName, QuestionId, RunId, TaskId } from "./base/names.ts";
export { runId } from "./base/names.ts";
export type { RefusalCode } from "./base/refusal.ts";
export { Refusal } from "./base/refusal.ts";
export { LocalRun, type LocalRunOptions, localHost, sha256 } from "./engines/local.ts";
export { MemoryJournal } from "./journals/memory.ts";
export { archiveState, restoreState } from "./kernel/archive.ts";
export type { Command } from "./kernel/command.ts";
export { decide } from "./kernel/command.ts";
export type {
  Asked,
  Event,
  Fact,
  Halt,
  OpenedTask,
  ProgramName,
  Result,
  Send,
  Write,
} from "./kernel/event.ts";
export { evolve } from "./kernel/evolve.ts";
export type { Advance, Decision, Returned } from "./kernel/next.ts";
export { advance, next } from "./kernel/next.ts";
export type { Change, Patch, Take } from "./kernel/patch.ts";
export type { Attempts, ChannelSpec, Limits, Pace, Plan, PlanNode } from "./kernel/plan.ts";
export type {
  Artifact,
  Ask,
  ChildRequest,
  ChildResult,
  Handler,
  Note,
  Outcome,
  Program,
  Reducer,
  TaskContext,
  TaskInput,
} from "./kernel/program.ts";
export type { Snapshot } from "./kernel/snapshot.ts";
export type { Question, RunState, RunStatus, Task, TaskPhase } from "./kernel/state.ts";
export { channelValue, emptyState, openQuestions, outputOf } from "./kernel/state.ts";
export type { Clock } from "./run/clock.ts";
export { systemClock } from "./run/clock.ts";
export { standingOf } from "./run/head.ts";
export type { Host, Progress } from "./run/host.ts";
export type {
  Batch,
  Journal,
  Maybe,
  RetainingJournal,
  RunFilter,
  RunHead,
  Standing,
  StoredSnapshot,
  StoredText,
  Vacuumed,
  VacuumOptions,
} from "./run/journal.ts";
export { Conflict } from "./run/journal.ts";
export type { Durability, LedgerOptions, Listener } from "./run/ledger.ts";
export { Ledger } from "./run/ledger.ts";
export { loadState, loadStateAt, readEvents } from "./run/load.ts";
export type { DriveOptions, Stop } from "./run/loop.ts";
export { drive, driveOn } from "./run/loop.ts";
