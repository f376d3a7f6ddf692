/** The post of an inbox run: every letter that a node wrote, in the order in which the log tells of them, and whether it came. */

import { type DeliveryLine, type Event, isJsonObject } from "./baton.ts";

export type Letter = Delivered | Rejected;

export interface Delivered extends DeliveryLine {
  readonly kind: "delivered";
  /** The event that tells of it. */
  readonly toldAt: number;
}

/** What a node wrote and nobody got. */
export interface Rejected {
  readonly kind: "rejected";
  readonly toldAt: number;
  readonly from: string;
  readonly to: string;
  readonly code: string;
  /** Why. */
  readonly message: string;
}

export class Post {
  readonly #letters: Letter[] = [];
  #delivered = 0;

  /** Takes note of an event; `deliveries` are all that were made, in order, where the event may have made some. */
  fold(event: Event, deliveries: readonly DeliveryLine[] | undefined): void {
    for (const line of deliveries?.slice(this.#delivered) ?? []) {
      this.#letters.push({ kind: "delivered", toldAt: event.seq, ...line });
    }
    this.#delivered = deliveries?.length ?? this.#delivered;
    if (event.type !== "task.noted" || event.kind !== "inbox.rejected" || !isJsonObject(event.data)) return;
    const { from, to, code, message } = event.data;
    this.#letters.push({
      ...{ kind: "rejected", toldAt: event.seq, from: String(from), to: String(to) },
      ...{ code: String(code), message: String(message) },
    });
  }

  get letters(): readonly Letter[] {
    return this.#letters;
  }
}
