/**
 * Attendance is staying with an exchange with pi until it has settled, needs a person, or must stop.
 *
 * 1. A turn that took more than its budget has failed, also when its last answer is the one that went above.
 * 2. A turn is lost, and may be tried again, when its model could not be reached and nothing was done, or when pi ended
 *    before it had shown anything.
 */

import type { Asked, TurnRequest } from "../../agent/agent.ts";
import type { Failure } from "../../base/failure.ts";
import { isJsonObject, type Json } from "../../base/json.ts";
import { type Attention, vacate } from "../agent-process/attention.ts";
import { comesToAnEnd, type Followed, follow } from "../agent-process/follow.ts";
import { type AgentLimits, aboveBudget, failed } from "../agent-process/limits.ts";
import { isPassing } from "../agent-process/passing.ts";
import type { Try } from "../agent-process/turn-taking.ts";
import type { PiExchange } from "./pi-exchange.ts";
import type { PiSession } from "./pi-session.ts";

export interface PiAttendanceOptions {
  readonly session: PiSession;
  readonly exchange: PiExchange;
  readonly limits: AgentLimits;
}

export class PiAttendance implements Followed {
  readonly name = "pi";
  readonly #options: PiAttendanceOptions;

  constructor(options: PiAttendanceOptions) {
    this.#options = options;
  }

  get attention(): Attention {
    return this.#options.exchange.attention;
  }

  get asked(): Asked | undefined {
    return this.#options.exchange.asked;
  }

  get hasEnded(): boolean {
    const { session, exchange } = this.#options;
    return exchange.hasSettled || !session.isOpen;
  }

  get tokens(): number {
    return this.#options.exchange.usage.tokens;
  }

  async follow({ signal }: Pick<TurnRequest, "signal">, deadline: number): Promise<Try> {
    const { session, exchange, limits } = this.#options;
    try {
      const onward = await follow(this, { signal, limits, deadline });
      if (onward.kind === "asks") return this.#park();
      if (onward.kind === "stop") {
        await this.#stop();
        return this.#over(onward.why);
      }
      return this.#over(await this.#reading());
    } finally {
      if (!exchange.attention.isParked) {
        exchange.close();
        vacate(session, exchange);
      }
    }
  }

  /** Ends an exchange that nobody comes back for. */
  async abandon(): Promise<void> {
    const { session, exchange } = this.#options;
    await this.#stop();
    exchange.close();
    vacate(session, exchange);
  }

  /** Makes pi stop, by force when it must be. */
  async #stop(): Promise<void> {
    const { session, exchange, limits } = this.#options;
    void session.command("abort").catch(() => {}); // it may be gone
    await comesToAnEnd(this, limits.cancelMs, () => exchange.dismiss());
    if (!exchange.hasSettled) await session.close();
  }

  #park(): Try {
    const { session, exchange } = this.#options;
    const asked = exchange.asked ?? { title: "", args: null };
    exchange.park();
    return { turn: { kind: "asks", ...asked, cursor: cursorOf(session) }, isLost: false };
  }

  async #reading(): Promise<Failure | undefined> {
    const { session, exchange, limits } = this.#options;
    if (!exchange.hasSettled) return failed(await session.ended(), true);
    return failureIn(exchange) ?? aboveBudget(this.tokens, limits.tokens); // (1)
  }

  #over(why: Failure | undefined): Try {
    const { session, exchange } = this.#options;
    const { usage, message: text, seat } = exchange;
    const cursor = cursorOf(session);
    if (why !== undefined) {
      return { turn: { kind: "failed", failure: why, usage, cursor }, isLost: this.#isLost(why) };
    }
    const { finish } = seat;
    return { turn: { kind: "done", text, ...(finish && { finish }), usage, cursor }, isLost: false };
  }

  #isLost({ message, retryable }: Failure): boolean {
    const { exchange } = this.#options;
    if (!retryable || exchange.hasActed) return false;
    return exchange.hasSettled ? isPassing(message) : !exchange.attention.hasShown; // (2)
  }
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

export function cursorOf({ file, cwd }: PiSession): Json {
  return { agent: "pi", file: file ?? null, cwd };
}

/** The file of a session; nothing when the cursor is another agent's, or for another folder. */
export function fileIn(cursor: Json | undefined, cwd: string): string | undefined {
  if (!isJsonObject(cursor) || cursor["agent"] !== "pi" || cursor["cwd"] !== cwd) return undefined;
  return typeof cursor["file"] === "string" ? cursor["file"] : undefined;
}
