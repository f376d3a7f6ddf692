/**
 * Server-sent events: text frames in a response that stays open.
 *
 * 1. A frame is made only when the reader has room for it, so a slow reader costs no memory.
 * 2. The source ends when the reader goes away or the server stops, and the response with it.
 */

import type { Json } from "../base/json.ts";

/** How long a reader waits before it connects anew, in milliseconds. */
const RETRY = 1000;
const HEADERS = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store" };

/** Yields frames until its signal fires. */
export type Frames = (signal: AbortSignal) => AsyncGenerator<string, void>;

/** The response of a source. */
export function eventStream(frames: Frames, stopping: AbortSignal): Response {
  const gone = new AbortController();
  const source = frames(AbortSignal.any([gone.signal, stopping]));
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(`retry: ${RETRY}\n\n`));
    },
    async pull(controller) {
      const { done, value } = await source.next(); // (1)
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      gone.abort(); // (2)
      await source.return();
    },
  });
  return new Response(body, { headers: HEADERS });
}

/** A frame; only what can be asked for again has an id. JSON has no line breaks, so one line holds it. */
export function frame(message: unknown, id?: number): string {
  const data = `data: ${JSON.stringify(message as Json)}\n\n`;
  return id === undefined ? data : `id: ${id}\n${data}`;
}

/** A frame that says nothing, so that nobody on the way takes the silence for an end. */
export const KEEP_ALIVE: string = ": still here\n\n";
