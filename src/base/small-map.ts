/**
 * A map in insertion order for collections that are nearly always tiny, but may hold thousands.
 *
 * 1. Up to `FEW` entries it is two arrays, which adding and removing in turn does not allocate for; a `Map` allocates
 *    a new table whenever it gets empty.
 * 2. Beyond that it is a `Map`, until it is empty again.
 */

const FEW = 8;

export class SmallMap<Key, Value> {
  readonly #keys: Key[] = [];
  readonly #values: Value[] = [];
  #many: Map<Key, Value> | undefined;

  constructor(entries?: Iterable<readonly [Key, Value]>) {
    if (entries === undefined) return;
    for (const [key, value] of entries) this.set(key, value);
  }

  get size(): number {
    return this.#many === undefined ? this.#keys.length : this.#many.size;
  }

  get(key: Key): Value | undefined {
    if (this.#many !== undefined) return this.#many.get(key);
    const place = this.#placeOf(key);
    return place === -1 ? undefined : this.#values[place];
  }

  has(key: Key): boolean {
    return this.#many === undefined ? this.#placeOf(key) !== -1 : this.#many.has(key);
  }

  set(key: Key, value: Value): void {
    if (this.#many !== undefined) {
      this.#many.set(key, value);
      return;
    }
    const place = this.#placeOf(key);
    if (place !== -1) this.#values[place] = value;
    else if (this.#keys.length < FEW) {
      this.#keys.push(key);
      this.#values.push(value);
    } else this.#grow().set(key, value);
  }

  /** Removes an entry; says whether it was there. */
  delete(key: Key): boolean {
    if (this.#many !== undefined) {
      const found = this.#many.delete(key);
      if (this.#many.size === 0) this.#many = undefined;
      return found;
    }
    const place = this.#placeOf(key);
    if (place === -1) return false;
    if (place === this.#keys.length - 1) {
      this.#keys.pop();
      this.#values.pop();
    } else {
      this.#keys.splice(place, 1);
      this.#values.splice(place, 1);
    }
    return true;
  }

  clear(): void {
    this.#many = undefined;
    if (this.#keys.length === 0) return;
    this.#keys.length = 0;
    this.#values.length = 0;
  }

  /** The first value that was put in and is still there. */
  first(): Value | undefined {
    return this.#many === undefined ? this.#values[0] : this.#many.values().next().value;
  }

  /** The keys in insertion order, in a list of the caller's own. */
  keys(): Key[] {
    return this.#many === undefined ? copied(this.#keys) : [...this.#many.keys()];
  }

  /** The values in insertion order. The map must not change while they are gone through. */
  values(): Iterable<Value> {
    return this.#many === undefined ? this.#values : this.#many.values();
  }

  /** The values in insertion order, in a list of the caller's own. */
  list(): Value[] {
    return this.#many === undefined ? copied(this.#values) : [...this.#many.values()];
  }

  [Symbol.iterator](): Iterator<[Key, Value]> {
    if (this.#many !== undefined) return this.#many[Symbol.iterator]();
    return this.#keys
      .map((key, place): [Key, Value] => [key, this.#values[place] as Value])
      [Symbol.iterator]();
  }

  /** Written out, because among so few a call of `indexOf` takes longer than the search. */
  #placeOf(key: Key): number {
    const keys = this.#keys;
    for (let place = 0; place < keys.length; place++) if (keys[place] === key) return place;
    return -1;
  }

  #grow(): Map<Key, Value> {
    this.#many = new Map(this);
    this.#keys.length = 0;
    this.#values.length = 0;
    return this.#many;
  }
}

/** Most lists have one item, for which a literal is three times as fast as a call. */
function copied<T>(list: readonly T[]): T[] {
  return list.length === 1 ? [list[0] as T] : list.slice();
}
