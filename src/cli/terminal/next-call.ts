/** What a person can do about a run, as sentences with the command to type. */

import { isJsonObject, type Json } from "../../base/json.ts";
import type { OpenQuestion, ResultDocument } from "../../protocol/result.ts";
import { summary } from "../../views/transcript.ts";
import { selfCall } from "../self.ts";
import type { Options } from "../verb.ts";
import { oneLine } from "./style.ts";

type Db = Pick<Options, "db">;
type Standing = Pick<ResultDocument, "run" | "status" | "reason" | "questions" | "error" | "nodes">;

/** What helps, one line each; nothing for a run that is over and well. */
export function helpFor(result: Standing, options: Db): readonly string[] {
  const { run, status, reason, questions } = result;
  switch (status) {
    case "waiting":
      return questions.map((question) => answerCall(run, question, questions.length, options));
    case "paused":
      return [
        ...(wantsNews(reason)
          ? [`Tell it something new: ${selfCall("send", `${run} NODE TEXT`, options)}`]
          : []),
        `Go on with: ${selfCall("resume", `${run}${higherBudget(reason)}`, options)}`,
      ];
    case "failed":
      return [
        `See what happened: ${selfCall("events", run, options)}`,
        ...failedNodes(result).map(
          (node) => `Try it again with: ${selfCall("retry", `${run} ${node}`, options)}`,
        ),
        ...(leavesWork(result) ? [`Try it again with: ${selfCall("resume", run, options)}`] : []),
      ];
    default:
      return [];
  }
}

/** The pauses of an inbox graph that a message ends: the run said that it wants to hear something new. */
export function wantsNews(reason: string | null | undefined): boolean {
  return reason === "stalled" || reason === "max_auto_turns";
}

function failedNodes({ nodes }: Standing): readonly string[] {
  return Object.keys(nodes).filter((node) => nodes[node]?.status === "failed");
}

/** The failures that stop a whole run at a piece of work that a resume takes up again. */
const OF_WORK: ReadonlySet<string> = new Set([
  ...["agent_failed", "agent_refused", "handoff_invalid", "script_exhausted"],
  ...["utility_failed", "output_invalid", "output_too_large"],
]);

function leavesWork(result: Standing): boolean {
  return failedNodes(result).length === 0 && OF_WORK.has(result.reason ?? "");
}

function higherBudget(reason: string | null): string {
  return reason === "budget_exhausted" ? " --budget tokens=…,usd=…" : "";
}

/** Says whether a question is one of yes or no. */
export function isApproval({ value }: Pick<OpenQuestion, "value">): boolean {
  if (!isJsonObject(value) || value["kind"] === "question") return false;
  return typeof value["title"] === "string" && "args" in value;
}

/** Says whether a question of a loadout leads on by a decision, which words can be added to. */
function takesDecision({ value }: OpenQuestion): boolean {
  if (!isJsonObject(value) || value["kind"] !== "human") return false;
  const { contract } = value;
  return isJsonObject(contract) && contract["satisfied"] === "required";
}

function answerCall(run: string, question: OpenQuestion, count: number, options: Db): string {
  const id = count === 1 ? run : `${run} ${question.id}`;
  if (takesDecision(question)) {
    const words = selfCall("answer", `${id} VALUE`, options);
    return `Decide with: ${selfCall("approve", id, options)}  or: ${selfCall("deny", id, options)}  or: ${words}`;
  }
  if (isJsonObject(question.value) && question.value["kind"] === "question") {
    const answer = selfCall("answer", `${id} TEXT`, options);
    return `Answer with: ${answer}  or decline with: ${selfCall("deny", id, options)}`;
  }
  if (!isApproval(question)) return `Answer with: ${selfCall("answer", `${id} VALUE`, options)}`;
  return `Decide with: ${selfCall("approve", id, options)}  or: ${selfCall("deny", id, options)}`;
}

/** Who works on a run, and how to speak of it. */
export interface Circumstances {
  /** The process that drives it; absent when none of this machine does. */
  readonly driver: number | undefined;
  /** The nodes that have something in hand. */
  readonly live: readonly string[];
  /** What people call a node. */
  readonly nameOf: (node: string) => string;
  /** Whether the ids of questions and the codes of reasons are told as they are, for whoever types them. */
  readonly tellsIds: boolean;
}

/** What a run is waiting for, in one sentence. */
export function whySentence(
  result: Standing & { readonly message?: string | undefined },
  { driver, live, nameOf, tellsIds }: Circumstances,
): string {
  const { status, reason, questions, error, message } = result;
  const said = (code: string) => (tellsIds ? code : code.replaceAll("_", " "));
  const busy = live.map(nameOf).join(", ");
  switch (status) {
    case "waiting": {
      const asked = questions.map((question) => {
        return asks(question, nameOf) + (tellsIds ? ` (${question.id})` : "");
      });
      return `It waits for a person: ${asked.join("; ")}.`;
    }
    case "paused": {
      const isSettling = driver !== undefined && live.length > 0;
      const rest = isSettling ? ` Process ${driver} still finishes what ${busy} has in hand.` : "";
      return `It is paused (${said(reason ?? "requested")})${message ? `: ${message}` : "."}${rest}`;
    }
    case "failed":
      return `It failed (${said(error?.code ?? reason ?? "for no reason")})${error?.at ? ` at ${nameOf(error.at)}` : ""}: ${error?.message ?? "no reason was recorded."}`;
    case "cancelled":
      return `It waits for nothing: it was cancelled${reason ? ` (${said(reason)})` : ""}.`;
    case "completed":
      return `It waits for nothing: it is completed${reason ? ` (${said(reason)})` : ""}.`;
    case "running": {
      const work = live.length > 0 ? busy : "its next step";
      if (driver !== undefined) return `It waits for ${work}, and process ${driver} is working on it.`;
      return `It waits for somebody to go on with ${work}: no process of this machine drives it.`;
    }
  }
}

function asks({ node, value }: OpenQuestion, nameOf: Circumstances["nameOf"]): string {
  return `${nameOf(node)} asks “${oneLine(summary(value as Json), 200)}”`;
}
