/**
 * A recorded loadout is its program with agents and utilities that answer from a log.
 *
 * 1. A turn, a repair and an approval are answered with what was recorded of them.
 * 2. What a program printed before it failed, and what Git said, is not in the log: such a visit is taken as it was
 *    recorded.
 */

import type { Agent, Turn, TurnRequest, Usage } from "../agent/agent.ts";
import type { Commands } from "../agent/command.ts";
import type { Worktrees } from "../agent/worktree.ts";
import type { Failure } from "../base/failure.ts";
import { isJsonObject, type Json } from "../base/json.ts";
import { SESSIONS } from "../dialects/loadout/channels.ts";
import { compileLoadout } from "../dialects/loadout/compile.ts";
import type { LoadoutDefinition } from "../dialects/loadout/definition.ts";
import { artifactIn, type Evidence, endIn, type ReplayProgram, textAt, Unrecorded } from "./evidence.ts";

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
    cwd: "",
    runDir: "",
  });
  return {
    program,
    attend: (next) => {
      evidence = next;
    },
  };
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

/** The turn that asked a person is not remembered; its question is. */
function askedIn(evidence: Evidence, key: string): Turn {
  const end = endIn(evidence);
  const question = end?.type === "task.asked" ? end.questions[0]?.value : undefined;
  if (isJsonObject(question) && question["kind"] === "approval") {
    return { kind: "asks", title: String(question["title"]), args: question["args"] ?? null };
  }
  throw new Unrecorded(`A turn is wanted (${key}) that was not taken then.`, { isKnownGap: false });
}

/** What logs do not keep (2). */
function missing(evidence: Evidence, what: string): Unrecorded {
  evidence.gap();
  return new Unrecorded(`The log does not keep ${what}.`, { isKnownGap: true });
}

function recordedWorktrees(current: () => Evidence): Worktrees {
  const refuse = () => Promise.reject(missing(current(), "what Git said"));
  return {
    ...{ begin: refuse, open: refuse, seal: refuse, merge: refuse },
    ...{ bring: refuse, land: refuse, close: refuse },
  };
}

function recordedCommands(current: () => Evidence): Commands {
  return {
    async run() {
      const evidence = current();
      const stdout = await artifactIn(evidence, "loadout.output");
      if (endIn(evidence)?.type !== "task.finished" || stdout === undefined) {
        throw missing(evidence, "the output of a failed program");
      }
      const stderr = (await artifactIn(evidence, "loadout.stderr")) ?? "";
      return { ended: "exited", code: 0, stdout, stderr };
    },
  };
}
