/** Opening a turn: what it has at hand, where it works, and what its agent is told. */

import type { Agent } from "../../agent/agent.ts";
import type { TaskContext, TaskInput } from "../../kernel/program.ts";
import { inboxOf, NUDGE, readDesk } from "./channels.ts";
import type { Input } from "./envelope.ts";
import { openPlace } from "./place.ts";
import type { InboxServices } from "./ports.ts";
import { deltaPrompt, fullPrompt, type Occasion } from "./prompt.ts";
import type { Seat } from "./seat.ts";
import { latestSession, type Session } from "./session.ts";
import { type Beginning, TurnLog, type Why } from "./turn-log.ts";

/** What a task of a node is given. */
export interface Given {
  readonly seat: Seat;
  readonly services: InboxServices;
  readonly input: TaskInput;
  readonly context: TaskContext;
}

/** What a turn has at hand. */
export interface Sitting extends Given {
  readonly log: TurnLog;
  readonly agent: Agent;
  /** The session that it goes on with; nothing when it begins a new one. */
  readonly session: Session | undefined;
  readonly occasion: Occasion;
}

export function sittingOf(given: Given): Sitting {
  const { seat, services, input, context } = given;
  const log = new TurnLog(context);
  const { session, undelivered = [] } = readDesk(input.snapshot, seat.id);
  const occasion = {
    seat,
    // Only `dispatch` and `commands` append to inboxes.
    inputs: (input.taken[inboxOf(seat.id)] ?? []) as unknown as readonly Input[],
    isAutomatic: (input.taken[NUDGE] ?? []).length > 0,
    undelivered,
  };
  const agent = services.agent(seat.node.agent);
  return { ...given, log, agent, occasion, session: latestSession(seat, session, log.failures) };
}

/**
 * The beginning of a new turn, after the latest one over the same inputs if there was one; a sentence when it cannot
 * begin. A decision that the latest one had in hand when its process died is still good.
 */
export async function openTurn(
  { seat, services, input, context, agent, session, occasion }: Sitting,
  latest: Beginning | undefined,
): Promise<Beginning | string> {
  const { attempt, run } = context;
  const why: Why = latest === undefined ? "first" : latest.attempt < attempt ? "retried" : "restarted";
  const { turns, worktree } = readDesk(input.snapshot, seat.id);
  const place = await openPlace({
    ...{ seat, services, run },
    canWrite: agent.mayWrite?.({ node: seat.id }) !== false,
    left: why === "restarted" ? latest?.place : undefined,
    worktree: latest?.place.worktree ?? worktree,
  });
  if (typeof place === "string") return place;
  const full = context.keep("prompt", fullPrompt(occasion)).ref;
  const form = session?.role === seat.role ? "delta" : "full";
  const sent = form === "full" ? full : context.keep("prompt", deltaPrompt(occasion)).ref;
  const approval = why === "restarted" ? latest?.approval : undefined;
  return {
    ...{ turn: (latest?.turn ?? turns) + 1, why, attempt, answers: context.answers.length },
    ...{ form, full, sent, place },
    session: agent.session({ node: seat.id }),
    contacts: seat.network.contacts(seat.id).map(([to]) => to),
    ...(approval && { approval }),
  };
}
