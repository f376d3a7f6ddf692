/** Pooled work is done in order by a few workers at the same time. */

/**
 * Works on things in order, some at the same time; the results are in the order of the things. Where one throws, that
 * is thrown once the others have come to their end, so that nothing goes on behind the caller's back.
 */
export async function pooled<T, R>(
  things: readonly T[],
  most: number,
  work: (thing: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < things.length; index = next++) {
      results[index] = await work(things[index] as T);
    }
  };
  const workers = Array.from({ length: Math.min(most, things.length) }, worker);
  const ends = await Promise.allSettled(workers);
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  return results;
}
