import { get, type IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { listen } from "./listen.ts";
import { eventStream } from "./sse.ts";

const LOCAL = { hostname: "127.0.0.1", port: 0 };
const NEVER = new AbortController().signal;

function open(port: number): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get({ host: LOCAL.hostname, port, agent: false }, resolve).on("error", reject);
  });
}

async function until(isThere: () => boolean): Promise<void> {
  for (let tries = 0; tries < 200 && !isThere(); tries++)
    await new Promise((resolve) => setTimeout(resolve, 10));
  expect(isThere()).toBe(true);
}

test("a reader that goes away ends the source of its stream", async () => {
  let ended = 0;
  const frames = async function* (signal: AbortSignal) {
    try {
      yield "data: 1\n\n";
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    } finally {
      ended++;
    }
  };
  const server = await listen(() => eventStream(frames, NEVER), LOCAL);
  for (let count = 1; count <= 3; count++) {
    const response = await open(server.port);
    response.on("error", () => {});
    await new Promise((resolve) => response.once("data", resolve));
    response.destroy();
    await until(() => ended === count);
  }
  await server.close();
});

test("a reader that does not read is not read for: frames are made only when there is room (1)", async () => {
  let made = 0;
  const frames = async function* (signal: AbortSignal) {
    while (!signal.aborted) {
      made++;
      yield `data: ${"x".repeat(65_536)}\n\n`;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const server = await listen(() => eventStream(frames, NEVER), LOCAL);
  const response = await open(server.port);
  response.pause();
  let full = -1;
  for (; full !== made; await new Promise((resolve) => setTimeout(resolve, 400))) full = made;
  expect(full).toBeLessThan(500); // some 30 MB that the system's own buffers may take
  response.resume();
  await until(() => made > full + 50);
  response.destroy();
  await server.close();
});

test("a server that stops ends its streams, and then its connections", async () => {
  const stopping = new AbortController();
  const frames = async function* (signal: AbortSignal) {
    yield "data: 1\n\n";
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
  };
  const server = await listen(() => eventStream(frames, stopping.signal), LOCAL);
  const response = await open(server.port);
  let text = "";
  response.on("data", (chunk: Buffer) => {
    text += String(chunk);
  });
  await until(() => text.includes("data: 1"));
  const ended = new Promise((resolve) => response.once("end", resolve));
  stopping.abort();
  await ended;
  await server.close();
  await expect(open(server.port)).rejects.toThrow();
});
