/**
 * The taking up of sessions: one that is alive, one that comes back from before, or a new one.
 *
 * 1. Ways that the agent does not offer, or that its record does not trust, are not tried.
 * 2. A session that does not come back is no failure: a new one takes its place and is told everything.
 */

import { type McpServer, methods, type NewSessionResponse } from "@agentclientprotocol/sdk/unstable";
import type { Offer, ToolDesk, ToolDesks } from "../../agent/tool-desk.ts";
import type { AcpConnection, Session } from "./connection.ts";
import type { Cursor } from "./cursor.ts";
import type { Quirks } from "./quirks.ts";

export interface SessionWish {
  readonly cwd: string;
  readonly cursor: Cursor | undefined;
  readonly mcpServers: readonly McpServer[];
  /** Opens the desk at which it finds the tools of the graph. */
  readonly desks?: ToolDesks | undefined;
  /** The tools that it finds there. */
  readonly tools?: readonly (keyof Offer)[];
}

/** A session that can be spoken with; `isNew` when it knows nothing of what was said before. */
export interface TakenUp {
  readonly session: Session;
  readonly isNew: boolean;
}

export async function takeUp(connection: AcpConnection, quirks: Quirks, wish: SessionWish): Promise<TakenUp> {
  const { cursor } = wish;
  const alive = cursor && connection.sessions.get(cursor.sessionId);
  if (alive !== undefined) return { session: alive, isNew: false };
  const desk =
    connection.capabilities.mcpCapabilities?.http === true
      ? await wish.desks?.open(wish.tools ?? [])
      : undefined; // (1)
  const mcpServers = [...wish.mcpServers, ...(desk ? [serverAt(desk)] : [])];
  const back = cursor && (await comeBack(connection, quirks, { ...wish, mcpServers, cursor }));
  const session = { ...(back ?? (await begin(connection, { ...wish, mcpServers }))), desk };
  connection.sessions.set(session.id, session);
  if (mcpServers.length > 0) await pause(quirks.mcpWaitMs);
  return { session, isNew: back === undefined };
}

function serverAt({ name, url, headers }: ToolDesk): McpServer {
  const pairs = Object.entries(headers).map(([header, value]) => ({ name: header, value }));
  return { type: "http", name, url, headers: pairs };
}

async function begin({ agent }: AcpConnection, { cwd, mcpServers }: SessionWish): Promise<Session> {
  const begun = await agent.request(methods.agent.session.new, { cwd, mcpServers: [...mcpServers] });
  return { id: begun.sessionId, cwd, cost: 0, choices: begun.configOptions ?? [] };
}

async function comeBack(
  connection: AcpConnection,
  { returns }: Quirks,
  { cwd, cursor, mcpServers }: SessionWish & { readonly cursor: Cursor },
): Promise<Session | undefined> {
  const wish = { sessionId: cursor.sessionId, cwd, mcpServers: [...mcpServers] };
  for (const way of returns.filter((one) => isOffered(connection, one))) {
    try {
      const answer = await WAYS[way](connection, wish);
      return {
        id: cursor.sessionId,
        cwd,
        cost: cursor.costUsd ?? undefined,
        choices: answer?.configOptions ?? [],
      };
    } catch (error) {
      if (!connection.isOpen) throw error; // the agent is gone, and not just the session
    }
  }
  return undefined;
}

interface Back {
  readonly sessionId: string;
  readonly cwd: string;
  readonly mcpServers: McpServer[];
}

type Way = (
  connection: AcpConnection,
  wish: Back,
) => Promise<Pick<NewSessionResponse, "configOptions"> | undefined>;

const WAYS: { readonly [W in Quirks["returns"][number]]: Way } = {
  resume: ({ agent }, wish) => agent.request(methods.agent.session.resume, wish),
  load: ({ agent }, wish) => agent.request(methods.agent.session.load, wish),
};

function isOffered({ capabilities }: AcpConnection, way: Quirks["returns"][number]): boolean {
  if (way === "load") return capabilities.loadSession === true;
  return (capabilities.sessionCapabilities?.resume ?? undefined) !== undefined;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
