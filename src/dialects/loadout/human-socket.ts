/**
 * A person's visit: a question, and the answer as the socket's output.
 *
 * | the person          | JSON socket                                        | text socket        |
 * | ------------------- | -------------------------------------------------- | ------------------ |
 * | approves            | `{ satisfied: true }`, with the edited fields       | the edit, or `approved` |
 * | denies              | `{ satisfied: false, context: reason }`            | the reason, or `denied` |
 * | answers an object   | the object                                         | printed as JSON    |
 * | answers true, false | `{ satisfied }`                                    | printed as JSON    |
 * | answers a text      | `{ context: text }`                                | the text           |
 *
 * An approval is `{ approved: true, args? }`, a denial `{ approved: false, reason? }`. The schema of the question holds
 * for whatever is said, also by approving; who denies says nothing that it could hold for.
 */

import { NO_USAGE } from "../../agent/agent.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import type { Ask, TaskContext } from "../../kernel/program.ts";
import { unsaid } from "../saying.ts";
import { misfit } from "./answer-schema.ts";
import { LAST, type LastOutput } from "./channels.ts";
import type { Place } from "./chart.ts";
import { type Contract, handoffIssues } from "./handoff.ts";
import { clip, renderRework } from "./rework.ts";
import type { Perform, Performed } from "./socket.ts";
import type { Visit } from "./visit.ts";

/** The most characters of the last output that a question shows. */
const SHOWN = 8_000;

export function performHuman(place: Place): Perform {
  return async (visit, context): Promise<Performed> => {
    const answer = context.answers.at(-1);
    const problem = answer === undefined ? undefined : checkAnswer(await questionOf(visit, context), answer);
    if (answer === undefined || problem !== undefined) {
      const question = await questionOf(visit, context, problem);
      return { kind: "stopped", outcome: { kind: "asks", questions: [question] } };
    }
    const { text, json } = outputOf(place.contract, answer);
    const artifact = context.keep("output", text);
    const output = { text, artifact, usage: NO_USAGE, sessions: {}, ...(json && { json }) };
    return { kind: "output", output };
  };
}

/** What the person is asked and shown. */
async function questionOf(visit: Visit, context: TaskContext, problem?: string): Promise<Ask> {
  const { place, item } = visit;
  const last = visit.read(LAST) as unknown as LastOutput | undefined; // written by `conclude`
  const shown = last && (await context.fetch(last.ref));
  const rework = renderRework(visit.rework);
  const value = {
    ...{ kind: "human", node: place.id, title: place.label, contract: contractJson(place.contract) },
    ...(place.materia.prompt !== undefined && { prompt: place.materia.prompt }),
    ...(item && { item: item.label }),
    ...(last && shown !== undefined && { context: { from: last.label, text: clip(shown, SHOWN) } }),
    ...(rework !== undefined && { rework }),
    ...(problem !== undefined && { problem }),
  };
  return { value, ...(place.materia.schema && { schema: place.materia.schema }) };
}

function contractJson({ reads, ...contract }: Contract): JsonObject {
  return { ...contract, reads: reads.map((keys) => [...keys]) };
}

/** What the schema of a question holds for; nothing when the person declines. */
function saidBy(answer: Json, { parse }: Pick<Contract, "parse">): Json | undefined {
  if (!isJsonObject(answer) || typeof answer["approved"] !== "boolean") return answer;
  if (!answer["approved"]) return undefined;
  return answer["args"] ?? (parse === "text" ? decided(answer) : decidedJson(answer));
}

/** The output that an answer amounts to. */
function outputOf({ parse }: Pick<Contract, "parse">, answer: Json): { text: string; json?: JsonObject } {
  const decision = isJsonObject(answer) && typeof answer["approved"] === "boolean" ? answer : undefined;
  if (parse === "text") return { text: decision ? decided(decision) : print(answer) };
  const json = decision ? decidedJson(decision) : answeredJson(answer);
  return { text: JSON.stringify(json), json };
}

function decided({ approved, args, reason }: JsonObject): string {
  if (approved === true) return args === undefined ? "approved" : print(args);
  return typeof reason === "string" && reason !== "" ? reason : "denied";
}

function decidedJson({ approved, args, reason }: JsonObject): JsonObject {
  if (approved === true) return { satisfied: true, ...(isJsonObject(args) && args) };
  return { satisfied: false, ...(typeof reason === "string" && { context: reason }) };
}

function answeredJson(answer: Json): JsonObject {
  if (isJsonObject(answer)) return answer;
  return typeof answer === "boolean" ? { satisfied: answer } : { context: print(answer) };
}

function print(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/**
 * Says in one sentence why an answer does not fit a question of a loadout; `undefined` when it does. To be asked
 * before the answer is recorded, since an answer is never changed.
 */
export function checkAnswer(question: Pick<Ask, "value" | "schema">, answer: Json): string | undefined {
  const { value, schema } = question;
  if (!isJsonObject(value)) return undefined;
  const { kind } = value;
  if (kind === "approval" || kind === "question") return unsaid(kind, answer);
  if (value["kind"] !== "human") return undefined;
  const contract = value["contract"] as unknown as Contract; // written by `contractJson`
  const said = saidBy(answer, contract);
  const problem = schema === undefined || said === undefined ? undefined : misfit(said, schema);
  if (problem !== undefined) return `The answer does not fit: ${problem}`;
  const { json } = outputOf(contract, answer);
  const [issue] = json === undefined ? [] : handoffIssues(contract, json);
  if (issue === undefined) return undefined;
  return `The answer cannot be used: ${`${issue.pointer} ${issue.message} ${issue.hint}`.trim()}`;
}
