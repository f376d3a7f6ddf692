/**
 * Streams are few: a browser keeps six connections to one server, for all of its tabs together, and each stream holds
 * one for as long as it is open.
 *
 * 1. One tab follows the feed and tells the others.
 * 2. Only so many tabs follow a run by a stream; another one asks for new events now and again, until one is free.
 * 3. Where a browser has no locks, which it lacks away from this machine, every tab has streams of its own.
 */

/** How many tabs follow a run by a stream (2). */
const MOST = 3;

type Work = () => Promise<void>;

/** Does the work once this tab may have the one stream of that name; the next tab has it afterwards (1). */
export async function alone(name: string, signal: AbortSignal, work: Work): Promise<void> {
  if (navigator.locks === undefined) return work(); // (3)
  try {
    await navigator.locks.request(`baton.${name}`, { signal }, work);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Does the work if one of the streams of runs is free, and says whether it was (2). */
export async function ifFree(work: Work): Promise<boolean> {
  if (navigator.locks === undefined) {
    await work(); // (3)
    return true;
  }
  for (let slot = 0; slot < MOST; slot++) {
    const isDone = await navigator.locks.request(`baton.run-${slot}`, { ifAvailable: true }, async (lock) => {
      if (lock === null) return false;
      await work();
      return true;
    });
    if (isDone) return true;
  }
  return false;
}
