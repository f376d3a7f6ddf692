/**
 * A pi agent takes turns by talking to the coding agent pi over its own protocol of JSON lines.
 *
 * 1. A session is a process, with one exchange at a time; another turn for it waits, and stops one that nobody came
 *    back for.
 * 2. A turn that needs a decision returns, and its exchange stays where it is. The same turn, taken again with the
 *    decision, goes on with it. When the process is gone by then, the prompt is sent again, and the decision is applied
 *    to the first dialog that shows just what the person was shown.
 * 3. A session comes back from the file that pi keeps. One whose file is gone begins again with the full prompt.
 * 4. The time in which a person decides is nobody's: no limit counts it.
 */

import { existsSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import {
  type Agent,
  type Asked,
  NO_USAGE,
  type SessionRequest,
  type Turn,
  type TurnRequest,
} from "../../agent/agent.ts";
import { type Policy, policyWith } from "../../agent/policy.ts";
import { type Failure, failure } from "../../base/failure.ts";
import { isJsonObject, type Json } from "../../base/json.ts";
import { PiExchange } from "./pi-exchange.ts";
import { PiSession } from "./pi-session.ts";
import type { PiConnect } from "./pi-wire.ts";

export interface PiAgentOptions {
  readonly connect: PiConnect;
  /** Where turns work that name no folder of their own, absolute. */
  readonly cwd: string;
  /** Whose model it is when a turn names one without saying so, such as `anthropic`. */
  readonly provider?: string;
  /** Changes to the default policy, in which only what looks needs nobody. */
  readonly policy?: Partial<Policy>;
  readonly limits?: Partial<PiLimits>;
}

/** Times in milliseconds. */
export interface PiLimits {
  /** How long pi may take to start; a minute when absent. */
  readonly startMs: number;
  /** How long a turn may take from one decision of a person to the next; an hour when absent. */
  readonly turnMs: number;
  /** How long it may show no sign of life in a turn; ten minutes when absent. */
  readonly idleMs: number;
  /** How long it may take to stop before its process is ended; 5000 when absent. */
  readonly cancelMs: number;
  /** How many tokens a turn may take; it is stopped after the answer that goes above. Any number when absent. */
  readonly tokens: number;
}

const LIMITS: PiLimits = {
  ...{ startMs: 60_000, turnMs: 3_600_000, idleMs: 600_000, cancelMs: 5000 },
  tokens: Number.POSITIVE_INFINITY,
};

/** How often a session that is busy is looked at, in milliseconds. */
const BUSY_MS = 50;

interface Begun {
  readonly session: PiSession;
  readonly exchange: PiExchange;
}

interface Left {
  readonly asked: Asked;
  readonly cursor: Json | undefined;
}

export class PiAgent implements Agent {
  readonly #options: PiAgentOptions;
  readonly #limits: PiLimits;
  readonly #policy: Policy;
  readonly #sessions: Set<PiSession> = new Set();
  /** What turns left open, by their key, in case that the process does not live to see the answer. */
  readonly #left: Map<string, Left> = new Map();

  constructor(options: PiAgentOptions) {
    this.#options = options;
    this.#limits = { ...LIMITS, ...options.limits };
    this.#policy = policyWith(options.policy);
  }

  session({ node }: SessionRequest): string {
    return node;
  }

  async turn(request: TurnRequest): Promise<Turn> {
    if (request.signal.aborted) return { kind: "failed", failure: STOPPED, usage: NO_USAGE };
    try {
      const turn = (await this.#goOn(request)) ?? (await this.#begin(request));
      if (turn.kind === "asks") {
        const { title, args, cursor } = turn;
        this.#left.set(request.idempotencyKey, { asked: { title, args }, cursor });
      } else this.#left.delete(request.idempotencyKey);
      return turn;
    } catch (error) {
      return { kind: "failed", failure: failed(messageOf(error), true), usage: NO_USAGE };
    }
  }

  /** Ends every process. A later turn starts them again. */
  async close(): Promise<void> {
    const sessions = [...this.#sessions];
    this.#sessions.clear();
    await Promise.allSettled(sessions.map((session) => session.close()));
  }

  /** Goes on with the exchange that waits for this very turn; nothing when there is none, or it is gone (2). */
  async #goOn(request: TurnRequest): Promise<Turn | undefined> {
    const session = [...this.#sessions].find(
      ({ exchange, isOpen }) =>
        isOpen && exchange?.isParked === true && exchange.key === request.idempotencyKey,
    );
    const exchange = session?.exchange;
    if (session === undefined || exchange === undefined) return undefined;
    const { signs } = exchange;
    exchange.takeUp((chunk) => request.progress(chunk));
    if (request.approval !== undefined) exchange.decide(request.approval);
    const turn = await this.#follow({ session, exchange }, request);
    const isUnheard = turn.kind === "failed" && !session.isOpen && exchange.signs === signs;
    return isUnheard && !request.signal.aborted ? undefined : turn;
  }

  async #begin(request: TurnRequest): Promise<Turn> {
    const { idempotencyKey: key, tools, writes = "all", approval } = request;
    const left = this.#left.get(key);
    const cwd = request.cwd ?? this.#options.cwd;
    const { session, isNew } = await this.#takeUp(cwd, request.cursor ?? left?.cursor);
    const asked = approval?.asked ?? left?.asked;
    const exchange = new PiExchange({
      ...{ key, cwd, rules: { tools, writes, policy: this.#policy } },
      decided: approval && asked && { ...approval, asked },
      progress: (chunk) => request.progress(chunk),
      answer: (id, answer) => session.answer(id, answer),
    });
    await this.#occupy(session, exchange);
    try {
      await this.#choose(session, request);
      const text = isNew ? (request.fullPrompt ?? request.prompt) : request.prompt;
      // What begins with a slash would be a command of pi's own.
      await session.command("prompt", { message: text.startsWith("/") ? `\n${text}` : text });
    } catch (error) {
      session.exchange = undefined;
      const message = session.isOpen ? messageOf(error) : await session.ended();
      // Whether a new session has heard the prompt is not known, so the next turn begins another one.
      const cursor = isNew ? request.cursor : cursorOf(session);
      const said = { failure: failed(message, true), usage: exchange.usage };
      return { kind: "failed", ...said, ...(cursor !== undefined && { cursor }) };
    }
    return this.#follow({ session, exchange }, request);
  }

  /** The session of a cursor: the one that is alive, the one in its file, or a new one (3). */
  async #takeUp(
    cwd: string,
    cursor: Json | undefined,
  ): Promise<{ readonly session: PiSession; readonly isNew: boolean }> {
    const file = fileIn(cursor, cwd);
    for (const session of this.#sessions) {
      if (!session.isOpen) this.#sessions.delete(session);
      else if (file !== undefined && session.file === file && session.cwd === cwd)
        return { session, isNew: false };
    }
    const isBack = file !== undefined && existsSync(file);
    const start = { cwd, ...(isBack && { session: file }) };
    const session = await PiSession.open(this.#options.connect, start, this.#limits.startMs);
    this.#sessions.add(session);
    return { session, isNew: !isBack };
  }

  /** Waits until the session is free, and takes it (1). */
  async #occupy(session: PiSession, exchange: PiExchange): Promise<void> {
    for (let before = session.exchange; before !== undefined; before = session.exchange) {
      if (!before.isParked)
        await setTimeout(BUSY_MS); // it wakes whoever attends to it, and nobody else
      else {
        await this.#stop({ session, exchange: before });
        if (session.exchange === before) session.exchange = undefined;
      }
    }
    session.exchange = exchange;
  }

  /** Sets what a turn wants. Throws a sentence when that is not possible. */
  async #choose(session: PiSession, { model, thinking }: TurnRequest): Promise<void> {
    if (model !== undefined) {
      const slash = model.indexOf("/");
      const provider = slash > 0 ? model.slice(0, slash) : this.#options.provider;
      if (provider === undefined) {
        throw new Error(
          `pi needs to know whose model ${JSON.stringify(model)} is: write it as "provider/${model}".`,
        );
      }
      await session.command("set_model", { provider, modelId: slash > 0 ? model.slice(slash + 1) : model });
    }
    if (thinking !== undefined) await session.command("set_thinking_level", { level: thinking });
  }

  async #follow(begun: Begun, { signal }: Pick<TurnRequest, "signal">): Promise<Turn> {
    const { session, exchange } = begun;
    const wake = (): void => exchange.wake();
    const deadline = performance.now() + this.#limits.turnMs;
    signal.addEventListener("abort", wake);
    try {
      for (;;) {
        if (signal.aborted) return this.#over(begun, await this.#stop(begun, STOPPED));
        if (exchange.hasSettled) return this.#over(begun, failureIn(exchange));
        if (!session.isOpen) return this.#over(begun, failed(await session.ended(), true));
        const above = this.#above(exchange);
        if (above !== undefined) return this.#over(begun, await this.#stop(begun, above));
        if (exchange.asked !== undefined) {
          exchange.park();
          return { kind: "asks", ...exchange.asked, cursor: cursorOf(session) };
        }
        const late = await this.#wait(exchange, deadline);
        if (late !== undefined) return this.#over(begun, await this.#stop(begun, late));
      }
    } finally {
      signal.removeEventListener("abort", wake);
      if (!exchange.isParked && session.exchange === exchange) session.exchange = undefined;
    }
  }

  /** Makes pi stop, by force when it must be, and returns why. */
  async #stop({ session, exchange }: Begun, why: Failure = STOPPED): Promise<Failure> {
    const deadline = performance.now() + this.#limits.cancelMs;
    exchange.dismiss();
    void session.command("abort").catch(() => {}); // it may be gone
    while (!exchange.hasSettled && session.isOpen && performance.now() < deadline) {
      await exchange.changed(deadline - performance.now());
      exchange.dismiss();
    }
    if (!exchange.hasSettled) await session.close();
    return why;
  }

  /** Waits for the next change; says what limit was reached, if one was. */
  async #wait(exchange: PiExchange, deadline: number): Promise<Failure | undefined> {
    const { signs } = exchange;
    const { idleMs, turnMs } = this.#limits;
    const began = performance.now();
    await exchange.changed(Math.max(0, Math.min(deadline - began, idleMs)));
    const now = performance.now();
    if (now >= deadline) return failed(`pi took longer than ${turnMs / 1000} s for its turn.`, true);
    if (exchange.signs > signs || now - began < idleMs) return undefined;
    return failed(`pi showed no sign of life for ${idleMs / 1000} s.`, true);
  }

  #above({ usage }: PiExchange): Failure | undefined {
    const { tokens } = this.#limits;
    if (usage.tokens <= tokens) return undefined;
    return failure("step_limit", `The turn took ${usage.tokens} tokens, and its budget is ${tokens}.`);
  }

  #over({ session, exchange }: Begun, why: Failure | undefined): Turn {
    const { usage, message: text } = exchange;
    const cursor = cursorOf(session);
    return why === undefined
      ? { kind: "done", text, usage, cursor }
      : { kind: "failed", failure: why, usage, cursor };
  }
}

const STOPPED: Failure = failed("The turn was stopped.", false);

function failed(message: string, retryable: boolean): Failure {
  return failure("agent_failed", message, { retryable });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Why pi settled otherwise than well; nothing when it did well. */
function failureIn({ ending: { reason, error } }: PiExchange): Failure | undefined {
  switch (reason) {
    case "error":
      return failed(
        `pi could not get an answer from its model: ${String(error ?? "it does not say why.")}`,
        true,
      );
    case "aborted":
      return failed("pi says that its turn was cancelled, and nobody here did that.", true);
    case "length":
      return failed("pi stopped in the middle: its model may say no more in one answer.", false);
    case undefined:
      return failed("pi ended its turn without an answer of its model.", true);
    default:
      return undefined;
  }
}

function cursorOf({ file, cwd }: PiSession): Json {
  return { agent: "pi", file: file ?? null, cwd };
}

function fileIn(cursor: Json | undefined, cwd: string): string | undefined {
  if (!isJsonObject(cursor) || cursor["agent"] !== "pi" || cursor["cwd"] !== cwd) return undefined;
  return typeof cursor["file"] === "string" ? cursor["file"] : undefined;
}
