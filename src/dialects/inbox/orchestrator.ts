/**
 * The orchestrator's automatic turns: once nothing else can run and the goal is open, it is nudged.
 *
 * 1. The nudge is a node of its own, deferred by the kernel until nothing else can run. It is armed at the start and
 *    by every turn of the orchestrator, and it puts one item into a queue that triggers the orchestrator.
 * 2. After `maxAutoTurns` nudges without new input the run pauses instead. A resume allows as many again.
 */

import type { NodeName } from "../../base/names.ts";
import type { PlanNode } from "../../kernel/plan.ts";
import type { Handler } from "../../kernel/program.ts";
import { AUTO_TURNS, GOAL, NUDGE, QUIET, readGoal } from "./channels.ts";
import type { InboxDefinition } from "./definition.ts";

/** The name of the node that nudges; no author's node can have it. */
export const NUDGER = ":nudge";

/** The node that takes the automatic turns, if there is one. */
export function conductorOf({ mode, nodes }: InboxDefinition): NodeName | undefined {
  if (mode !== "auto") return undefined;
  return Object.keys(nodes).find((id) => nodes[id]?.kind === "orchestrator");
}

export const nudger: PlanNode = { triggers: [QUIET], reads: [GOAL, AUTO_TURNS], deferred: true };

export function nudge({ limits: { maxAutoTurns } }: InboxDefinition, conductor: NodeName): Handler {
  return ({ snapshot }) => {
    if (!readGoal(snapshot).open) return { kind: "done", writes: [], route: [] };
    const taken = Number(snapshot.read(AUTO_TURNS) ?? 0);
    if (taken < maxAutoTurns) {
      const writes = [
        { channel: NUDGE, value: { turn: taken + 1 } },
        { channel: AUTO_TURNS, value: taken + 1 },
      ];
      return { kind: "done", writes, route: [] };
    }
    const turns = maxAutoTurns === 1 ? "one automatic turn" : `${maxAutoTurns} automatic turns`;
    const message = `${conductor} had ${turns} without new input, and the goal is still open. Send it something, or resume to let it go on.`;
    const detail = { node: conductor, turns: maxAutoTurns };
    const halt = { status: "paused", reason: "max_auto_turns", message, detail } as const;
    return { kind: "done", writes: [{ channel: AUTO_TURNS, value: 0 }], route: [QUIET], halt };
  };
}
