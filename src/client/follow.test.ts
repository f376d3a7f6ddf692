import { describe, expect, test } from "vitest";
import type { StreamMessage } from "../protocol/studio.ts";
import { follow, followRun } from "./follow.ts";
import { readSse } from "./sse-reader.ts";
import { StudioError } from "./studio-error.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

function bodyOf(...chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of source) found.push(item);
  return found;
}

describe("reading server-sent events", () => {
  const text =
    'retry: 1000\n\nid: 1\ndata: {"a":"é→"}\n\n: still here\n\ndata:x\r\ndata: y\r\n\r\nid: 2\ndata: cut o';
  const expected = [{ id: "1", data: '{"a":"é→"}' }, { data: "x\ny" }];

  test("wherever the bytes are cut, the messages are the same, and one that was cut off is none", async () => {
    const whole = bytes(text);
    for (let at = 0; at <= whole.length; at++) {
      expect(await all(readSse(bodyOf(whole.slice(0, at), whole.slice(at))))).toEqual(expected);
    }
    expect(await all(readSse(bodyOf(...[...whole].map((byte) => Uint8Array.of(byte)))))).toEqual(expected);
  });
});

describe("following", () => {
  const frame = (seq: number) => `id: ${seq}\ndata: ${JSON.stringify({ type: "event", event: { seq } })}\n\n`;

  const atOnce = async () => {};

  test("a run through breaks at every byte hands out each event once, in order (1)", async () => {
    const log = [1, 2, 3, 4].map(frame);
    const length = bytes(log.join("")).length;
    for (let cut = 0; cut <= length; cut++) {
      const opened: string[] = [];
      const end = new AbortController();
      const open = async (lastId: string | undefined) => {
        opened.push(lastId ?? "");
        // The second one tells an event again that was told before.
        if (opened.length === 1) return new Response(bodyOf(bytes(log.join("")).slice(0, cut)));
        return new Response(log.slice(Math.max(0, Number(lastId) - 1)).join(""));
      };
      const seqs: number[] = [];
      for await (const message of followRun(
        { open, pause: atOnce, signal: end.signal },
        0,
      ) as AsyncIterable<StreamMessage>) {
        if (message.type === "event") seqs.push(message.event.seq);
        if (seqs.length === 4) end.abort();
      }
      expect(seqs).toEqual([1, 2, 3, 4]);
      expect(opened[0]).toBe("0");
    }
  });

  test("is not tried again when the studio refuses it, and is when the studio is away (2)", async () => {
    let tries = 0;
    const refused = async () => {
      throw new StudioError(401, { code: "unauthorized", message: "No." });
    };
    const signal = new AbortController();
    await expect(all(follow({ open: refused, signal: signal.signal }))).rejects.toThrow("No.");
    const away = async () => {
      if (++tries === 3) signal.abort();
      throw new TypeError("fetch failed");
    };
    const waits: number[] = [];
    const pause = async (milliseconds: number) => void waits.push(milliseconds);
    expect(await all(follow({ open: away, pause, signal: signal.signal }))).toEqual([]);
    expect([tries, waits]).toEqual([3, [250, 500]]);
  });
});
