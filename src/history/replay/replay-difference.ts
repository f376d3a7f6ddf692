/** A replay difference is the first place where a replay and a log are not the same, for programs and for people. */

import type { Json } from "../../base/json.ts";
import type { NodeName, RunId, TaskId } from "../../base/names.ts";
import type { Event, Fact } from "../../kernel/event.ts";
import { type Divergence, factOf, plainFact } from "../../kernel/replay.ts";
import { firstDifference } from "../difference.ts";
import { underOther } from "./leeway.ts";
import type { Rehearsed } from "./rehearsal.ts";

/** The first place where a replay and a log differ. */
export interface ReplayDifference {
  readonly run: RunId;
  readonly seq: number;
  /** The type of the recorded event. */
  readonly type: Event["type"];
  readonly task?: TaskId;
  /**
   * Whose decision differs: the kernel's, a handler's, that of the path functions of START, that of a node function that
   * was called again; or the log itself cannot be as it is.
   */
  readonly by: "kernel" | "handler" | "start" | "node" | "log";
  /** The node whose function comes to something else, and the step that it ran in. */
  readonly node?: NodeName;
  readonly step?: number;
  /** What of it differs. */
  readonly part?: NodePart;
  /**
   * A JSON pointer to what differs in the fact, or in the part of what a node came to: in the state, it begins with the
   * field. The empty string is the whole of it.
   */
  readonly path: string;
  /** What is decided now. Absent where nothing is. */
  readonly expected?: Json;
  readonly recorded?: Json;
  /** One sentence for people. */
  readonly message: string;
}

/** What a node comes to: how it ends, what it writes, where it leads, whom it sends what, what it asks, why it fails. */
export type NodePart = "end" | "state" | "route" | "sends" | "halt" | "questions" | "failure";

/** Where a call of a handler comes to something else than what was recorded; nothing when it does not. */
export function compareCall(
  rehearsed: Exclude<Rehearsed, { kind: "taken" }>,
  recorded: readonly Event[],
  { event, isChanged }: { readonly event: Event; readonly isChanged: boolean },
): ReplayDifference | undefined {
  const place = placeOf(event);
  switch (rehearsed.kind) {
    case "beyond": {
      const fact = plainFact(factOf(event));
      return { ...place, by: "handler", path: "", recorded: fact, message: rehearsed.message };
    }
    case "remembers": {
      const { key, value } = rehearsed;
      const found = firstDifference(value, rehearsed.recorded);
      const message = `${key} is remembered otherwise at ${found?.path || "its whole"}.`;
      return { ...place, by: "handler", path: found?.path ?? "", ...sides(found), message };
    }
    case "facts":
      return compareFacts(rehearsed.facts, recorded, isChanged);
  }
}

function compareFacts(
  facts: readonly Fact[],
  recorded: readonly Event[],
  isChanged: boolean,
): ReplayDifference | undefined {
  for (const [index, event] of recorded.entries()) {
    const fact = facts[index];
    const has = comparable(factOf(event));
    const found = firstDifference(fact && underOther(has, comparable(fact), { isChanged }), has);
    if (found === undefined) continue;
    const where = found.path === "" ? "as a whole" : `at ${found.path}`;
    const message = `The handler comes to another ${event.type} ${where}.`;
    return { ...placeOf(event), by: "handler", path: found.path, ...sides(found), message };
  }
  const [more] = facts.slice(recorded.length);
  const last = recorded.at(-1);
  if (more === undefined || last === undefined) return undefined;
  const message = `The handler records a ${more.type} that the log does not have.`;
  return { ...placeOf(last), by: "handler", path: "", expected: plainFact(more), message };
}

/** Without what differs from machine to machine: stacks, and the jitter of a retry, which is drawn from the run's id. */
function comparable(fact: Fact): Json {
  if (fact.type !== "task.failed") return plainFact(fact);
  const { retryAt, failure, ...rest } = fact;
  const { cause: _, ...why } = failure;
  return plainFact({ ...rest, failure: why, ...(retryAt !== undefined && { retryAt: 0 }) });
}

/** What the kernel decides otherwise. */
export function differenceOf({ at, expected, problem }: Divergence): ReplayDifference {
  const place = placeOf(at);
  const recorded = plainFact(factOf(at));
  if (problem !== undefined) {
    return { ...place, by: "log", path: "", recorded, message: `Event ${at.seq} cannot be: ${problem}.` };
  }
  if (expected === undefined) {
    const message = `The kernel would record nothing here, and the log has ${at.type}.`;
    return { ...place, by: "kernel", path: "", recorded, message };
  }
  const found = firstDifference(plainFact(expected), recorded);
  const message =
    expected.type === at.type
      ? `The kernel decides another ${at.type} at ${found?.path}.`
      : `The kernel decides ${expected.type}, and the log has ${at.type}.`;
  return { ...place, by: "kernel", path: found?.path ?? "", ...sides(found), message };
}

function sides(found: ReturnType<typeof firstDifference>): Pick<ReplayDifference, "expected" | "recorded"> {
  return {
    ...(found?.left !== undefined && { expected: found.left }),
    ...(found?.right !== undefined && { recorded: found.right }),
  };
}

export function placeOf(event: Event): Pick<ReplayDifference, "run" | "seq" | "type" | "task"> {
  const { run, seq, type } = event;
  return "task" in event && event.task !== undefined
    ? { run, seq, type, task: event.task }
    : { run, seq, type };
}
