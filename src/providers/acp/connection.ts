/**
 * A connection is one agent, started and greeted, with the exchanges of all its sessions.
 *
 * 1. What arrives for a session without an exchange is history that is being replayed, or comes too late: dropped.
 * 2. Only files inside the working folder of a session are written for an agent, and only what it was let edit.
 */

import { isAbsolute, relative } from "node:path";
import {
  type AgentCapabilities,
  type ClientConnection,
  client,
  type InitializeResponse,
  methods,
  PROTOCOL_VERSION,
  RequestError,
  type SessionConfigOption,
  type WriteTextFileRequest,
} from "@agentclientprotocol/sdk/unstable";
import type { Offer, ToolDesk } from "../../agent/tool-desk.ts";
import { messageOf } from "../../base/failure.ts";
import type { JsonObject } from "../../base/json.ts";
import { Gone } from "../agent-process/agent-process.ts";
import { within } from "../agent-process/within.ts";
import { LocalWorkspace } from "../workspace/local-workspace.ts";
import type { Exchange } from "./exchange.ts";
import type { SharedDesk } from "./shared-desk.ts";
import type { Connect, Wire } from "./wire.ts";

/** A conversation with the agent. */
export interface Session {
  readonly id: string;
  /** Its working folder, absolute. */
  readonly cwd: string;
  /** Where it finds the tools of the graph, and which. */
  desk?: Pick<ToolDesk, "serve" | "close"> | undefined;
  tools: readonly (keyof Offer)[];
  /** The exchange that is under way. */
  exchange?: Exchange | undefined;
  /** What it had cost when its last exchange ended, in US dollars; unknown after it was taken up again. */
  cost: number | undefined;
  /** What can be chosen in it, as the agent said last. */
  choices: readonly SessionConfigOption[];
}

export interface Greeting {
  readonly connect: Connect;
  readonly clientMeta?: JsonObject | undefined;
  /** How long the agent has to start and to answer, in milliseconds. */
  readonly startMs: number;
}

export class AcpConnection {
  readonly #wire: Wire;
  readonly capabilities: AgentCapabilities;
  readonly sessions: Map<string, Session>;
  /** The desks of agents that know one for all sessions in a folder, by the folder. */
  readonly sharedDesks: Map<string, Promise<SharedDesk | undefined>> = new Map();

  private constructor(wire: Wire, greeted: InitializeResponse, sessions: Map<string, Session>) {
    this.#wire = wire;
    this.capabilities = greeted.agentCapabilities ?? {};
    this.sessions = sessions;
  }

  /** Starts an agent and greets it. Rejects with a sentence when that does not work out. */
  static async open({ connect, clientMeta, startMs }: Greeting): Promise<AcpConnection> {
    const sessions = new Map<string, Session>();
    const wire = await connect(clientApp(sessions));
    try {
      const late = `It did not answer within ${startMs / 1000} s of its start.`;
      const greeted = await within(startMs, greet(wire.connection, clientMeta), late);
      if (greeted.protocolVersion !== PROTOCOL_VERSION) {
        throw new Error(
          `It speaks version ${greeted.protocolVersion} of the protocol, and not ${PROTOCOL_VERSION}.`,
        );
      }
      return new AcpConnection(wire, greeted, sessions);
    } catch (error) {
      const why = wire.connection.signal.aborted ? new Gone(await wire.ended()) : error;
      await wire.close();
      throw why;
    }
  }

  get isOpen(): boolean {
    return !this.#wire.connection.signal.aborted;
  }

  get agent(): ClientConnection["agent"] {
    return this.#wire.connection.agent;
  }

  ended(): Promise<string> {
    return this.#wire.ended();
  }

  close(): Promise<void> {
    for (const { desk } of this.sessions.values()) desk?.close();
    for (const desk of this.sharedDesks.values())
      void desk.then(
        (one) => one?.close(),
        () => {},
      ); // or it never opened
    return this.#wire.close();
  }
}

function greet({ agent }: ClientConnection, meta: JsonObject | undefined): Promise<InitializeResponse> {
  return agent.request(methods.agent.initialize, {
    protocolVersion: PROTOCOL_VERSION,
    clientInfo: { name: "baton", version: "1" },
    clientCapabilities: {
      ...{ fs: { readTextFile: false, writeTextFile: false }, terminal: false },
      ...(meta && { _meta: { ...meta } }),
    },
  });
}

function clientApp(sessions: ReadonlyMap<string, Session>): ReturnType<typeof client> {
  return client({ name: "baton" })
    .onNotification(methods.client.session.update, ({ params }) => {
      const session = sessions.get(params.sessionId);
      if (session === undefined) return;
      if (params.update.sessionUpdate === "config_option_update")
        session.choices = params.update.configOptions;
      session.exchange?.update(params.update); // (1)
    })
    .onRequest(methods.client.session.requestPermission, ({ params, signal }) => {
      const exchange = sessions.get(params.sessionId)?.exchange;
      return exchange?.permission(params, signal) ?? { outcome: { outcome: "cancelled" as const } };
    })
    .onRequest(methods.client.fs.writeTextFile, ({ params }) => write(sessions.get(params.sessionId), params))
    .onRequest("*", ({ method }) => {
      throw RequestError.methodNotFound(method);
    })
    .onNotification("*", () => {});
}

/** Writes a file for an agent that asks for it although it was not offered (2). */
async function write(session: Session | undefined, { path, content }: WriteTextFileRequest): Promise<object> {
  if (session === undefined) throw RequestError.invalidParams(undefined, "There is no such session.");
  const inside = isAbsolute(path) ? relative(session.cwd, path) : path;
  if (session.exchange?.letWrite(inside) !== true) {
    throw RequestError.invalidRequest(undefined, `Nobody has allowed that ${inside} is written.`);
  }
  try {
    await new LocalWorkspace(session.cwd).write(inside, content);
  } catch (error) {
    throw RequestError.invalidParams(undefined, messageOf(error));
  }
  return {};
}
