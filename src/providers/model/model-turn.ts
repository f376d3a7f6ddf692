/**
 * A model's turn: it is asked, what it wants is done, and it is asked again, until it has nothing more to do.
 *
 * 1. A schema that a model declines is left out, from then on for all turns; the prompt says the format anyway.
 * 2. A conversation that has become too long for the model goes on with the full prompt and this turn alone.
 * 3. A budget is looked at between two answers, so a turn can go above it by one answer.
 */

import { APICallError, type LanguageModel } from "ai";
import type { Finish, Turn, TurnRequest, Usage } from "../../agent/agent.ts";
import { type Failure, failure } from "../../base/failure.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import type { Attempts } from "../../kernel/plan.ts";
import { type Called, callModel } from "./call-model.ts";
import type { ModelTool } from "./model-tool.ts";
import { fromStrict, strictSchema } from "./strict-schema.ts";
import type { Talk } from "./talk.ts";
import { isThinking } from "./thinking.ts";
import type { ToolCalls } from "./tool-calls.ts";

export const STOPPED: Failure = failure("agent_failed", "The turn was stopped.");

/** Answers with these say that a request was wrong, as one with a schema is for some. */
const DECLINED = [400, 404, 415, 422, 501];
/** How servers say that a conversation is too long. */
const TOO_LONG = /context|too (long|large|many)|maximum|exceed|length/i;

/** What an agent learns of its model, for all of its turns (1). */
export interface Learnt {
  isStructured: boolean;
}

export interface ModelTurnOptions {
  readonly request: TurnRequest;
  readonly model: LanguageModel;
  readonly talk: Talk;
  readonly signal: AbortSignal;
  readonly tools: readonly ModelTool[];
  readonly calls: ToolCalls;
  readonly learnt: Learnt;
  readonly instructions: string | undefined;
  readonly retries: Attempts;
  readonly idleMs: number;
  /** The most answers, and tokens (3). */
  readonly answers: number;
  readonly tokens: number;
  readonly usdPerMillion: number | undefined;
}

export class ModelTurn {
  readonly #options: ModelTurnOptions;

  constructor(options: ModelTurnOptions) {
    this.#options = options;
  }

  async take(): Promise<Turn> {
    const { talk, calls, signal } = this.#options;
    for (;;) {
      const asked = await calls.perform(talk);
      if (asked !== undefined) return { kind: "asks", ...asked, cursor: talk.cursor };
      if (signal.aborted) return this.#over(STOPPED);
      const { answer } = talk;
      if (answer !== undefined) return this.#over(failureIn(answer.finish));
      const why = this.#exhausted() ?? (await this.#ask());
      if (why !== undefined) return this.#over(signal.aborted ? STOPPED : why);
    }
  }

  /** Asks the model and keeps what it says; returns why that was not possible. */
  async #ask(): Promise<Failure | undefined> {
    const { talk, request, learnt } = this.#options;
    const schema = learnt.isStructured ? request.schema && strictSchema(request.schema) : undefined;
    let called = await this.#call(schema);
    if (isTooLong(called) && talk.hasHistory) {
      await talk.shorten(request.fullPrompt ?? request.prompt); // (2)
      called = await this.#call(schema);
    }
    if (schema !== undefined && isDeclined(called)) {
      called = await this.#call(undefined);
      learnt.isStructured = !called.ok; // (1)
    }
    if (!called.ok) return called.failure;
    const { messages, usage, finish } = called.answer;
    if (messages.length === 0) {
      return failure("agent_failed", "The model said nothing at all.", { retryable: true });
    }
    await talk.heard(messages, { usage: this.#priced(usage), finish });
    return undefined;
  }

  #call(schema: JsonObject | undefined): Promise<Called> {
    const { request, model, talk, signal, tools, instructions, retries, idleMs } = this.#options;
    const { thinking, idempotencyKey } = request;
    return callModel({
      ...{ model, messages: talk.messages, tools, schema, signal, instructions, retries, idleMs },
      thinking: thinking !== undefined && isThinking(thinking) ? thinking : undefined,
      seed: `${idempotencyKey}/${talk.answers}`,
      progress: (chunk) => request.progress(chunk),
    });
  }

  #priced(usage: Usage): Usage {
    const { usdPerMillion } = this.#options;
    if (usdPerMillion === undefined || usage.uncounted) return usage;
    return { ...usage, costUsd: (usage.tokens * usdPerMillion) / 1_000_000 };
  }

  #exhausted(): Failure | undefined {
    const { answers, tokens, talk } = this.#options;
    if (talk.answers >= answers) {
      return failure("step_limit", `The model was asked ${answers} times and is not done.`);
    }
    const { tokens: used } = talk.usage;
    if (used < tokens) return undefined;
    return failure("step_limit", `The turn took ${used} tokens, and its budget is ${tokens}.`);
  }

  #over(why: Failure | undefined): Turn {
    const { talk, request } = this.#options;
    const { usage } = talk;
    if (why !== undefined) return { kind: "failed", failure: why, usage, cursor: talk.cursorAfterFailure };
    const finish = finishIn(talk);
    const text = textOf(talk.answer, request.schema);
    return { kind: "done", text, usage, cursor: talk.cursor, ...(finish && { finish }) };
  }
}

function isDeclined(called: Called): boolean {
  return !called.ok && DECLINED.includes(statusOf(called.error));
}

function isTooLong(called: Called): boolean {
  if (called.ok) return false;
  const status = statusOf(called.error);
  return status === 413 || (status === 400 && TOO_LONG.test(called.failure.message));
}

function statusOf(error: unknown): number {
  return APICallError.isInstance(error) ? (error.statusCode ?? 0) : 0;
}

/** Why an answer that came is a failure nevertheless. */
function failureIn(finish: string | undefined): Failure | undefined {
  if (finish === "content-filter") return failure("agent_refused", "The model declined to go on.");
  if (finish === "length") {
    return failure("agent_failed", "The model stopped in the middle: it may say no more in one answer.");
  }
  if (finish !== "error") return undefined;
  return failure("agent_failed", "The model ended its answer with an error.", { retryable: true });
}

/** What the model finished with, when it did. */
function finishIn(talk: Talk): Finish | undefined {
  const input = talk.lastDone("finish") as Json | undefined; // it came over the wire as JSON
  if (!isJsonObject(input)) return undefined;
  return { ok: input["ok"] === true, summary: String(input["summary"]) };
}

/** The final message; one that answers a strict schema, in the words of the schema itself. */
function textOf(answer: Talk["answer"], schema: JsonObject | undefined): string {
  const content = answer?.message.content ?? "";
  const parts =
    typeof content === "string" ? [content] : content.map((part) => (part.type === "text" ? part.text : ""));
  const text = parts.join("").trim();
  if (schema === undefined) return text;
  try {
    return JSON.stringify(fromStrict(JSON.parse(text) as Json, schema));
  } catch {
    return text; // whoever reads it says what is wrong with it
  }
}
