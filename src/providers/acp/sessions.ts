/**
 * The taking up of sessions: one that is alive, one that comes back from before, or a new one.
 *
 * 1. Ways that the agent does not offer, or that its record does not trust, are not tried.
 * 2. A session that does not come back is no failure: a new one takes its place and is told everything.
 * 3. An agent lists the tools of a desk once. When a turn has others, its session is taken up anew, at another desk.
 * 4. Agents begin to connect to servers of tools when a session begins, and do not say when they are done. One that has
 *    asked the desk for its tools has them in a moment; for servers of others nobody can tell, and the time is waited.
 */

import { type McpServer, methods, type NewSessionResponse } from "@agentclientprotocol/sdk/unstable";
import type { Offer, ToolDesk, ToolDesks } from "../../agent/tool-desk.ts";
import type { AcpConnection, Session } from "./connection.ts";
import type { Cursor } from "./cursor.ts";
import type { Quirks } from "./quirks.ts";
import { SharedDesk } from "./shared-desk.ts";

/** How long an agent may take to make its own what it has found at the desk, in milliseconds. */
const FOUND_MS = 200;

/** What a desk offers that serves sessions of every kind. */
const ALL: readonly (keyof Offer)[] = ["send", "finish", "ask", "look"];

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
  if (alive !== undefined && (alive.exchange !== undefined || hasTools(alive, wish)))
    return { session: alive, isNew: false };
  const { desk, isKnown } = await deskFor(connection, quirks, wish);
  const mcpServers = [...wish.mcpServers, ...(desk && !isKnown ? [serverAt(desk)] : [])];
  const { session, isNew } = await spoken(connection, quirks, { ...wish, mcpServers }).catch((error) => {
    if (!isKnown) connection.sharedDesks.delete(wish.cwd); // it may not have heard of the desk
    throw error;
  });
  session.desk = desk instanceof SharedDesk ? desk.seatFor(session) : desk;
  session.tools = desk === undefined || desk instanceof SharedDesk ? ALL : (wish.tools ?? []);
  alive?.desk?.close();
  connection.sessions.set(session.id, session);
  if (mcpServers.length > 0 || desk !== undefined) {
    await settling(quirks.mcpWaitMs, wish.mcpServers.length === 0 ? desk : undefined);
  }
  return { session, isNew };
}

/** Says whether an agent has found all tools of a turn, or would find none at another desk either (3). */
function hasTools({ tools }: Session, wish: SessionWish): boolean {
  return (wish.tools ?? []).every((tool) => tools.includes(tool));
}

/** The session that the agent takes up: the one from before, or a new one (2). */
async function spoken(connection: AcpConnection, quirks: Quirks, wish: SessionWish): Promise<TakenUp> {
  const { cursor } = wish;
  const back = cursor && (await comeBack(connection, quirks, { ...wish, cursor }));
  return { session: back ?? (await begin(connection, wish)), isNew: back === undefined };
}

interface Found {
  readonly desk?: ToolDesk | undefined;
  /** Whether the agent has heard of it before. */
  readonly isKnown: boolean;
}

/** The desk of a new session: one of its own, or that of all sessions in its folder. */
async function deskFor(connection: AcpConnection, quirks: Quirks, wish: SessionWish): Promise<Found> {
  const { desks, tools = [], cwd } = wish;
  if (connection.capabilities.mcpCapabilities?.http !== true || desks === undefined)
    return { isKnown: false }; // (1)
  if (quirks.sharesServers === undefined) return { desk: await desks.open(tools), isKnown: false };
  const known = connection.sharedDesks.get(cwd);
  if (known !== undefined) return { desk: await known, isKnown: true };
  const opening = desks.open(ALL).then((desk) => desk && new SharedDesk(desk));
  connection.sharedDesks.set(cwd, opening); // at once: turns begin side by side
  opening.catch(() => connection.sharedDesks.delete(cwd));
  return { desk: await opening, isKnown: false };
}

/** Waits until the agent has connected to its servers (4). */
async function settling(milliseconds: number, desk: ToolDesk | undefined): Promise<void> {
  const late = pause(milliseconds);
  await Promise.race([late, desk?.found ?? late]);
  if (desk !== undefined) await Promise.race([late, pause(FOUND_MS)]);
}

function serverAt({ name, url, headers }: ToolDesk): McpServer {
  const pairs = Object.entries(headers).map(([header, value]) => ({ name: header, value }));
  return { type: "http", name, url, headers: pairs };
}

async function begin({ agent }: AcpConnection, { cwd, mcpServers }: SessionWish): Promise<Session> {
  const begun = await agent.request(methods.agent.session.new, { cwd, mcpServers: [...mcpServers] });
  return { id: begun.sessionId, cwd, cost: 0, choices: begun.configOptions ?? [], tools: [] };
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
        tools: [],
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
