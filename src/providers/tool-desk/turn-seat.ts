/**
 * A turn's seat is its place in the graph: what its agent calls there passes through it to whoever attends to the turn.
 *
 * 1. While a person decides nobody attends. A send or an end that comes then, as when an agent calls several tools at
 *    once and one of them asks, waits until the turn goes on, and is part of what goes on. They keep their order.
 * 2. When the turn ends instead, what waits hears that it is over. What its agent gave up waiting for is not done.
 * 3. Looking changes nothing, so it never waits; questions stand in a line of their own.
 */

import type { Approval, Asked, Finish, SendVerdict } from "../../agent/agent.ts";
import { NO_TURN, type Offer, type Reach, toolsOf } from "../../agent/tool-desk.ts";
import type { Signal } from "../../base/abort.ts";

/** Puts a question to a person; rejects when the turn ends before there is an answer. */
export type Ask = (asked: Asked, gone: Signal) => Promise<Approval>;

export class TurnSeat {
  readonly offer: Offer;
  readonly #waiting: ((turn: Reach | undefined) => void)[] = [];
  #turn: Reach | undefined;
  #last: Reach;
  #isOver = false;
  /** How the agent wants to close the goal, once its turn has ended well. */
  finish: Finish | undefined;
  /** Whether its agent has called anything here. */
  wasUsed = false;

  constructor(turn: Reach, ask: Ask) {
    const tools = toolsOf(turn);
    this.#last = turn;
    this.offer = {
      ...(tools.includes("send") && { send: (staged, gone) => this.#now((now) => now.send?.(staged), gone) }),
      ...(turn.finish && { finish: (end, gone) => this.#now((now) => this.#close(now, end), gone) }),
      ask: async (asked, gone) => {
        this.wasUsed = true;
        if (this.#isOver) throw new Error(NO_TURN.message);
        return ask(asked, gone);
      },
      ...(turn.look && { look: () => this.#last.look?.() ?? null }), // (3)
    };
  }

  /** Somebody attends to the turn from now on; what waited is done first. */
  attend(turn: Reach): void {
    this.#turn = turn;
    this.#last = turn;
    for (const go of this.#waiting.splice(0)) go(turn); // (1)
  }

  /** Nobody attends until `attend`. */
  park(): void {
    this.#turn = undefined;
  }

  /** The turn is over (2). */
  end(): void {
    this.#turn = undefined;
    this.#isOver = true;
    for (const go of this.#waiting.splice(0)) go(undefined);
  }

  #now(
    act: (turn: Reach) => SendVerdict | undefined,
    gone: Signal | undefined,
  ): SendVerdict | Promise<SendVerdict> {
    this.wasUsed = true;
    if (this.#isOver) return NO_TURN;
    if (this.#turn !== undefined) return act(this.#turn) ?? NO_TURN;
    return new Promise((resolve, reject) => {
      this.#waiting.push((turn) => {
        const isWanted = turn !== undefined && gone?.aborted !== true;
        try {
          resolve((isWanted ? act(turn) : undefined) ?? NO_TURN);
        } catch (error) {
          reject(error as Error); // what a turn throws is one
        }
      });
    });
  }

  #close({ finish }: Reach, end: Finish): SendVerdict | undefined {
    const verdict = finish?.(end);
    if (verdict?.ok) this.finish = end;
    return verdict;
  }
}
