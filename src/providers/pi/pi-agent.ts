/**
 * A pi agent takes turns by talking to the coding agent pi over its own protocol of JSON lines.
 *
 * 1. A session is a process, with one exchange at a time; another turn for it waits, and stops one that nobody came
 *    back for.
 * 2. A turn that needs a decision returns, and its exchange stays where it is. The same turn, taken again with the
 *    decision, goes on with it. When the process is gone by then, the prompt is sent again, and the decision is applied
 *    to the first dialog that shows just what the person was shown.
 * 3. A session comes back from the file that pi keeps. One whose file is gone begins again with the full prompt.
 * 4. A process is told the tools of the graph when it starts. A turn that has others gets another process, which goes on
 *    with the same session.
 */

import { existsSync } from "node:fs";
import type { Agent, SessionRequest, Turn, TurnRequest } from "../../agent/agent.ts";
import { NO_USAGE } from "../../agent/agent.ts";
import { toolsOf } from "../../agent/tool-desk.ts";
import { messageOf } from "../../base/failure.ts";
import type { Json } from "../../base/json.ts";
import { Gone } from "../agent-process/agent-process.ts";
import { occupy, vacate } from "../agent-process/attention.ts";
import { type AgentLimits, failed } from "../agent-process/limits.ts";
import { isPassing } from "../agent-process/passing.ts";
import { type Try, TurnTaking, type TurnTakingOptions } from "../agent-process/turn-taking.ts";
import { cursorOf, fileIn, PiAttendance } from "./pi-attendance.ts";
import { PiExchange } from "./pi-exchange.ts";
import { PiSession } from "./pi-session.ts";
import type { PiConnect, PiStart } from "./pi-wire.ts";

export type PiLimits = AgentLimits;

export interface PiAgentOptions extends TurnTakingOptions {
  readonly connect: PiConnect;
  /** Where turns work that name no folder of their own, absolute. */
  readonly cwd: string;
  /** Whose model it is when a turn names one without saying so, such as `anthropic`. */
  readonly provider?: string;
}

interface Begun {
  readonly session: PiSession;
  readonly exchange: PiExchange;
}

/** pi as an agent, with a process for each session. `openPi` makes one; `close()` ends its processes. */
export class PiAgent implements Agent {
  readonly #options: PiAgentOptions;
  readonly #taking: TurnTaking;
  readonly #sessions: Set<PiSession> = new Set();

  constructor(options: PiAgentOptions) {
    this.#options = options;
    this.#taking = new TurnTaking(options);
  }

  session({ node }: SessionRequest): string {
    return node;
  }

  turn(request: TurnRequest): Promise<Turn> {
    return this.#taking.turn(request, (deadline) => this.#try(request, deadline));
  }

  /** Ends every process. A later turn starts them again. */
  async close(): Promise<void> {
    const sessions = [...this.#sessions];
    this.#sessions.clear();
    await Promise.allSettled(sessions.map((session) => session.close()));
  }

  async #try(request: TurnRequest, deadline: number): Promise<Try> {
    try {
      return (await this.#goOn(request, deadline)) ?? (await this.#begin(request, deadline));
    } catch (error) {
      const failure = failed(messageOf(error), true);
      const isLost = error instanceof Gone || isPassing(failure.message);
      return { turn: { kind: "failed", failure, usage: NO_USAGE }, isLost };
    }
  }

  /** Goes on with the exchange that waits for this very turn; nothing when there is none, or it is gone (2). */
  async #goOn(request: TurnRequest, deadline: number): Promise<Try | undefined> {
    const session = [...this.#sessions].find(
      ({ exchange, isOpen }) =>
        isOpen && exchange?.attention.isParked === true && exchange.key === request.idempotencyKey,
    );
    const exchange = session?.exchange;
    if (session === undefined || exchange === undefined) return undefined;
    const { signs } = exchange.attention;
    exchange.attention.takeUp((chunk) => request.progress(chunk));
    if (request.approval !== undefined) exchange.decide(request.approval);
    exchange.seat.attend(request);
    const tried = await this.#attend({ session, exchange }).follow(request, deadline);
    const isUnheard = tried.turn.kind === "failed" && !session.isOpen && exchange.attention.signs === signs;
    return isUnheard && !request.signal.aborted ? undefined : tried;
  }

  async #begin(request: TurnRequest, deadline: number): Promise<Try> {
    const { idempotencyKey: key, tools, writes = "all" } = request;
    const cwd = request.cwd ?? this.#options.cwd;
    const { cursor, decided } = this.#taking.again(request);
    const { session, isNew } = await this.#takeUp({ cwd, tools: toolsOf(request) }, cursor);
    const exchange = new PiExchange({
      ...{ key, cwd, rules: { tools, writes, policy: this.#taking.policy }, decided, reach: request },
      progress: (chunk) => request.progress(chunk),
      answer: (id, answer) => session.answer(id, answer),
    });
    await occupy(session, exchange, (before) => this.#attend({ session, exchange: before }).abandon());
    exchange.seat.attend(request);
    try {
      await this.#choose(session, request);
      const text = isNew ? (request.fullPrompt ?? request.prompt) : request.prompt;
      // What begins with a slash would be a command of pi's own.
      await session.command("prompt", { message: text.startsWith("/") ? `\n${text}` : text });
    } catch (error) {
      return this.#unsaid({ session, exchange }, isNew ? request.cursor : cursorOf(session), error);
    }
    const tried = await this.#attend({ session, exchange }).follow(request, deadline);
    if (tried.isLost && isNew) await this.#drop(session); // nothing was said in it that another try could go on from
    return tried;
  }

  async #drop(session: PiSession): Promise<void> {
    this.#sessions.delete(session);
    await session.close();
  }

  /** A prompt that was not taken. Whether a new session has heard it is not known, so the next turn begins another one. */
  async #unsaid({ session, exchange }: Begun, cursor: Json | undefined, error: unknown): Promise<Try> {
    exchange.close();
    vacate(session, exchange);
    const message = session.isOpen ? messageOf(error) : await session.ended();
    const { hasActed, usage, attention } = exchange;
    const isLost = session.isOpen ? isPassing(message) && !hasActed : !hasActed && !attention.hasShown;
    const failure = failed(message, true);
    return { turn: { kind: "failed", failure, usage, ...(cursor !== undefined && { cursor }) }, isLost };
  }

  /** The session of a cursor: the one that is alive, the one in its file, or a new one (3). */
  async #takeUp(
    { cwd, tools }: Pick<PiStart, "cwd" | "tools">,
    cursor: Json | undefined,
  ): Promise<{ readonly session: PiSession; readonly isNew: boolean }> {
    const file = fileIn(cursor, cwd);
    for (const session of this.#sessions) {
      if (!session.isOpen) this.#sessions.delete(session);
      else if (file !== undefined && session.file === file && session.cwd === cwd) {
        const isFit = tools.every((tool) => session.tools.includes(tool));
        if (isFit || session.exchange !== undefined) return { session, isNew: false };
        await this.#drop(session); // (4)
      }
    }
    const isBack = file !== undefined && existsSync(file);
    const start = { cwd, tools, ...(isBack && { session: file }) };
    const session = await PiSession.open(this.#options.connect, start, this.#taking.limits.startMs);
    this.#sessions.add(session);
    return { session, isNew: !isBack };
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

  #attend(begun: Begun): PiAttendance {
    return new PiAttendance({ ...begun, limits: this.#taking.limits });
  }
}
