/** A snapshot is what the data channels held at one moment; later commits do not show in it. */

import type { Json } from "../base/json.ts";
import type { ChannelName } from "../base/names.ts";
import { type Cell, type Pin, pinLength, readPin } from "./cell.ts";
import type { PlanIndex } from "./plan.ts";

export class Snapshot {
  readonly #places: ReadonlyMap<ChannelName, number>;
  readonly #pins: readonly Pin[];
  #form: { readonly of: object; readonly made: unknown } | undefined;

  /** Takes what the cells of the data channels hold. */
  constructor({ data, places }: PlanIndex, cells: ReadonlyMap<ChannelName, Cell>) {
    this.#places = places;
    const pins: Pin[] = new Array(data.length);
    for (let place = 0; place < data.length; place++) {
      pins[place] = cells.get(data[place] as ChannelName)?.pin();
    }
    this.#pins = pins;
  }

  /** The value of a channel, or `undefined` when it is empty. Not to be changed. */
  read(channel: ChannelName): Json | undefined {
    const place = this.#places.get(channel);
    return place === undefined ? undefined : readPin(this.#pins[place]);
  }

  /** What was made of it last for this reader, such as the objects that all tasks of a step share. */
  formFor<T>(reader: object, make: (snapshot: Snapshot) => T): T {
    if (this.#form?.of !== reader) this.#form = { of: reader, made: make(this) };
    return this.#form.made as T; // the same reader makes the same kind of thing
  }

  /** How many items the first `read` of this channel may copy; 0 when it copies none. */
  cost(channel: ChannelName): number {
    const place = this.#places.get(channel);
    return place === undefined ? 0 : pinLength(this.#pins[place]);
  }
}
