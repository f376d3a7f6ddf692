/**
 * A cell holds what a data channel holds.
 *
 * 1. A list that is appended to grows in place: its cost is that of the new items, however long it is.
 * 2. Nobody outside sees it grow: a pin remembers the length, and reading it copies the list that far.
 * 3. What was read once is not copied again until it changes.
 */

import { isJsonObject, type Json } from "../base/json.ts";
import type { Change } from "./patch.ts";

/** A list that only ever gains items at its end, with the copy that was handed out last. */
class Growth {
  readonly items: Json[];
  #copy: readonly Json[] | undefined;

  constructor(items: readonly Json[]) {
    this.items = items.slice();
  }

  upTo(length: number): readonly Json[] {
    if (this.#copy?.length !== length) this.#copy = Object.freeze(this.items.slice(0, length));
    return this.#copy;
  }
}

/** The content of a cell at one moment: its value, or how far its list had grown. */
export type Pin = Json | undefined | GrowthPin;

class GrowthPin {
  readonly growth: Growth;
  readonly length: number;

  constructor(growth: Growth) {
    this.growth = growth;
    this.length = growth.items.length;
  }
}

export class Cell {
  #value: Json | undefined;
  #growth: Growth | undefined;

  constructor(value: Json | undefined) {
    this.#value = value;
  }

  get isEmpty(): boolean {
    return this.#growth === undefined && this.#value === undefined;
  }

  /** The content as it is now. */
  get value(): Json | undefined {
    return this.#growth === undefined ? this.#value : this.#growth.upTo(this.#growth.items.length);
  }

  /** The list in the cell without a copy, for a look that neither keeps nor changes it. */
  peek(): Json | undefined {
    return this.#growth === undefined ? this.#value : this.#growth.items;
  }

  pin(): Pin {
    return this.#growth === undefined ? this.#value : new GrowthPin(this.#growth);
  }

  apply(change: Change): void {
    switch (change.op) {
      case "set":
        this.#replace(change.value);
        break;
      case "append":
        this.#append(change.items);
        break;
      case "merge":
        this.#replace({ ...(isJsonObject(this.#value) ? this.#value : undefined), ...change.entries });
        break;
      case "splice":
        this.#replace((this.#asList() as Json[]).toSpliced(change.at, change.remove, ...change.items));
        break;
      case "clear":
        this.#replace(undefined);
        break;
    }
  }

  #replace(value: Json | undefined): void {
    this.#value = value;
    this.#growth = undefined;
  }

  #append(items: readonly Json[]): void {
    this.#growth ??= new Growth(this.#asList());
    this.#value = undefined;
    for (const item of items) this.#growth.items.push(item);
  }

  #asList(): readonly Json[] {
    const value = this.peek();
    return Array.isArray(value) ? value : [];
  }
}

/** Reads a pin. */
export function readPin(pin: Pin): Json | undefined {
  return pin instanceof GrowthPin ? pin.growth.upTo(pin.length) : pin;
}

/** The number of items that reading a pin would copy. */
export function pinLength(pin: Pin): number {
  return pin instanceof GrowthPin ? pin.length : 0;
}
