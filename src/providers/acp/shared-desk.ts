/**
 * A shared desk is the one desk of all sessions in a folder, for agents that know a server of tools only once.
 *
 * 1. A call that arrives while one turn is served is that turn's.
 * 2. While several are, it is the turn's whose agent has told of a call of just this tool with just these arguments. A
 *    call that none or several of them could have made is refused: a message of one node never goes out as another's.
 */

import { setTimeout as pause } from "node:timers/promises";
import type { DeskCall, Offer, ToolDesk } from "../../agent/tool-desk.ts";
import type { Json } from "../../base/json.ts";

/** What agents tell may come later than the call itself; how long it is waited for and how often it is looked at, in milliseconds. */
const TOLD_MS = 2000;
const LOOK_MS = 25;

/** As much of a session as the desk has to see. */
export interface Caller {
  readonly exchange?: { isCalling(tool: string, args: Json): boolean } | undefined;
}

export class SharedDesk implements ToolDesk {
  readonly #desk: ToolDesk;
  readonly #served: Map<Caller, Offer> = new Map();

  constructor(desk: ToolDesk) {
    this.#desk = desk;
    desk.serve((call) => this.#offerFor(call));
  }

  get name(): string {
    return this.#desk.name;
  }

  get url(): string {
    return this.#desk.url;
  }

  get headers(): Readonly<Record<string, string>> {
    return this.#desk.headers;
  }

  get found(): Promise<void> {
    return this.#desk.found;
  }

  serve(): void {
    throw new Error("Bug in Baton: a shared desk is served by its seats. Please report it.");
  }

  /** The part of the desk that serves the turns of one session. */
  seatFor(caller: Caller): Pick<ToolDesk, "serve" | "close"> {
    return {
      serve: (offer) => {
        if (typeof offer === "object") this.#served.set(caller, offer);
        else this.#served.delete(caller);
      },
      close: () => void this.#served.delete(caller),
    };
  }

  close(): void {
    this.#served.clear();
    this.#desk.close();
  }

  async #offerFor({ tool, args }: DeskCall): Promise<Offer | undefined> {
    for (let waited = 0; this.#served.size > 1 && waited < TOLD_MS; waited += LOOK_MS) {
      const those = [...this.#served].filter(([{ exchange }]) => exchange?.isCalling(tool, args));
      if (those.length === 1) return those[0]?.[1]; // (2)
      if (those.length > 1) break;
      await pause(LOOK_MS);
    }
    if (this.#served.size > 1)
      throw new Error("Several turns call this tool at the same time. Try it again.");
    return [...this.#served.values()][0]; // (1)
  }
}
