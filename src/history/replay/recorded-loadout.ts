/**
 * A recorded loadout is its program with agents and utilities that answer from a log.
 *
 * 1. A turn, a repair and an approval are answered with what was recorded of them, and so are Git and programs.
 * 2. What a program printed that was of no use is not in the log: such a visit is taken as it was recorded.
 */

import type { Agent, Turn, TurnRequest, Usage } from "../../agent/agent.ts";
import type { CommandResult, Commands } from "../../agent/command.ts";
import type { Changes, WorkingTree } from "../../agent/working-tree.ts";
import type { Failure } from "../../base/failure.ts";
import { isJsonObject, type Json } from "../../base/json.ts";
import { SESSIONS } from "../../dialects/loadout/channels.ts";
import { compileLoadout } from "../../dialects/loadout/compile.ts";
import type { LoadoutDefinition } from "../../dialects/loadout/definition.ts";
import { FOUND } from "../../dialects/loadout/pictured.ts";
import type { Fact } from "../../kernel/event.ts";
import {
  artifactIn,
  type Evidence,
  endIn,
  missing,
  noteIn,
  type ReplayProgram,
  textAt,
  Unrecorded,
} from "./evidence.ts";
import { recordedWorktrees, runDirIn } from "./recorded-worktrees.ts";

/** The program of a definition that `readLoadout` accepted, or that the log of a run kept. */
export function recordedLoadout(definition: LoadoutDefinition): ReplayProgram {
  let evidence: Evidence | undefined;
  const current = (): Evidence => {
    if (evidence !== undefined) return evidence;
    throw new Unrecorded("Nothing is replayed at this time.", { isKnownGap: false });
  };
  const program = compileLoadout(definition, {
    agent: () => recordedAgent(current),
    commands: recordedCommands(current),
    utility: (name) => ({ argv: [name] }),
    worktrees: recordedWorktrees(current),
    tree: recordedTree(current),
    cwd: "",
    get runDir() {
      return runDirIn(current());
    },
  });
  return {
    program,
    attend: (next) => {
      evidence = next;
    },
  };
}

function recordedTree(current: () => Evidence): WorkingTree {
  return {
    async mark() {
      const evidence = current();
      const found = evidence.remembered.get(FOUND);
      if (found === undefined) refuseUnknown(evidence);
      return found;
    },
    changes: () => changesIn(current()),
    async restore() {},
  };
}

/** What a visit had changed, as its note has it. */
async function changesIn(evidence: Evidence): Promise<Changes | undefined> {
  const note = noteIn(evidence, "loadout.files");
  if (note === undefined) {
    refuseUnknown(evidence);
    return undefined;
  }
  const { paths = [], more = 0, files } = note;
  const named = Array.isArray(paths) ? (paths as readonly Json[]).map(String) : [];
  return {
    diff: (await artifactIn(evidence, "loadout.files")) ?? "",
    paths: [...named, ...Array<string>(Number(more)).fill("")],
    ...(files !== undefined && { after: files }),
  };
}

/** Fails as the files could not be compared then. */
function refuseUnknown({ facts }: Evidence): void {
  for (const fact of facts) {
    if (fact.type !== "task.noted" || fact.kind !== "loadout.warning" || !isJsonObject(fact.data)) continue;
    if (fact.data["code"] === "no_diff") throw new Error(String(fact.data["message"]));
  }
}

function recordedAgent(current: () => Evidence): Agent {
  return {
    session: () => sessionIn(current()) ?? "recorded",
    turn: (request) => recordedTurn(current(), request),
  };
}

/** The session whose cursor the visit moved. */
function sessionIn(evidence: Evidence): string | undefined {
  const end = endIn(evidence);
  if (end?.type !== "task.finished") return undefined;
  const moved = end.writes.find(({ channel }) => channel === SESSIONS)?.value;
  return isJsonObject(moved) ? Object.keys(moved)[0] : undefined;
}

async function recordedTurn(evidence: Evidence, { idempotencyKey }: TurnRequest): Promise<Turn> {
  const key = idempotencyKey.slice(idempotencyKey.lastIndexOf("/") + 1);
  evidence.reached();
  const record = evidence.remembered.get(key);
  if (record === undefined) return askedIn(evidence, key);
  const {
    usage,
    cursor = null,
    failure,
    text,
  } = record as unknown as {
    readonly usage: Usage;
    readonly cursor?: Json;
    readonly failure?: Failure;
    readonly text: string;
  }; // written by the agent socket
  if (failure !== undefined) return { kind: "failed", failure, usage, cursor };
  return { kind: "done", text: await textAt(evidence, text), usage, cursor };
}

/** A lane, or a run inside another, stops when all of them together have spent too much. */
const SPENT = "what the runs beside and around this one had spent by then";

function isOutOfBudget(end: Fact | undefined): boolean {
  return end?.type === "run.paused" && end.reason === "budget_exhausted";
}

/** The turn that asked a person is not remembered; its question is. */
function askedIn(evidence: Evidence, key: string): Turn {
  const end = endIn(evidence);
  if (isOutOfBudget(end)) throw missing(evidence, SPENT);
  const question = end?.type === "task.asked" ? end.questions[0]?.value : undefined;
  if (isJsonObject(question) && question["kind"] === "approval") {
    return { kind: "asks", title: String(question["title"]), args: question["args"] ?? null };
  }
  throw new Unrecorded(`A turn is wanted (${key}) that was not taken then.`, { isKnownGap: false });
}

function recordedCommands(current: () => Evidence): Commands {
  return {
    async run() {
      const evidence = current();
      evidence.reached();
      const stderr = (await artifactIn(evidence, "loadout.stderr")) ?? "";
      const end = endIn(evidence);
      if (end?.type === "task.failed") return faulty(evidence, end.failure, stderr);
      const stdout = await artifactIn(evidence, "loadout.output");
      if (end?.type === "task.finished" && stdout !== undefined) {
        return { ended: "exited", code: 0, stdout, stderr };
      }
      if (isOutOfBudget(end)) throw missing(evidence, SPENT);
      if (end?.type === "run.paused") return { ended: "stopped", code: null, stdout: "", stderr };
      throw missing(evidence, "what the program printed");
    },
  };
}

/** How a program ended, by what its failure says of it. */
const ENDS: readonly (readonly [RegExp, CommandResult["ended"]])[] = [
  [/^\S+ \(.*\) exited with code /s, "exited"],
  [/^\S+ \(.*\) was stopped after \d+ ms: /s, "timed_out"],
  [/^\S+ \(.*\) could not be started: /s, "not_started"],
  [/^\S+ \(.*\) was stopped: /s, "stopped"],
];

function faulty(evidence: Evidence, { code: kind, message, detail }: Failure, stderr: string): CommandResult {
  const code = isJsonObject(detail) && typeof detail["code"] === "number" ? detail["code"] : null;
  if (kind === "output_too_large") return { ended: "too_large", code, stdout: "", stderr };
  const ended = kind === "utility_failed" ? ENDS.find(([pattern]) => pattern.test(message))?.[1] : undefined;
  if (ended !== undefined) return { ended, code, stdout: "", stderr };
  throw missing(evidence, "what the program printed, which could not be used"); // (2)
}
