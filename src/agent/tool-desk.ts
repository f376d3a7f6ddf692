/**
 * A tool desk is where a real agent finds the tools of its graph while it takes a turn: it can write to other nodes,
 * close the goal, ask a person, and look at the run.
 *
 * 1. A desk serves at most one turn at a time, or is told for each call which turn it is from. Between turns its tools
 *    say so.
 * 2. What a tool says and does is the turn's business: the desk only checks what it is given and passes it on.
 * 3. The same call that comes again, because whoever made it lost the answer on its way, is answered the same and done
 *    once.
 */

import type { Signal } from "../base/abort.ts";
import type { Json } from "../base/json.ts";
import type { Approval, Asked, Finish, SendVerdict, StagedSend, TurnRequest } from "./agent.ts";

/** What a turn offers. */
export interface Offer {
  /** One that comes while a person decides waits, and is not sent when the agent gives up meanwhile. */
  send?(staged: StagedSend, gone?: Signal): SendVerdict | Promise<SendVerdict>;
  finish?(end: Finish, gone?: Signal): SendVerdict | Promise<SendVerdict>;
  /** Resolves with what the person says; rejects when the turn ends before. */
  ask?(asked: Asked, gone: Signal): Promise<Approval>;
  /** What there is to see of the run. */
  look?(): Json;
}

/** What a call hears when there is no turn that it could be from. */
export const NO_TURN: Extract<SendVerdict, { ok: false }> = {
  ok: false,
  code: "turn_over",
  message: "You have no turn in this graph right now.",
};

/** As much of a turn as its agent can reach from a desk. */
export type Reach = Pick<TurnRequest, "send" | "contacts" | "finish" | "look">;

/** The tools that mean something in a turn. Who can write to nobody needs no tool for it. */
export function toolsOf({ send, contacts, finish, look }: Reach): readonly (keyof Offer)[] {
  return [
    ...(send && contacts?.length !== 0 ? ["send" as const] : []),
    ...(finish ? ["finish" as const] : []),
    "ask",
    ...(look ? ["look" as const] : []),
  ];
}

/** A call of a tool, as it arrived. */
export interface DeskCall {
  readonly tool: keyof Offer;
  readonly args: Json;
}

/** Finds the turn that a call is from; nothing when it is from none, or nobody can tell. */
export type OfferFor = (call: DeskCall) => Promise<Offer | undefined>;

export interface ToolDesk {
  /** The name that agents put before those of the tools. */
  readonly name: string;
  readonly url: string;
  /** What every request has to carry. */
  readonly headers: Readonly<Record<string, string>>;
  /** Resolves once somebody has asked which tools there are. */
  readonly found: Promise<void>;
  /** Offers the tools of a turn from now on, or of none, or of whichever a call is from. */
  serve(offer: Offer | OfferFor | undefined): void;
  close(): void;
}

/** Opens desks. */
export interface ToolDesks {
  /**
   * A desk with these tools, which are listed from its first moment on: some agents look once and never again. Nothing
   * where there are none to be had and the session can do without. Rejects with a sentence where it cannot.
   */
  open(tools: readonly (keyof Offer)[]): Promise<ToolDesk | undefined>;
  close(): Promise<void>;
}
