/**
 * Conversations are kept outside of the log of a run, which only says how far one had come.
 *
 * 1. A conversation only grows, so adding to it costs what is added, and an earlier place in it stays what it was.
 * 2. One that is gone is no error: the model is then told everything again.
 */

import type { ModelMessage } from "ai";
import type { Usage } from "../../agent/agent.ts";

export type Entry =
  | {
      readonly kind: "message";
      /** The idempotency key of the turn that it belongs to. */
      readonly turn: string;
      readonly message: ModelMessage;
      /** Of an answer of the model: what it cost, and why it ended. */
      readonly usage?: Usage;
      readonly finish?: string;
    }
  /** A tool began to act. When nothing says how it ended, nobody knows. */
  | { readonly kind: "began"; readonly turn: string; readonly call: string };

/** The port to where they are kept. */
export interface Conversations {
  /** All of a conversation; nothing when there is none (2). */
  read(id: string): Promise<readonly Entry[] | undefined>;
  /** Adds to the end (1); the first entries make it. */
  add(id: string, entries: readonly Entry[]): Promise<void>;
}

/** Keeps them as long as this process lives. */
export class MemoryConversations implements Conversations {
  readonly #entries: Map<string, Entry[]> = new Map();

  async read(id: string): Promise<readonly Entry[] | undefined> {
    return this.#entries.get(id)?.slice();
  }

  async add(id: string, entries: readonly Entry[]): Promise<void> {
    const before = this.#entries.get(id);
    if (before === undefined) this.#entries.set(id, [...entries]);
    else before.push(...entries);
  }
}
