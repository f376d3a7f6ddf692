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

import { setImmediate } from "node:timers/promises";
import type { McpServer } from "@agentclientprotocol/sdk/unstable";
import type {
  Agent,
  Approval,
  Asked,
  Finish,
  SendVerdict,
  SessionRequest,
  Turn,
  TurnRequest,
  Usage,
} from "../../agent/agent.ts";
import { type Policy, policyWith } from "../../agent/policy.ts";
import type { Offer, ToolDesks } from "../../agent/tool-desk.ts";
import type { Json } from "../../base/json.ts";
import { type AcpLimits, Attendance, say, stopped } from "./attendance.ts";
import { choose } from "./choices.ts";
import { AcpConnection, type Session } from "./connection.ts";
import { readCursor } from "./cursor.ts";
import { Exchange } from "./exchange.ts";
import type { Quirks } from "./quirks.ts";
import { failureOf } from "./reading.ts";
import { takeUp } from "./sessions.ts";
import type { Connect } from "./wire.ts";

export interface AcpAgentOptions {
  readonly quirks: Quirks;
  readonly connect: Connect;
  /** Where turns work that name no folder of their own, absolute. */
  readonly cwd: string;
  /** Changes to the default policy, in which only what looks needs nobody. */
  readonly policy?: Partial<Policy>;
  /** Servers of tools that every session gets. */
  readonly mcpServers?: readonly McpServer[];
  /** Where sessions find the tools of their graph; without it they have none. */
  readonly desks?: ToolDesks;
  readonly limits?: Partial<AcpLimits>;
}

const LIMITS: AcpLimits = { startMs: 60_000, turnMs: 3_600_000, idleMs: 600_000, cancelMs: 5000 };

/** What a turn was about to be decided on when it returned. */
interface Left {
  readonly asked: Asked;
  readonly cursor: Json | undefined;
}

interface Begun {
  readonly session: Session;
  readonly exchange: Exchange;
}

export class AcpAgent implements Agent {
  readonly #options: AcpAgentOptions;
  readonly #limits: AcpLimits;
  readonly #policy: Policy;
  #opening: Promise<AcpConnection> | undefined;
  /** What turns left open, by their key, in case that the process does not live to see the answer. */
  readonly #left: Map<string, Left> = new Map();

  constructor(options: AcpAgentOptions) {
    this.#options = options;
    this.#limits = { ...LIMITS, ...options.limits };
    this.#policy = policyWith(options.policy);
  }

  session({ node }: SessionRequest): string {
    return node;
  }

  async turn(request: TurnRequest): Promise<Turn> {
    if (request.signal.aborted) return { kind: "failed", failure: stopped(), usage: UNKNOWN };
    try {
      const turn = (await this.#goOn(request)) ?? (await this.#begin(request));
      this.#remember(request.idempotencyKey, turn);
      return turn;
    } catch (error) {
      return { kind: "failed", failure: failureOf(error, this.#options.quirks.name), usage: UNKNOWN };
    }
  }

  /** Ends the agent and everything that it has started. A later turn starts it again. */
  async close(): Promise<void> {
    const opening = this.#opening;
    this.#opening = undefined;
    await opening?.then((connection) => connection.close()).catch(() => {}); // what never opened is closed
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
    const { startMs } = this.#limits;
    const opening = AcpConnection.open({ connect, clientMeta: quirks.clientMeta, startMs });
    opening.catch(() => {
      if (this.#opening === opening) this.#opening = undefined; // the next turn tries again
    });
    return opening;
  }

  /** Goes on with the exchange that waits for this very turn; nothing when there is none, or it is gone (3). */
  async #goOn(request: TurnRequest): Promise<Turn | undefined> {
    const connection = await this.#connect();
    const sessions = [...connection.sessions.values()];
    const session = sessions.find(
      ({ exchange }) => exchange?.isParked && exchange.key === request.idempotencyKey,
    );
    if (session?.exchange === undefined) return undefined;
    const { exchange } = session;
    const { signs } = exchange;
    exchange.takeUp(request.progress);
    if (request.approval !== undefined) exchange.decide(request.approval);
    const turn = await this.#follow(connection, { session, exchange }, request);
    const isUnheard = turn.kind === "failed" && !connection.isOpen && exchange.signs === signs;
    return isUnheard && !request.signal.aborted ? undefined : turn;
  }

  async #begin(request: TurnRequest): Promise<Turn> {
    const connection = await this.#connect();
    const { quirks, mcpServers = [], desks } = this.#options;
    const { idempotencyKey: key, tools, writes = "all", progress } = request;
    const left = this.#left.get(key);
    const cwd = request.cwd ?? this.#options.cwd;
    const cursor = readCursor(request.cursor ?? left?.cursor, quirks.name, cwd);
    const { session, isNew } = await takeUp(connection, quirks, {
      cwd,
      cursor,
      mcpServers,
      desks,
      tools: toolsOf(request),
    });
    const decided = decisionAgain(request.approval, left);
    const rules = { tools, writes, policy: this.#policy };
    const exchange = new Exchange({ key, cwd, rules, quirks, decided, progress });
    await this.#occupy(connection, session, exchange);
    try {
      await choose(connection, session, request);
    } catch (error) {
      exchange.end({ kind: "broken", error });
      session.exchange = undefined;
      throw error;
    }
    say(connection, session, exchange, isNew ? (request.fullPrompt ?? request.prompt) : request.prompt);
    return this.#follow(connection, { session, exchange }, request);
  }

  /** Follows an exchange with the tools of its turn at hand. */
  async #follow(connection: AcpConnection, begun: Begun, request: TurnRequest): Promise<Turn> {
    const { session, exchange } = begun;
    session.desk?.serve(offerOf(request, exchange));
    const turn = await this.#attend(connection, begun).follow(request);
    if (!exchange.isParked) session.desk?.serve(undefined);
    return turn;
  }

  /** Waits until the session is free, and takes it before anybody else can (2). */
  async #occupy(connection: AcpConnection, session: Session, exchange: Exchange): Promise<void> {
    for (let before = session.exchange; before !== undefined; before = session.exchange) {
      if (before.isParked) await this.#attend(connection, { session, exchange: before }).abandon();
      else if (before.ending === undefined) await before.over();
      else await setImmediate(); // whoever attends to it is about to settle it
    }
    session.exchange = exchange;
  }

  #attend(connection: AcpConnection, begun: Begun): Attendance {
    return new Attendance({ ...begun, connection, quirks: this.#options.quirks, limits: this.#limits });
  }

  #remember(key: string, turn: Turn): void {
    if (turn.kind === "asks") {
      this.#left.set(key, { asked: askedIn(turn), cursor: turn.cursor });
    } else this.#left.delete(key);
  }
}

function askedIn({ title, args, wants }: Asked): Asked {
  return { title, args, ...(wants && { wants }) };
}

/** The tools of the graph that the turns of a session have: those of its first one. */
function toolsOf({ send, finish, look }: TurnRequest): (keyof Offer)[] {
  return [
    ...(send ? ["send" as const] : []),
    ...(finish ? ["finish" as const] : []),
    "ask",
    ...(look ? ["look" as const] : []),
  ];
}

/** What a turn lets its agent do to the graph. */
function offerOf({ send, finish, look }: TurnRequest, exchange: Exchange): Offer {
  return {
    ...(send && { send }),
    ...(finish && {
      finish(end: Finish): SendVerdict {
        const verdict = finish(end);
        if (verdict.ok) exchange.finish = end;
        return verdict;
      },
    }),
    ask: (asked, gone) => exchange.ask(asked, gone),
    ...(look && { look }),
  };
}

/** The decision to apply when the exchange that asked for it is gone; it counts for what was asked, and only that. */
function decisionAgain(approval: Approval | undefined, left: Left | undefined): Approval | undefined {
  const asked = approval?.asked ?? left?.asked;
  return approval === undefined || asked === undefined ? undefined : { ...approval, asked };
}

const UNKNOWN: Usage = { tokens: 0, costUsd: null };
