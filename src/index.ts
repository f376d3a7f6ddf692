/** `batonjs`: build a state graph, compile it, run it. */

export type { Issue } from "./base/issue.ts";
export { type Cache, type CacheEntry, MemoryCache } from "./dialects/graph/cache.ts";
export {
  BinaryOperatorAggregate,
  Channel,
  EphemeralValue,
  LastValue,
  type ReducerFunction,
  Topic,
} from "./dialects/graph/channels.ts";
export {
  Command,
  type CommandOptions,
  type Goto,
  Overwrite,
  type ParentCommand,
  Send,
} from "./dialects/graph/command.ts";
export type { NodeConfig, PathConfig } from "./dialects/graph/config.ts";
export type { Drawing, DrawnEdge, DrawnNode } from "./dialects/graph/drawing.ts";
export {
  EmptyChannelError,
  EmptyInputError,
  GraphError,
  GraphRecursionError,
  InvalidGraphError,
  InvalidUpdateError,
  NodeExecutionError,
  NodeTimeoutError,
  TaskNotFound,
  ThreadConflictError,
  UnknownTargetError,
} from "./dialects/graph/errors.ts";
export {
  type Definition,
  Field,
  type FieldOptions,
  field,
  type PartialOf,
  Schema,
  type StateOf,
} from "./dialects/graph/field.ts";
export { interrupt } from "./dialects/graph/interrupt.ts";
export {
  type Message,
  type MessageUpdate,
  REMOVE_ALL,
  type RemoveMessage,
  removeMessage,
} from "./dialects/graph/messages.ts";
export { END, END_NODE, START } from "./dialects/graph/names.ts";
export type {
  CachePolicy,
  ErrorHandler,
  NodeDefaults,
  NodeOptions,
  RetryPolicy,
  Timeout,
} from "./dialects/graph/node-options.ts";
export { reducers } from "./dialects/graph/reducers.ts";
export type { StandardSchema } from "./dialects/graph/standard-schema.ts";
export { CompiledStateGraph, type InputOf, type StateUpdate } from "./stategraph/compiled.ts";
export {
  type EntrypointOptions,
  entrypoint,
  Final,
  getPreviousState,
  Workflow,
} from "./stategraph/entrypoint.ts";
export type { FollowOptions, RecordedChunk } from "./stategraph/follow.ts";
export type { HistoryOptions } from "./stategraph/history.ts";
export { JournalCache } from "./stategraph/journal-cache.ts";
export { MemorySaver } from "./stategraph/memory-saver.ts";
export { MessageGraph, type MessagesField } from "./stategraph/message-graph.ts";
export type { Source, StateSnapshot, TaskSnapshot } from "./stategraph/moments.ts";
export { type Interrupt, type Interrupted, isInterrupted } from "./stategraph/outcome.ts";
export type { RunConfig, StreamMode } from "./stategraph/run-config.ts";
export {
  type NodeAction,
  type NodeResult,
  StateGraph,
} from "./stategraph/state-graph.ts";
export type { StateGraphCompileOptions, StateGraphOptions } from "./stategraph/state-graph-options.ts";
export type { ChunkStream } from "./stategraph/stream.ts";
export type { DebugChunk, MessageChunk, TaskChunk, UpdateChunk } from "./stategraph/stream-types.ts";
export { type TaskOptions, task } from "./stategraph/task.ts";
