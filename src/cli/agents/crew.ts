/**
 * A crew is the real agents that some work has started; it sends them home when the work is done.
 *
 * 1. Agents join the crew of the work that opens them; outside of any, that of the process.
 */

import { AsyncLocalStorage } from "node:async_hooks";
/** An agent, or what agents share. */
export interface Member {
  close(): Promise<void>;
}

export class Crew {
  readonly #members: Set<Member> = new Set();

  add(member: Member): void {
    this.#members.add(member);
  }

  /** Does work whose agents join this crew (1). */
  during<T>(work: () => Promise<T>): Promise<T> {
    return current.run(this, work);
  }

  /** Closes every agent; one that fails at it keeps nobody from the others. */
  async sendHome(): Promise<void> {
    const leaving = [...this.#members];
    this.#members.clear();
    await Promise.allSettled(leaving.map((member) => member.close()));
  }
}

const current: AsyncLocalStorage<Crew> = new AsyncLocalStorage();
const everybody = new Crew();

/** Remembers a member that has to be closed. */
export function join<T extends Member>(member: T): T {
  (current.getStore() ?? everybody).add(member);
  return member;
}

/** Closes every agent that the process itself has started. */
export function sendHome(): Promise<void> {
  return everybody.sendHome();
}
