/**
 * A session is one process of pi, which has one conversation.
 *
 * 1. Commands are told from each other by their ids; what is no response belongs to the exchange that is under way.
 * 2. A dialog that opens while there is no exchange is dismissed: nobody is there to decide.
 */

import { randomUUID } from "node:crypto";
import { isJsonObject, type JsonObject } from "../../base/json.ts";
import { DISMISSED, type DialogAnswer } from "./dialogs.ts";
import type { PiExchange } from "./pi-exchange.ts";
import type { PiConnect, PiStart, PiWire } from "./pi-wire.ts";

interface Waiting {
  readonly resolve: (data: JsonObject) => void;
  readonly reject: (error: Error) => void;
}

export class PiSession {
  readonly #wire: PiWire;
  readonly #waiting: Map<string, Waiting> = new Map();
  readonly cwd: string;
  /** The file that pi keeps the conversation in; nothing when it keeps none. */
  file: string | undefined;
  exchange: PiExchange | undefined;

  private constructor(wire: PiWire, cwd: string) {
    this.#wire = wire;
    this.cwd = cwd;
    wire.listen(
      (record) => this.#hear(record),
      () => this.#gone(),
    );
  }

  /** Starts pi and waits until it answers, for so many milliseconds. Rejects with a sentence. */
  static async open(connect: PiConnect, start: PiStart, startMs: number): Promise<PiSession> {
    const wire = await connect(start);
    const session = new PiSession(wire, start.cwd);
    try {
      const { sessionFile } = await within(startMs, session.command("get_state"));
      session.file = typeof sessionFile === "string" ? sessionFile : undefined;
      return session;
    } catch (error) {
      const why = wire.isOpen ? String((error as Error).message) : await wire.ended(); // both reject with errors
      await wire.close();
      throw new Error(why);
    }
  }

  get isOpen(): boolean {
    return this.#wire.isOpen;
  }

  /** Gives a command and resolves with the data of its response. Rejects with what pi says is wrong. */
  command(type: string, more: JsonObject = {}): Promise<JsonObject> {
    const id = randomUUID();
    const answered = new Promise<JsonObject>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    if (this.isOpen) this.#wire.send({ ...more, id, type });
    else this.#gone();
    return answered;
  }

  answer(id: string, answer: DialogAnswer): void {
    if (this.isOpen) this.#wire.send({ type: "extension_ui_response", id, ...answer });
  }

  ended(): Promise<string> {
    return this.#wire.ended();
  }

  close(): Promise<void> {
    return this.#wire.close();
  }

  #hear(record: JsonObject): void {
    const { type, id, success, data, error } = record;
    if (type === "response") {
      const waiting = this.#waiting.get(String(id));
      this.#waiting.delete(String(id));
      if (success === true) waiting?.resolve(isJsonObject(data) ? data : {});
      else waiting?.reject(new Error(typeof error === "string" ? error : "pi refused a command."));
    } else if (this.exchange !== undefined) this.exchange.hear(record);
    else if (type === "extension_ui_request") this.answer(String(id), DISMISSED); // (2)
  }

  #gone(): void {
    for (const { reject } of this.#waiting.values()) reject(new Error("pi is gone."));
    this.#waiting.clear();
    this.exchange?.wake();
  }
}

async function within<T>(milliseconds: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const message = `pi did not answer within ${milliseconds / 1000} s of its start.`;
    timer = setTimeout(() => reject(new Error(message)), milliseconds);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
