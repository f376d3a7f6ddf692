/** Reading server-sent events from the body of a response, wherever its pieces are cut. */

export interface SseMessage {
  /** Absent for a message that cannot be asked for again. */
  readonly id?: string;
  readonly data: string;
}

/** The messages of a body, until it ends; comments and fields that nobody uses are passed over. */
export async function* readSse(body: ReadableStream<Uint8Array>): AsyncGenerator<SseMessage, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      // A return at the very end may be the first half of a line break.
      const ready = !done && rest.endsWith("\r") ? rest.slice(0, -1) : rest;
      const blocks = ready.split(/\r\n\r\n|\n\n|\r\r/);
      rest = (blocks.pop() ?? "") + rest.slice(ready.length);
      for (const block of blocks) {
        const message = messageIn(block);
        if (message !== undefined) yield message;
      }
      if (done) return; // what was not ended by an empty line was cut off, and will be sent again
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function messageIn(block: string): SseMessage | undefined {
  const data: string[] = [];
  let id: string | undefined;
  for (const line of block.split(/\r\n|\n|\r/)) {
    const [, field, value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === "data") data.push(value);
    if (field === "id") id = value;
  }
  if (data.length === 0) return undefined;
  return { ...(id !== undefined && { id }), data: data.join("\n") };
}
