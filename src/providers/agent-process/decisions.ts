/**
 * Decisions are what an agent waits for a person to say: one after the other, in the order of asking.
 *
 * 1. A decision is applied to what shows exactly what the person was shown, and only once.
 * 2. What the agent gives up waiting for is withdrawn.
 */

import type { Approval, Asked } from "../../agent/agent.ts";
import { sameJson } from "../../base/json.ts";

interface Open {
  readonly asked: Asked;
  readonly resolve: (decision: Approval | undefined) => void;
}

export class Decisions {
  readonly #open: Open[] = [];
  readonly #changed: () => void;
  #before: Approval | undefined;

  /** `before` was decided when the process that asked for it is gone; `changed` is told when the line changes. */
  constructor(before: Approval | undefined, changed: () => void) {
    this.#before = before;
    this.#changed = changed;
  }

  /** What a person is to decide on next. */
  get asked(): Asked | undefined {
    return this.#open[0]?.asked;
  }

  /** Waits for a person; nothing when it is withdrawn or cancelled first. */
  on(asked: Asked, gone: AbortSignal): Promise<Approval | undefined> {
    const before = this.#takeBefore(asked);
    if (before !== undefined) return Promise.resolve(before);
    return new Promise((resolve) => {
      const open: Open = { asked, resolve };
      this.#open.push(open);
      gone.addEventListener("abort", () => this.#withdraw(open), { once: true });
      this.#changed();
    });
  }

  /** Gives the agent a decision on what it asked first; false when it does not wait for this one any more. */
  take(approval: Approval): boolean {
    const open = this.#open[0];
    if (open === undefined) return false;
    if (approval.asked !== undefined && !sameAsked(approval.asked, open.asked)) return false; // (1)
    this.#open.shift();
    open.resolve(approval);
    return true;
  }

  /** Nobody decides any more. */
  cancel(): void {
    for (const open of this.#open.splice(0)) open.resolve(undefined);
  }

  #takeBefore(asked: Asked): Approval | undefined {
    const before = this.#before;
    if (before?.asked === undefined || !sameAsked(before.asked, asked)) return undefined; // (1)
    this.#before = undefined;
    return before;
  }

  #withdraw(open: Open): void {
    const at = this.#open.indexOf(open);
    if (at >= 0) this.#open.splice(at, 1);
    open.resolve(undefined);
    this.#changed();
  }
}

/** Says whether two questions show a person the same. */
export function sameAsked(a: Asked, b: Asked): boolean {
  return a.title === b.title && sameJson(a.args, b.args);
}
