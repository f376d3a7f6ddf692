/**
 * An ACP agent takes turns by talking to a real coding agent over the Agent Client Protocol, version 1.
 *
 * 1. One process serves all sessions. It is started by the first turn, and again by the first one after it is gone.
 * 2. A session has one exchange at a time; another turn for it waits, and cancels one that nobody came back for.
 * 3. A turn that needs a decision returns, and its exchange stays where it is. The same turn, taken again with the
 *    decision, goes on with it. When the process is gone by then, the prompt is sent again, and the decision is
 *    applied to the first request that shows just what the person was shown.
 * 4. A new session in the place of one that is gone gets the full prompt.
 */

import type { McpServer } from "@agentclientprotocol/sdk/unstable";
import type { Agent, SessionRequest, Turn, TurnRequest, Usage } from "../../agent/agent.ts";
import { type ToolDesks, toolsOf } from "../../agent/tool-desk.ts";
import { Gone } from "../agent-process/agent-process.ts";
import { occupy, vacate } from "../agent-process/attention.ts";
import type { AgentLimits } from "../agent-process/limits.ts";
import { isPassing } from "../agent-process/passing.ts";
import { type Try, TurnTaking, type TurnTakingOptions } from "../agent-process/turn-taking.ts";
import { Attendance, say } from "./attendance.ts";
import { choose } from "./choices.ts";
import { AcpConnection, type Session } from "./connection.ts";
import { readCursor } from "./cursor.ts";
import { Exchange } from "./exchange.ts";
import type { Quirks } from "./quirks.ts";
import { failureOf } from "./reading.ts";
import { takeUp } from "./sessions.ts";
import type { Connect } from "./wire.ts";

export type AcpLimits = AgentLimits;

export interface AcpAgentOptions extends TurnTakingOptions {
  readonly quirks: Quirks;
  readonly connect: Connect;
  /** Where turns work that name no folder of their own, absolute. */
  readonly cwd: string;
  /** Servers of tools that every session gets. */
  readonly mcpServers?: readonly McpServer[];
  /** Where sessions find the tools of their graph; without it they have none. */
  readonly desks?: ToolDesks;
}

interface Begun {
  readonly session: Session;
  readonly exchange: Exchange;
}

/** A coding agent of this machine over the Agent Client Protocol. `openAgent` makes one by its name; `close()` ends its process. */
export class AcpAgent implements Agent {
  readonly #options: AcpAgentOptions;
  readonly #taking: TurnTaking;
  #opening: Promise<AcpConnection> | undefined;

  constructor(options: AcpAgentOptions) {
    this.#options = options;
    this.#taking = new TurnTaking(options);
  }

  session({ node }: SessionRequest): string {
    return node;
  }

  turn(request: TurnRequest): Promise<Turn> {
    return this.#taking.turn(request, (deadline) => this.#try(request, deadline));
  }

  /** Ends the agent and everything that it has started. A later turn starts it again. */
  async close(): Promise<void> {
    const opening = this.#opening;
    this.#opening = undefined;
    await opening?.then((connection) => connection.close()).catch(() => {}); // what never opened is closed
  }

  async #try(request: TurnRequest, deadline: number): Promise<Try> {
    try {
      return (await this.#goOn(request, deadline)) ?? (await this.#begin(request, deadline));
    } catch (error) {
      const failure = failureOf(error, this.#options.quirks.name);
      const isLost = failure.retryable && (error instanceof Gone || isPassing(failure.message));
      return { turn: { kind: "failed", failure, usage: UNKNOWN }, isLost };
    }
  }

  /** The connection, made anew when there is none (1). */
  async #connect(): Promise<AcpConnection> {
    for (;;) {
      this.#opening ??= this.#open();
      const opening = this.#opening;
      const connection = await opening;
      if (connection.isOpen) return connection;
      if (this.#opening === opening) this.#opening = undefined;
      await connection.close();
    }
  }

  #open(): Promise<AcpConnection> {
    const { connect, quirks } = this.#options;
    const { startMs } = this.#taking.limits;
    const opening = AcpConnection.open({ connect, clientMeta: quirks.clientMeta, startMs });
    opening.catch(() => {
      if (this.#opening === opening) this.#opening = undefined; // the next turn tries again
    });
    return opening;
  }

  /** Goes on with the exchange that waits for this very turn; nothing when there is none, or it is gone (3). */
  async #goOn(request: TurnRequest, deadline: number): Promise<Try | undefined> {
    const connection = await this.#connect();
    const session = [...connection.sessions.values()].find(
      ({ exchange }) => exchange?.attention.isParked && exchange.key === request.idempotencyKey,
    );
    if (session?.exchange === undefined) return undefined;
    const { exchange } = session;
    const { signs } = exchange.attention;
    exchange.attention.takeUp(request.progress);
    if (request.approval !== undefined) exchange.decide(request.approval);
    const tried = await this.#follow(connection, { session, exchange }, { request, deadline });
    const isFailed = tried.turn.kind === "failed";
    const isUnheard = isFailed && !connection.isOpen && exchange.attention.signs === signs;
    return isUnheard && !request.signal.aborted ? undefined : tried;
  }

  async #begin(request: TurnRequest, deadline: number): Promise<Try> {
    const connection = await this.#connect();
    const { quirks, mcpServers = [], desks } = this.#options;
    const { idempotencyKey: key, tools, writes = "all", progress } = request;
    const { cursor: known, decided } = this.#taking.again(request);
    const cwd = request.cwd ?? this.#options.cwd;
    const cursor = readCursor(known, quirks.name, cwd);
    const wish = { cwd, cursor, mcpServers, desks, tools: toolsOf(request) };
    const { session, isNew } = await takeUp(connection, quirks, wish);
    const rules = { tools, writes, policy: this.#taking.policy };
    const exchange = new Exchange({ key, cwd, rules, quirks, decided, reach: request, progress });
    await occupy(session, exchange, (before) =>
      this.#attend(connection, { session, exchange: before }).abandon(),
    );
    try {
      await choose(connection, session, request);
    } catch (error) {
      exchange.end({ kind: "broken", error });
      vacate(session, exchange);
      throw error;
    }
    say(connection, session, exchange, isNew ? (request.fullPrompt ?? request.prompt) : request.prompt);
    return this.#follow(connection, { session, exchange }, { request, deadline });
  }

  /** Follows an exchange with the tools of its turn at hand. */
  async #follow(
    connection: AcpConnection,
    begun: Begun,
    { request, deadline }: { readonly request: TurnRequest; readonly deadline: number },
  ): Promise<Try> {
    const { session, exchange } = begun;
    session.desk?.serve(exchange.seat.offer);
    exchange.seat.attend(request);
    const tried = await this.#attend(connection, begun).follow(request, deadline);
    if (session.exchange === undefined) session.desk?.serve(undefined); // or the next turn is about to offer its own
    return tried;
  }

  #attend(connection: AcpConnection, begun: Begun): Attendance {
    const { quirks } = this.#options;
    return new Attendance({ ...begun, connection, quirks, limits: this.#taking.limits });
  }
}

const UNKNOWN: Usage = { tokens: 0, costUsd: null };
