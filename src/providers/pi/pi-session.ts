/**
 * A session is one process of pi, which has one conversation.
 *
 * 1. Commands are told from each other by their ids; what is no response belongs to the exchange that is under way.
 * 2. A dialog that opens while there is no exchange is dismissed: nobody is there to decide.
 */

import { randomUUID } from "node:crypto";
import { isJsonObject, type JsonObject } from "../../base/json.ts";
import { Gone } from "../agent-process/agent-process.ts";
import { within } from "../agent-process/within.ts";
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
  /** The tools of the graph that its model is offered. */
  readonly tools: PiStart["tools"];
  /** The file that pi keeps the conversation in; nothing when it keeps none. */
  file: string | undefined;
  exchange: PiExchange | undefined;

  private constructor(wire: PiWire, { cwd, tools }: PiStart) {
    this.#wire = wire;
    this.cwd = cwd;
    this.tools = tools;
    wire.listen(
      (record) => this.#hear(record),
      () => this.#gone(),
    );
  }

  /** Starts pi and waits until it answers, for so many milliseconds. Rejects with a sentence. */
  static async open(connect: PiConnect, start: PiStart, startMs: number): Promise<PiSession> {
    const wire = await connect(start);
    const session = new PiSession(wire, start);
    try {
      const late = `pi did not answer within ${startMs / 1000} s of its start.`;
      const { sessionFile } = await within(startMs, session.command("get_state"), late);
      session.file = typeof sessionFile === "string" ? sessionFile : undefined;
      return session;
    } catch (error) {
      const why = wire.isOpen ? error : new Gone(await wire.ended());
      await wire.close();
      throw why;
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
    this.exchange?.attention.wake();
  }
}
