/** Randomness from a seed: the same seed gives the same numbers on every machine. */

/** Hashes a text to 32 bits (FNV-1a, Fowler, Noll and Vo, over UTF-16 units). */
export function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** A generator of numbers in [0, 1) (mulberry32 by Tommy Ettinger, public domain). */
export function random(seed: string): () => number {
  let state = hash32(seed);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
