/**
 * Attendance is staying with an exchange until it is over, needs a person, or must stop.
 *
 * 1. The time in which a person decides is nobody's: no limit counts it.
 * 2. An agent that is told to stop gets some time to do so. Then its process is ended, whoever else it serves.
 * 3. An agent that ended its work over a declined request is told so and goes on, a few times.
 */

import { setImmediate } from "node:timers/promises";
import { type ContentBlock, methods } from "@agentclientprotocol/sdk/unstable";
import type { Turn, TurnRequest, Usage } from "../../agent/agent.ts";
import type { Failure } from "../../base/failure.ts";
import type { Json } from "../../base/json.ts";
import type { AcpConnection, Session } from "./connection.ts";
import { cursorJson } from "./cursor.ts";
import type { Exchange } from "./exchange.ts";
import type { Quirks } from "./quirks.ts";
import { failed, failureIn, failureOf } from "./reading.ts";
import { tokensIn } from "./tokens.ts";

/** All in milliseconds. */
export interface AcpLimits {
  /** How long the agent may take to start; 60,000 when absent. */
  readonly startMs: number;
  /** How long a turn may take from one decision of a person to the next; an hour when absent. */
  readonly turnMs: number;
  /** How long the agent may show no sign of life in a turn; ten minutes when absent. */
  readonly idleMs: number;
  /** How long it may take to stop; 5000 when absent. */
  readonly cancelMs: number;
}

/** How often an agent is told what became of its requests after it has stopped over one (3). */
const MAX_REMARKS = 3;

export interface AttendanceOptions {
  readonly connection: AcpConnection;
  readonly session: Session;
  readonly exchange: Exchange;
  readonly quirks: Quirks;
  readonly limits: AcpLimits;
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

export class Attendance {
  readonly #options: AttendanceOptions;
  #remarks = 0;

  constructor(options: AttendanceOptions) {
    this.#options = options;
  }

  async follow({ signal }: Pick<TurnRequest, "signal">): Promise<Turn> {
    const { exchange, limits } = this.#options;
    const wake = (): void => exchange.wake();
    const deadline = performance.now() + limits.turnMs;
    signal.addEventListener("abort", wake);
    try {
      for (;;) {
        if (signal.aborted) return this.#over(await this.#cancel(stopped()));
        if (exchange.ending !== undefined) {
          if (this.#goesOn()) continue;
          return this.#over(await this.#reading());
        }
        if (exchange.asked !== undefined) return this.#park();
        const late = await this.#wait(deadline);
        if (late !== undefined) return this.#over(await this.#cancel(late));
      }
    } finally {
      signal.removeEventListener("abort", wake);
      if (!exchange.isParked) this.#settle();
    }
  }

  /** Ends an exchange that nobody comes back for. */
  async abandon(): Promise<void> {
    await this.#cancel(stopped());
    this.#settle();
  }

  /** Makes the agent stop, by force when it must be (2), and returns why. */
  async #cancel(why: Failure): Promise<Failure> {
    const { connection, session, exchange, limits } = this.#options;
    if (exchange.ending !== undefined) return why;
    await connection.agent.notify(methods.agent.session.cancel, { sessionId: session.id }).catch(() => {}); // it is gone
    exchange.cancelOpen();
    const deadline = performance.now() + limits.cancelMs;
    while (exchange.ending === undefined && performance.now() < deadline) {
      await exchange.changed(deadline - performance.now());
      exchange.cancelOpen();
    }
    if (exchange.ending === undefined) {
      await connection.close();
      exchange.end({ kind: "broken", error: new Error("It did not stop and was ended.") });
    }
    return why;
  }

  /** Waits for the next change; says what limit was reached, if one was. */
  async #wait(deadline: number): Promise<Failure | undefined> {
    const { exchange, limits, quirks } = this.#options;
    const { signs } = exchange;
    const began = performance.now();
    await exchange.changed(Math.max(0, Math.min(deadline - began, limits.idleMs)));
    const now = performance.now();
    if (now >= deadline) {
      return failed(`${quirks.name} took longer than ${limits.turnMs / 1000} s for its turn.`, true);
    }
    if (exchange.signs > signs || now - began < limits.idleMs) return undefined;
    return failed(`${quirks.name} showed no sign of life for ${limits.idleMs / 1000} s.`, true);
  }

  #park(): Turn {
    const { exchange } = this.#options;
    const asked = exchange.asked ?? { title: "", args: null };
    exchange.park();
    return { kind: "asks", ...asked, cursor: this.#cursor() };
  }

  /** Tells the agent what it has to know after it stopped over a declined request (3); false when it is done. */
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
    const { exchange, quirks, connection } = this.#options;
    const { ending } = exchange;
    if (ending?.kind === "answered") return failureIn(exchange, ending.answer, quirks);
    if (!connection.isOpen) return failed(await connection.ended(), true);
    return failureOf(ending?.error, quirks.name);
  }

  #over(failure: Failure | undefined): Turn {
    const usage = this.#usage();
    this.#settle();
    const cursor = this.#cursor();
    if (failure !== undefined) return { kind: "failed", failure, usage, cursor };
    const { message: text, finish } = this.#options.exchange;
    return { kind: "done", text, ...(finish && { finish }), usage, cursor };
  }

  /** Closes the exchange: what the session has cost counts from here. */
  #settle(): void {
    const { session, exchange } = this.#options;
    session.cost = exchange.cost ?? session.cost;
    if (session.exchange === exchange) session.exchange = undefined;
  }

  #usage(): Usage {
    const { session, exchange, quirks } = this.#options;
    const tokens = tokensIn(exchange.answers, exchange.metas, quirks.usage);
    const known = exchange.cost !== undefined && session.cost !== undefined;
    const isUncounted = tokens === 0 && exchange.answers.length > 0;
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

export function stopped(): Failure {
  return failed("The turn was stopped.", false);
}
