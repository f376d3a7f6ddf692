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

/** What a run is waiting for, in one sentence. */
export function whySentence(
  result: Standing & { readonly message?: string | undefined },
  driver: number | undefined,
  live: readonly string[],
): string {
  const { status, reason, questions, error, message } = result;
  switch (status) {
    case "waiting":
      return `It waits for a person: ${questions.map(asks).join("; ")}.`;
    case "paused": {
      const isSettling = driver !== undefined && live.length > 0;
      const rest = isSettling ? ` Process ${driver} still finishes what ${live.join(", ")} has in hand.` : "";
      return `It is paused (${reason ?? "requested"})${message ? `: ${message}` : "."}${rest}`;
    }
    case "failed":
      return `It failed (${error?.code ?? reason})${error?.at ? ` at ${error.at}` : ""}: ${error?.message ?? "no reason was recorded."}`;
    case "cancelled":
      return `It waits for nothing: it was cancelled${reason ? ` (${reason})` : ""}.`;
    case "completed":
      return `It waits for nothing: it is completed${reason ? ` (${reason})` : ""}.`;
    case "running": {
      const work = live.length > 0 ? live.join(", ") : "its next step";
      if (driver !== undefined) return `It waits for ${work}, and process ${driver} is working on it.`;
      return `It waits for somebody to go on with ${work}: no process of this machine drives it.`;
    }
  }
}

function asks({ id, node, value }: OpenQuestion): string {
  return `${node} asks “${oneLine(summary(value as Json), 200)}” (${id})`;
}
