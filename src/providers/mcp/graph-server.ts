/**
 * The graph server offers the graph tools over the Model Context Protocol: one HTTP server on loopback for all sessions
 * of this process.
 *
 * 1. It listens on 127.0.0.1 only, on a port that the system chooses, and only once somebody wants a desk.
 * 2. The token of a request says whose it is. A request without a known one learns nothing, not even what there is.
 * 3. Each request is answered by a server of its own, so an agent may connect as it likes. Who connects is given a name
 *    for the connection, which tells a call that comes again from another one.
 * 4. A call that waits for a person is kept open by comments in its event stream, and given up when the agent leaves.
 */

import { createHash, randomBytes, randomUUID } from "node:crypto";
import {
  createServer,
  type Server as HttpServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import {
  CallToolRequestSchema,
  isInitializeRequest,
  ListToolsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type { Offer, OfferFor, ToolDesk, ToolDesks } from "../../agent/tool-desk.ts";
import type { Json } from "../../base/json.ts";
import { type Answer, callTool, GRAPH_TOOLS } from "../tool-desk/graph-tools.ts";
import { type CallId, CallsOnce } from "./calls-once.ts";

/** The name of the server, which agents put before those of its tools. */
export const SERVER_NAME = "baton";

const HOST = "127.0.0.1";
const PATH = "/mcp";
/** Where the protocol has the name of a connection. */
const CONNECTION = "mcp-session-id";
/** The most bytes of a request. */
const LARGEST = 1024 * 1024;
/** How often a call that waits shows that it is alive, in milliseconds. */
const KEEP_ALIVE = 10_000;

interface Desk {
  readonly tools: readonly (keyof Offer)[];
  readonly found: () => void;
  readonly calls: CallsOnce<Answer>;
  offer: Offer | OfferFor | undefined;
}

/**
 * Offers agents the tools of their graph over the Model Context Protocol, on loopback, with a token for each session: give
 * it to `openAgent` as `desks`. It listens from the first `open` on; `close()` ends it.
 */
export class GraphServer implements ToolDesks {
  /** By the hash of their token, so that finding one takes as long as not finding it. */
  readonly #desks: Map<string, Desk> = new Map();
  #listening: Promise<HttpServer> | undefined;

  async open(tools: readonly (keyof Offer)[]): Promise<ToolDesk> {
    this.#listening ??= listen((request, response) => {
      this.#answer(request, response).catch(() => response.destroy()); // it left in the middle of what it said
    });
    const { port } = (await this.#listening).address() as AddressInfo; // it listens on a port
    const token = randomBytes(32).toString("base64url");
    const { promise: found, resolve } = Promise.withResolvers<void>();
    const desk: Desk = { tools, found: resolve, calls: new CallsOnce(), offer: undefined };
    this.#desks.set(hashOf(token), desk);
    return {
      name: SERVER_NAME,
      url: `http://${HOST}:${port}${PATH}`,
      headers: { Authorization: `Bearer ${token}` },
      found,
      serve(offer) {
        desk.offer = offer;
      },
      close: () => {
        desk.offer = undefined;
        this.#desks.delete(hashOf(token));
      },
    };
  }

  async close(): Promise<void> {
    const listening = this.#listening;
    this.#listening = undefined;
    this.#desks.clear();
    const server = await listening?.catch(() => undefined); // what never listened is closed
    if (server === undefined) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const desk = this.#deskOf(request);
    if (desk === undefined) return refuse(response, 401, "The token is missing or unknown."); // (2)
    if (request.url !== PATH) return refuse(response, 404, "There is nothing here.");
    if (request.method !== "POST") return refuse(response, 405, "Only POST is answered."); // (3)
    const body = await read(request);
    if (body === undefined) return refuse(response, 413, `A request has at most ${LARGEST} bytes.`);
    const message = parsed(body);
    // Who does not know the name of its connection yet hears it with the answer.
    const named = request.headers[CONNECTION];
    if (isInitializeRequest(message)) response.setHeader(CONNECTION, randomUUID());
    const server = toolServer(desk, typeof named === "string" ? named : undefined);
    const transport = new StreamableHTTPServerTransport({ keepAliveMs: KEEP_ALIVE });
    response.on("close", () => void server.close()); // (4)
    // The transport is one, but for the types of optional members.
    await server.connect(transport as Parameters<Server["connect"]>[0]);
    await transport.handleRequest(request, response, message);
  }

  #deskOf({ headers }: IncomingMessage): Desk | undefined {
    const [, token] = /^Bearer (\S+)$/.exec(headers.authorization ?? "") ?? [];
    return token === undefined ? undefined : this.#desks.get(hashOf(token));
  }
}

function toolServer(desk: Desk, connection: string | undefined): Server {
  const server = new Server({ name: SERVER_NAME, version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => {
    desk.found();
    const offered = GRAPH_TOOLS.filter(({ name }) => desk.tools.includes(name));
    const tools = offered.map(({ name, description, shape }) => ({
      ...{ name, description },
      inputSchema: { ...shape.schema, type: "object" as const },
    }));
    return { tools };
  });
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, requestId: request }) => {
    const { name, arguments: given } = params;
    const words = JSON.stringify([name, given ?? null]);
    const id: CallId | undefined = connection === undefined ? undefined : { connection, request, words };
    const { text, isError } = await desk.calls.answer(id, signal, (gone) => {
      return callTool(desk.offer, name, given as Json, gone); // it was JSON
    });
    return { content: [{ type: "text", text }], isError };
  });
  return server;
}

function listen(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<HttpServer> {
  const server = createServer(answer);
  server.requestTimeout = 0; // a person may take long to answer
  server.unref(); // nobody waits for the next request alone
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, HOST, () => resolve(server));
  });
}

/** The whole body; nothing when it is too large. */
async function read(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    size += part.length;
    if (size > LARGEST) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

/** What was sent as JSON; what is none is passed on as it is, and refused by the protocol. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(`${message}\n`);
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("base64");
}
