/**
 * Attendance is staying with an exchange until it is over, needs a person, or must stop.
 *
 * 1. An agent that is told to stop gets some time to do so. Then its process is ended, whoever else it serves.
 * 2. An agent that ended its work over a declined request is told so and goes on, a few times.
 * 3. Agents tell their tokens at different times. One that goes above its budget is stopped as soon as that is told, at
 *    the latest with its answer, which does not count then.
 * 4. A turn is lost, and may be tried again, when its model could not be reached and nothing was done, or when the
 *    process ended before it had shown anything.
 */

import { setImmediate } from "node:timers/promises";
import { type ContentBlock, methods } from "@agentclientprotocol/sdk/unstable";
import type { Asked, TurnRequest, Usage } from "../../agent/agent.ts";
import type { Failure } from "../../base/failure.ts";
import type { Json } from "../../base/json.ts";
import { type Attention, vacate } from "../agent-process/attention.ts";
import { comesToAnEnd, type Followed, follow } from "../agent-process/follow.ts";
import { type AgentLimits, aboveBudget, failed } from "../agent-process/limits.ts";
import { isPassing } from "../agent-process/passing.ts";
import type { Try } from "../agent-process/turn-taking.ts";
import type { AcpConnection, Session } from "./connection.ts";
import { cursorJson } from "./cursor.ts";
import type { Exchange } from "./exchange.ts";
import type { Quirks } from "./quirks.ts";
import { failureIn, failureOf } from "./reading.ts";
import { tokensIn } from "./tokens.ts";

/** How often an agent is told what became of its requests after it has stopped over one (2). */
const MAX_REMARKS = 3;

export interface AttendanceOptions {
  readonly connection: AcpConnection;
  readonly session: Session;
  readonly exchange: Exchange;
  readonly quirks: Quirks;
  readonly limits: AgentLimits;
}

/** Sends a prompt; how it ends shows on the exchange. */
export function say({ agent }: AcpConnection, { id }: Session, exchange: Exchange, text: string): void {
  const prompt: ContentBlock[] = [{ type: "text", text }];
  const answered = agent.request(methods.agent.session.prompt, { sessionId: id, prompt });
  void answered.then(
    async (answer) => {
      await setImmediate(); // updates that came before the answer are still being handed out
      exchange.end({ kind: "answered", answer });
    },
    (error: unknown) => exchange.end({ kind: "broken", error }),
  );
}

export class Attendance implements Followed {
  readonly #options: AttendanceOptions;
  #remarks = 0;
  /** How many messages were looked through for tokens, and how many they told. */
  #heard = 0;
  #told = 0;

  constructor(options: AttendanceOptions) {
    this.#options = options;
  }

  get name(): string {
    return this.#options.quirks.name;
  }

  get attention(): Attention {
    return this.#options.exchange.attention;
  }

  get asked(): Asked | undefined {
    return this.#options.exchange.asked;
  }

  get hasEnded(): boolean {
    return this.#options.exchange.ending !== undefined;
  }

  /** Those that were counted so far, or those of its largest request when that is more. */
  get tokens(): number {
    return Math.max(this.#counted, this.#options.exchange.filled);
  }

  async follow({ signal }: Pick<TurnRequest, "signal">, deadline: number): Promise<Try> {
    const { exchange, limits } = this.#options;
    try {
      for (;;) {
        const onward = await follow(this, { signal, limits, deadline });
        if (onward.kind === "asks") return this.#park();
        if (onward.kind === "stop") return this.#over(await this.#cancel(onward.why));
        if (!this.#goesOn()) return this.#over(await this.#reading());
      }
    } finally {
      if (!exchange.attention.isParked) this.#settle();
    }
  }

  /** Ends an exchange that nobody comes back for. */
  async abandon(): Promise<void> {
    await this.#cancel(undefined);
    this.#settle();
  }

  /** Makes the agent stop, by force when it must be (1), and returns why. */
  async #cancel<Why extends Failure | undefined>(why: Why): Promise<Why> {
    const { connection, session, exchange, limits } = this.#options;
    if (exchange.ending !== undefined) return why;
    await connection.agent.notify(methods.agent.session.cancel, { sessionId: session.id }).catch(() => {}); // it is gone
    if (!(await comesToAnEnd(this, limits.cancelMs, () => exchange.cancelOpen()))) {
      await connection.close();
      exchange.end({ kind: "broken", error: new Error("It did not stop and was ended.") });
    }
    return why;
  }

  #park(): Try {
    const { exchange } = this.#options;
    const asked = exchange.asked ?? { title: "", args: null };
    exchange.park();
    return { turn: { kind: "asks", ...asked, cursor: this.#cursor() }, isLost: false };
  }

  /** Tells the agent what it has to know after it stopped over a declined request (2); false when it is done. */
  #goesOn(): boolean {
    const { connection, session, exchange } = this.#options;
    if (exchange.ending?.kind !== "answered" || this.#remarks >= MAX_REMARKS) return false;
    const remark = exchange.takeRemark();
    if (remark === undefined) return false;
    this.#remarks++;
    exchange.reopen();
    say(connection, session, exchange, remark);
    return true;
  }

  async #reading(): Promise<Failure | undefined> {
    const { exchange, quirks, connection, limits } = this.#options;
    const { ending } = exchange;
    if (ending?.kind === "answered") {
      return failureIn(exchange, ending.answer, quirks) ?? aboveBudget(this.tokens, limits.tokens); // (3)
    }
    if (!connection.isOpen) return failed(await connection.ended(), true);
    return failureOf(ending?.error, quirks.name);
  }

  #over(failure: Failure | undefined): Try {
    const { exchange, limits, quirks } = this.#options;
    const isKept = limits.tokens === Number.POSITIVE_INFINITY || this.tokens > 0;
    if (!isKept && failure === undefined) {
      const text = `${quirks.name} does not say how many tokens this turn took: its budget was not kept.\n`;
      exchange.attention.show({ kind: "thought", text });
    }
    const usage = this.#usage(failure);
    const isLost = failure !== undefined && this.#isLost(failure);
    this.#settle();
    const cursor = this.#cursor();
    if (failure !== undefined) return { turn: { kind: "failed", failure, usage, cursor }, isLost };
    const { message: text, seat } = exchange;
    const { finish } = seat;
    return { turn: { kind: "done", text, ...(finish && { finish }), usage, cursor }, isLost };
  }

  #isLost({ message, retryable }: Failure): boolean {
    const { exchange, connection } = this.#options;
    if (!retryable || exchange.hasActed) return false;
    return connection.isOpen ? isPassing(message) : !exchange.attention.hasShown; // (4)
  }

  /** Closes the exchange: what the session has cost counts from here. */
  #settle(): void {
    const { session, exchange } = this.#options;
    session.cost = exchange.cost ?? session.cost;
    exchange.seat.end();
    vacate(session, exchange);
  }

  get #counted(): number {
    const { exchange, quirks } = this.#options;
    const { answers, metas } = exchange;
    this.#told += tokensIn([], metas.slice(this.#heard), quirks.usage);
    this.#heard = metas.length;
    return this.#told + tokensIn(answers, [], quirks.usage);
  }

  #usage(failure: Failure | undefined): Usage {
    const { session, exchange } = this.#options;
    const counted = this.#counted;
    const tokens = failure?.code === "step_limit" ? this.tokens : counted;
    const known = exchange.cost !== undefined && session.cost !== undefined;
    const isUncounted = tokens > counted || (tokens === 0 && exchange.answers.length > 0);
    return {
      tokens,
      ...(isUncounted && { uncounted: true as const }),
      costUsd: known ? Math.max(0, (exchange.cost ?? 0) - (session.cost ?? 0)) : null,
    };
  }

  #cursor(): Json {
    const { session, quirks } = this.#options;
    const { id: sessionId, cwd, cost } = session;
    return cursorJson({ agent: quirks.name, sessionId, cwd, costUsd: cost ?? null });
  }
}
