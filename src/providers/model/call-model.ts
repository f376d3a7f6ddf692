/**
 * A call asks a model once, and again when the way to it failed.
 *
 * 1. Asking again is safe: nothing that a model wants to do is done before its answer is whole.
 * 2. The waits between tries grow, and are drawn from a seed, so that many who failed together do not return together.
 *    A server that says when to come back is believed, up to a minute.
 * 3. A model that shows nothing for too long is given up, like one whose connection broke.
 */

import type { LanguageModel } from "ai";
import { APICallError, jsonSchema, type ModelMessage, Output, streamText, type ToolSet, tool } from "ai";
import type { Progress, Usage } from "../../agent/agent.ts";
import { type Failure, failure, messageOf } from "../../base/failure.ts";
import type { JsonObject } from "../../base/json.ts";
import type { Attempts } from "../../kernel/plan.ts";
import { delay } from "../../kernel/settle.ts";
import { systemClock } from "../../run/clock.ts";
import type { ModelTool } from "./model-tool.ts";
import type { Thinking } from "./thinking.ts";

/** The longest wait that a server can ask for, in milliseconds. */
const LONGEST_WAIT_MS = 60_000;

export interface ModelCall {
  readonly model: LanguageModel;
  readonly instructions?: string | undefined;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  /** What the answer is held to. */
  readonly schema?: JsonObject | undefined;
  readonly thinking?: Thinking | undefined;
  readonly retries: Attempts;
  /** How long it may show nothing, in milliseconds. */
  readonly idleMs: number;
  /** What the waits are drawn from. */
  readonly seed: string;
  readonly signal: AbortSignal;
  progress(chunk: Progress): void;
}

export interface ModelAnswer {
  /** What the model said, and the results of calls that it made in a way that cannot be read. */
  readonly messages: readonly ModelMessage[];
  readonly usage: Usage;
  readonly finish: string;
}

export type Called =
  | { readonly ok: true; readonly answer: ModelAnswer }
  | { readonly ok: false; readonly failure: Failure; readonly error: unknown };

export async function callModel(call: ModelCall): Promise<Called> {
  for (let made = 1; ; made++) {
    const idle = new Idle(call.idleMs, call.signal);
    try {
      return { ok: true, answer: await ask(call, idle) };
    } catch (thrown) {
      const error = idle.isOver ? new SilenceError(call.idleMs) : thrown;
      const again = isTransport(error) && made < call.retries.max && !call.signal.aborted;
      if (!again) return { ok: false, failure: failureOf(error), error };
      call.progress({ kind: "thought", text: `${failureOf(error).message} Trying again.\n` });
      const wait = Math.max(delay(call.retries, made, `${call.seed}/${made}`), askedToWait(error));
      await systemClock.sleep(wait, call.signal); // (2)
    } finally {
      idle.stop();
    }
  }
}

async function ask(call: ModelCall, idle: Idle): Promise<ModelAnswer> {
  const { model, instructions, messages, schema, thinking, progress } = call;
  const result = streamText({
    ...{ model, messages: [...messages], maxRetries: 0, abortSignal: idle.signal },
    onError() {}, // it comes with the stream
    ...(instructions !== undefined && { instructions }),
    ...(call.tools.length > 0 && { tools: toolSet(call.tools) }),
    ...(schema && { output: Output.object({ schema: jsonSchema(schema) }) }),
    ...(thinking && { reasoning: thinking }),
  });
  for await (const part of result.stream) {
    idle.sign();
    if (part.type === "text-delta") progress({ kind: "text", text: part.text });
    else if (part.type === "reasoning-delta") progress({ kind: "thought", text: part.text });
    else if (part.type === "error") throw part.error;
    else if (part.type === "abort") throw new DOMException("The call was stopped.", "AbortError");
  }
  const [{ messages: said = [] }, usage, finish] = await Promise.all([
    result.response,
    result.usage,
    result.finishReason,
  ]);
  return { messages: said, usage: usageOf(usage), finish };
}

/** Tools without code: the model only says which it wants, and somebody else decides. */
function toolSet(tools: readonly ModelTool[]): ToolSet {
  const named = tools.map(({ name, description, input }) => [
    name,
    tool({ description, inputSchema: jsonSchema(input) }),
  ]);
  return Object.fromEntries(named) as ToolSet; // names with tools
}

function usageOf({
  totalTokens,
  inputTokens,
  outputTokens,
}: Readonly<Record<"totalTokens" | "inputTokens" | "outputTokens", number | undefined>>): Usage {
  const isWhole = inputTokens !== undefined && outputTokens !== undefined;
  const tokens = totalTokens ?? (inputTokens ?? 0) + (outputTokens ?? 0);
  return { tokens, costUsd: null, ...(!isWhole && { uncounted: true }) };
}

/** Ends a call that shows no sign of life for too long (3). */
class Idle {
  readonly #stop: AbortController = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly signal: AbortSignal;
  isOver = false;

  constructor(milliseconds: number, signal: AbortSignal) {
    this.signal = AbortSignal.any([signal, this.#stop.signal]);
    this.#timer = setTimeout(
      () => {
        this.isOver = true;
        this.#stop.abort();
      },
      Math.min(milliseconds, 2 ** 31 - 1),
    );
  }

  sign(): void {
    this.#timer.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

class SilenceError extends Error {
  constructor(milliseconds: number) {
    super(`It showed no sign of life for ${milliseconds / 1000} s.`);
  }
}

/** Says whether the way to the model failed, and not what it was asked. */
function isTransport(error: unknown): boolean {
  if (APICallError.isInstance(error)) return error.isRetryable;
  if (error instanceof SilenceError) return true;
  const cause = error instanceof Error ? (error.cause ?? error) : undefined;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return error instanceof TypeError || /^(ECONN|EPIPE|ETIMEDOUT|EAI_AGAIN|UND_ERR)/.test(code);
}

/** What went wrong, without what was sent. */
function failureOf(error: unknown): Failure {
  const message = messageOf(error);
  const retryable = isTransport(error);
  if (!APICallError.isInstance(error) || error.statusCode === undefined) {
    return failure("agent_failed", `The model could not be asked: ${message}`, { retryable });
  }
  return failure("agent_failed", `The model answered with ${error.statusCode}: ${message}`, { retryable });
}

/** How long a server wants to be left alone, in milliseconds. */
function askedToWait(error: unknown): number {
  if (!APICallError.isInstance(error)) return 0;
  const { "retry-after-ms": precise, "retry-after": seconds } = error.responseHeaders ?? {};
  const wait = precise === undefined ? Number(seconds ?? 0) * 1000 : Number(precise);
  return Number.isFinite(wait) && wait > 0 ? Math.min(wait, LONGEST_WAIT_MS) : 0;
}
