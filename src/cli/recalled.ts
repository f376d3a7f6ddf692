/**
 * A recalled question goes with the decision on it to an agent that has lost its process, which can then tell whether it
 * is asked the same again.
 *
 * 1. A task has one question open at a time, so a decision is about the last one that the log has of its task.
 */

import type { Agent, Asked, TurnRequest } from "../agent/agent.ts";
import { isJsonObject } from "../base/json.ts";
import type { RunId } from "../base/names.ts";
import type { Journal } from "../run/journal.ts";
import { readEvents } from "../run/load.ts";

/** The last question of each task that asked for an approval, by the beginning of the keys of its turns. */
export type Recalled = ReadonlyMap<string, Asked>;

export async function recall(journal: Journal, run: RunId): Promise<Recalled> {
  const recalled = new Map<string, Asked>();
  for await (const event of readEvents(journal, run, 0)) {
    if (event.type !== "task.asked") continue;
    const value = event.questions.at(-1)?.value;
    const { title, args } = isJsonObject(value) ? value : {};
    if (typeof title === "string" && args !== undefined)
      recalled.set(`${run}/${event.task}/`, { title, args });
  }
  return recalled;
}

/** The same agent, told with each decision what it was about. */
export function withRecalled(agent: Agent, recalled: Recalled): Agent {
  return {
    session: (request) => agent.session(request),
    turn: (request) => agent.turn(remind(request, recalled)),
    ...(agent.mayWrite && { mayWrite: (request) => agent.mayWrite?.(request) ?? true }),
  };
}

function remind(request: TurnRequest, recalled: Recalled): TurnRequest {
  const { approval, idempotencyKey: key } = request;
  if (approval === undefined || approval.asked !== undefined) return request;
  const asked = [...recalled].find(([begins]) => key.startsWith(begins))?.[1]; // (1)
  return asked === undefined ? request : { ...request, approval: { ...approval, asked } };
}
