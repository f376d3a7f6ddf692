/** A snapshot is what the data channels held at one moment; later commits do not show in it. */

import type { Json } from "../base/json.ts";
import type { ChannelName } from "../base/names.ts";
import { type Cell, type Pin, pinLength, readPin } from "./cell.ts";

export class Snapshot {
  readonly #places: ReadonlyMap<ChannelName, number>;
  readonly #pins: Pin[] = [];

  /** Takes what the cells of these channels hold; `places` counts the channels from 0, in its own order. */
  constructor(places: ReadonlyMap<ChannelName, number>, cells: ReadonlyMap<ChannelName, Cell>) {
    this.#places = places;
    for (const channel of places.keys()) this.#pins.push(cells.get(channel)?.pin());
  }

  /** The value of a channel, or `undefined` when it is empty. Not to be changed. */
  read(channel: ChannelName): Json | undefined {
    const place = this.#places.get(channel);
    return place === undefined ? undefined : readPin(this.#pins[place]);
  }

  /** How many items the first `read` of this channel may copy; 0 when it copies none. */
  cost(channel: ChannelName): number {
    const place = this.#places.get(channel);
    return place === undefined ? 0 : pinLength(this.#pins[place]);
  }
}
