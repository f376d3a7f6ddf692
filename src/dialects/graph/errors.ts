/** The errors that users of a state graph meet, under the names that they know. */

import type { Issue } from "../../base/issue.ts";
import type { NodeName } from "../../base/names.ts";

/** What all errors of a graph have in common. */
export class GraphError extends Error {
  override readonly name: string = "GraphError";
}

/** A definition cannot be compiled; `issues` holds everything that is wrong with it. */
export class InvalidGraphError extends GraphError {
  override readonly name: string = "InvalidGraphError";
  readonly issues: readonly Issue[];

  constructor(issues: readonly Issue[]) {
    const lines = issues.map(({ message, hint }) => `- ${message} ${hint}`);
    super(`The graph cannot be compiled:\n${lines.join("\n")}`);
    this.issues = issues;
  }
}

/** A run took more supersteps than it may; its state is kept. */
export class GraphRecursionError extends GraphError {
  override readonly name: string = "GraphRecursionError";
}

/** An update does not fit the state: an unknown key, a value that cannot be kept, two values for one field. */
export class InvalidUpdateError extends GraphError {
  override readonly name: string = "InvalidUpdateError";
}

/** A node threw. The siblings of its superstep have finished; `invoke(null)` runs only what has not. */
export class NodeExecutionError extends GraphError {
  override readonly name: string = "NodeExecutionError";
  readonly node: NodeName;
  /** The id of the execution that failed, such as `3/review`. */
  readonly task: string;
  /** What the node threw: the error itself, or its description when another process ran it. */
  override readonly cause: unknown;

  constructor(where: { readonly node: NodeName; readonly task: string }, message: string, cause: unknown) {
    super(`Node ${JSON.stringify(where.node)} failed: ${message}`);
    this.node = where.node;
    this.task = where.task;
    this.cause = cause;
  }
}

/** There is no input, and no run that could go on without one. */
export class EmptyInputError extends GraphError {
  override readonly name: string = "EmptyInputError";
}

/** The output declares a field that has to hold something, and nobody wrote to it. */
export class EmptyChannelError extends GraphError {
  override readonly name: string = "EmptyChannelError";
}

/** No question with the id that was given waits for an answer, or none waits at all. */
export class TaskNotFound extends GraphError {
  override readonly name: string = "TaskNotFound";
}

/** A route led to a node that does not exist. Users see it as the `cause` of a `NodeExecutionError`. */
export class UnknownTargetError extends GraphError {
  override readonly name: string = "UnknownTargetError";
}

/** A node took longer than its `timeout` allows; with a retry policy it is tried again. */
export class NodeTimeoutError extends GraphError {
  override readonly name: string = "NodeTimeoutError";
  readonly node: NodeName;
  /** `run`: the attempt took too long in all. `idle`: it showed no sign of life for too long. */
  readonly limit: "run" | "idle";

  constructor(node: NodeName, limit: "run" | "idle", milliseconds: number) {
    const what = limit === "run" ? "did not finish" : "showed no sign of life";
    super(`Node ${JSON.stringify(node)} ${what} within ${milliseconds} ms.`);
    this.node = node;
    this.limit = limit;
  }
}

/** Another call went on with the thread at the same time, and won; what it recorded counts. */
export class ThreadConflictError extends GraphError {
  override readonly name: string = "ThreadConflictError";
}

const FROZEN = /read only property|not extensible|Cannot (delete|define|assign) /;

/** Says whether this is what the engines throw when somebody changes what is frozen. */
export function isOfFrozen(thrown: unknown): thrown is TypeError {
  return thrown instanceof TypeError && FROZEN.test(thrown.message);
}
