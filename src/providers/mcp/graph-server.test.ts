import { once } from "node:events";
import { createConnection } from "node:net";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterEach, describe, expect, test } from "vitest";
import type { Asked, StagedSend } from "../../agent/agent.ts";
import type { Offer, ToolDesk } from "../../agent/tool-desk.ts";
import { GraphServer } from "./graph-server.ts";

const servers: GraphServer[] = [];
const clients: Client[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const ALL = ["send", "finish", "ask", "look"] as const;

async function deskOf(server = new GraphServer()): Promise<ToolDesk> {
  servers.push(server);
  return server.open(ALL);
}

async function connect({ url, headers }: Pick<ToolDesk, "url" | "headers">): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  clients.push(client);
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  await client.connect(transport as Parameters<Client["connect"]>[0]); // but for optional members
  return client;
}

async function call(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { content, isError } = await client.callTool({ name, arguments: args });
  const [part] = content as readonly { readonly text: string }[];
  return { text: part?.text ?? "", isError: isError ?? false };
}

describe("a desk", () => {
  test("lists its tools from the first moment on, each with the schema of its arguments", async () => {
    const server = new GraphServer();
    servers.push(server);
    const desk = await server.open(["send", "look"]);
    let isFound = false;
    void desk.found.then(() => {
      isFound = true;
    });
    const client = await connect(desk);
    expect(isFound).toBe(false);
    const { tools } = await client.listTools();
    expect(isFound).toBe(true);
    expect(tools.map(({ name }) => name)).toEqual(["send", "look"]);
    expect(tools[0]?.inputSchema).toMatchObject({ type: "object", required: ["to", "message"] });
  });

  test("passes a send on and says what came of it", async () => {
    const staged: StagedSend[] = [];
    const desk = await deskOf();
    desk.serve({
      send(send) {
        staged.push(send);
        return send.to === "coder"
          ? { ok: true }
          : { ok: false, code: "no_edge", message: "No edge leads there." };
      },
    });
    const client = await connect(desk);
    expect(await call(client, "send", { to: "coder", message: "Begin." })).toMatchObject({ isError: false });
    expect(await call(client, "send", { to: "judge", message: "Look." })).toEqual({
      ...{ text: "No edge leads there.", isError: true },
    });
    expect(staged).toEqual([
      { to: "coder", message: "Begin." },
      { to: "judge", message: "Look." },
    ]);
  });

  test("refuses what the turn cannot do, and asks whose call it is where several turns are served", async () => {
    const desk = await deskOf();
    desk.serve({ send: () => ({ ok: true }) });
    const client = await connect(desk);
    const end = { ok: true, summary: "Done." };
    expect(await call(client, "finish", end)).toEqual({ text: "Your turn cannot finish.", isError: true });
    const asked: unknown[] = [];
    desk.serve(async (one) => {
      asked.push(one);
      return one.tool === "finish" ? { finish: () => ({ ok: true }) } : undefined;
    });
    expect(await call(client, "finish", end)).toMatchObject({ isError: false });
    expect(await call(client, "look")).toMatchObject({ isError: true });
    expect(asked).toEqual([
      { tool: "finish", args: end },
      { tool: "look", args: {} },
    ]);
  });

  test("refuses arguments that do not fit, and says where", async () => {
    const desk = await deskOf();
    desk.serve({ send: () => ({ ok: true }) });
    const client = await connect(desk);
    const { text, isError } = await call(client, "send", { to: "", text: "Begin." });
    expect(isError).toBe(true);
    expect(text).toContain("/to");
    expect(text).toContain("/message");
    expect(text).toContain("/text");
    expect(await call(client, "shell", { command: "true" })).toMatchObject({ isError: true });
  });

  test("waits for a person, and gives the question up when the agent leaves", async () => {
    const desk = await deskOf();
    const asked: Asked[] = [];
    const left = Promise.withResolvers<void>();
    desk.serve({
      ask(question, gone) {
        asked.push(question);
        if (asked.length === 1) return Promise.resolve({ approved: true, answer: "Blue." });
        return new Promise((_, reject) => {
          gone.addEventListener("abort", () => {
            left.resolve();
            reject(new Error("Gone."));
          });
        });
      },
    });
    const client = await connect(desk);
    expect(await call(client, "ask", { question: "Which colour?" })).toEqual({
      text: "Blue.",
      isError: false,
    });
    expect(asked[0]).toEqual({ title: "Which colour?", args: {}, wants: "answer" });
    const open = call(client, "ask", { question: "And which form?" });
    open.catch(() => {});
    await expect.poll(() => asked.length).toBe(2);
    await client.close();
    await left.promise;
  });

  test("has no tools between turns, and none of another session's", async () => {
    const server = new GraphServer();
    const [one, other] = [await deskOf(server), await server.open(ALL)];
    const heard: string[] = [];
    const offer = (name: string): Offer => ({
      send({ message }) {
        heard.push(`${name}: ${message}`);
        return { ok: true };
      },
    });
    one.serve(offer("one"));
    other.serve(offer("other"));
    await call(await connect(other), "send", { to: "x", message: "Hello." });
    expect(heard).toEqual(["other: Hello."]);
    one.serve(undefined);
    expect(await call(await connect(one), "send", { to: "x", message: "Late." })).toMatchObject({
      ...{ isError: true, text: "You have no turn in this graph right now." },
    });
    expect(heard).toHaveLength(1);
  });
});

describe("who may ask", () => {
  const post = (url: string, headers: Record<string, string>, body = "{}") =>
    fetch(url, { method: "POST", headers: { "content-type": "application/json", ...headers }, body });

  test("nobody without the token of a desk that is open", async () => {
    const desk = await deskOf();
    expect((await post(desk.url, {})).status).toBe(401);
    expect((await post(desk.url, { authorization: "Bearer nothing" })).status).toBe(401);
    desk.close();
    expect((await post(desk.url, desk.headers)).status).toBe(401);
  });

  test("a body that is too large, no JSON, or for another address is refused", async () => {
    const desk = await deskOf();
    const accept = { ...desk.headers, accept: "application/json, text/event-stream" };
    expect((await post(desk.url, accept, "x".repeat(1024 * 1024 + 1))).status).toBe(413);
    expect((await post(desk.url, accept, "{")).status).toBe(400);
    expect((await post(`${desk.url}/more`, accept)).status).toBe(404);
    expect((await fetch(desk.url, { headers: accept })).status).toBe(405);
  });

  test("one who leaves in the middle of a request leaves the server standing", async () => {
    const desk = await deskOf();
    const { port } = new URL(desk.url);
    const socket = createConnection(Number(port), "127.0.0.1");
    await once(socket, "connect");
    const headers = `Host: 127.0.0.1\r\nAuthorization: ${desk.headers["Authorization"]}\r\nContent-Length: 100`;
    socket.write(`POST /mcp HTTP/1.1\r\n${headers}\r\n\r\n{"half`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    socket.resetAndDestroy();
    await once(socket, "close");
    expect((await (await connect(desk)).listTools()).tools).toHaveLength(4);
  });

  test("it listens on the loopback address alone", async () => {
    const { url } = await deskOf();
    expect(new URL(url).hostname).toBe("127.0.0.1");
  });
});

describe("a call that comes again", () => {
  /** A request as a client writes it, on a connection of which the server has told the name. */
  async function connection({ url, headers }: Pick<ToolDesk, "url" | "headers">) {
    const accept = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const post = (body: object, more: Record<string, string> = {}, signal?: AbortSignal) =>
      fetch(url, {
        ...{ method: "POST", headers: { ...headers, ...accept, ...more }, ...(signal && { signal }) },
        body: JSON.stringify({ jsonrpc: "2.0", ...body }),
      });
    const hello = {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "t", version: "1" },
    };
    const greeted = await post({ id: 0, method: "initialize", params: hello });
    await greeted.text();
    const name = greeted.headers.get("mcp-session-id") ?? "";
    return async (id: number, tool: string, args: object, signal?: AbortSignal): Promise<string> => {
      const called = { id, method: "tools/call", params: { name: tool, arguments: args } };
      return (await post(called, { "mcp-session-id": name }, signal)).text();
    };
  }

  const HELLO = { to: "coder", message: "Hello." };

  test("is answered like the first and staged once; with another number or on another connection it is another", async () => {
    const desk = await deskOf();
    const sent: string[] = [];
    desk.serve({
      send({ message }) {
        sent.push(message);
        return sent.length === 1
          ? { ok: true }
          : { ok: false, code: "full", message: `${sent.length} are too many.` };
      },
    });
    const call = await connection(desk);
    const first = await call(1, "send", HELLO);
    expect(first).toContain("Staged for coder.");
    expect(await call(1, "send", HELLO)).toBe(first);
    expect(sent).toHaveLength(1);
    expect(await call(2, "send", HELLO)).toContain("2 are too many.");
    expect(await call(1, "send", { ...HELLO, message: "Bye." })).toContain("3 are too many.");
    const other = await connection(desk);
    expect(await other(1, "send", HELLO)).toContain("4 are too many.");
  });

  test("while the first is under way waits with it, and outlives it", async () => {
    const desk = await deskOf();
    const asked: Asked[] = [];
    const answer = Promise.withResolvers<{ approved: true; answer: string }>();
    desk.serve({
      ask(question) {
        asked.push(question);
        return answer.promise;
      },
    });
    const call = await connection(desk);
    const leaves = new AbortController();
    const first = call(1, "ask", { question: "Which colour?" }, leaves.signal);
    first.catch(() => {});
    await expect.poll(() => asked.length).toBe(1);
    const second = call(1, "ask", { question: "Which colour?" });
    await new Promise((resolve) => setTimeout(resolve, 50));
    leaves.abort();
    await expect(first).rejects.toThrow();
    answer.resolve({ approved: true, answer: "Blue." });
    expect(await second).toContain("Blue.");
    expect(asked).toHaveLength(1);
  });

  test("after everybody has left is made anew", async () => {
    const desk = await deskOf();
    let asked = 0;
    const left = Promise.withResolvers<void>();
    desk.serve({
      ask(_, gone) {
        if (++asked > 1) return Promise.resolve({ approved: true, answer: "Blue." });
        return new Promise((_resolve, reject) => {
          gone.addEventListener("abort", () => {
            left.resolve();
            reject(new Error("Gone."));
          });
        });
      },
    });
    const call = await connection(desk);
    const leaves = new AbortController();
    const first = call(1, "ask", { question: "Which colour?" }, leaves.signal);
    first.catch(() => {});
    await expect.poll(() => asked).toBe(1);
    leaves.abort();
    await left.promise;
    expect(await call(1, "ask", { question: "Which colour?" })).toContain("Blue.");
  });
});
