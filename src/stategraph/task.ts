/**
 * A task is a step of a workflow that is written as plain code: a function whose result is recorded.
 *
 * 1. When the workflow runs again, after an answer or a crash, a task that finished hands back what it returned then.
 * 2. The n-th call of a task by its name is the same call each time: between tasks, a workflow does the same again.
 * 3. What failed was not recorded, and runs again.
 */

import type { Json } from "../base/json.ts";
import { checkRetry, refuseIssues, unknownOptions } from "../dialects/graph/check-options.ts";
import { GraphError } from "../dialects/graph/errors.ts";
import { isWorthRetrying } from "../dialects/graph/failed.ts";
import {
  type Asking,
  callInScope,
  currentScope,
  isSuspension,
  type Scope,
} from "../dialects/graph/interrupt.ts";
import { attemptsOf, type RetryPolicy } from "../dialects/graph/node-options.ts";
import { open, seal } from "../dialects/graph/values.ts";
import { delay } from "../kernel/settle.ts";
import { systemMachine } from "./timer.ts";

/** What a task is called, and how often it is tried. */
export interface TaskOptions {
  /** Names the task in the log and in streams. */
  readonly name: string;
  /** How often it is tried; once when absent. */
  readonly retryPolicy?: RetryPolicy;
}

const OPTIONS: Readonly<Record<keyof TaskOptions, true>> = { name: true, retryPolicy: true };

/** What is recorded of a task that finished. */
interface Finished {
  readonly value: Json;
  /** The questions that it asked, whose answers belong to it. */
  readonly calls: readonly number[];
}

/**
 * Makes a task of a function. It can be called in an `entrypoint` or in a node, any number of times, also at once. Its
 * result is recorded, so it has to be something that a state can hold. Throws a `GraphError` when called elsewhere.
 */
export function task<Args extends readonly unknown[], Result>(
  options: string | TaskOptions,
  work: (...args: Args) => Result | Promise<Result>,
): (...args: Args) => Promise<Result> {
  const given: TaskOptions = typeof options === "string" ? { name: options } : options;
  const { name, retryPolicy } = given;
  const what = `task ${JSON.stringify(name)}`;
  refuseIssues([
    ...unknownOptions(given, OPTIONS, { at: [], what }),
    ...checkRetry(retryPolicy, { at: ["retryPolicy"], what: `the retryPolicy of ${what}` }),
  ]);
  if (typeof name !== "string" || typeof work !== "function") {
    throw new GraphError("task(options, work) takes a name, alone or as an option, and a function.");
  }
  return async (...args) => {
    const scope = currentScope();
    if (scope === undefined) {
      throw new GraphError(
        `Task ${name} was called outside of an entrypoint: only there is its result recorded.`,
      );
    }
    const key = `task ${name}#${count(scope.asking, name)}`;
    const { context } = scope.asking;
    const known = context.recall(key) as Finished | undefined; // this function wrote it
    if (known !== undefined) {
      scope.asking.reserve(known.calls);
      return open(known.value) as Result; // sealed from one, below
    }
    const calls: number[] = [];
    const inner: Scope = { ...scope, onCall: (call) => calls.push(call) };
    const finished = await context.once(key, async () => {
      const run = () => callInScope(inner, work, args);
      const value = await tried(run, { scope, key, retryPolicy });
      return { value: seal(value, `The result of task ${name}`), calls };
    });
    scope.config.heartbeat();
    const result = open(finished.value) as Result; // sealed from one, above
    context.progress({ mode: "updates", chunk: { [name]: result } });
    return result;
  };
}

interface Trying {
  readonly scope: Scope;
  readonly key: string;
  readonly retryPolicy: RetryPolicy | undefined;
}

async function tried<T>(run: () => T | Promise<T>, { scope, key, retryPolicy }: Trying): Promise<T> {
  if (retryPolicy === undefined) return run();
  const attempts = attemptsOf(retryPolicy);
  const { asking, config } = scope;
  for (let made = 1; ; made++) {
    try {
      return await run();
    } catch (error) {
      const isOver = made >= attempts.max || config.signal.aborted || isSuspension(error);
      if (isOver || !isWorthRetrying(retryPolicy, error)) throw error;
      const seed = `${asking.context.run}/${asking.context.task}/${key}/${made}`;
      await systemMachine.sleep(delay(attempts, made, seed), config.signal);
    }
  }
}

/** How often each task was called in one run of a workflow. */
const counts = new WeakMap<Asking, Map<string, number>>();

function count(asking: Asking, name: string): number {
  const known = counts.get(asking) ?? new Map<string, number>();
  counts.set(asking, known);
  const number = known.get(name) ?? 0;
  known.set(name, number + 1);
  return number;
}
