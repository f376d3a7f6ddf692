/**
 * Amend changes the definition of a run that is under way.
 *
 * 1. What was delivered stays delivered, whatever becomes of the edge.
 * 2. A removed node leaves a grave behind: it takes what is in the node's inbox and what still comes for it, and
 *    records every piece as a dead letter. What the node's failed turns cost is counted.
 */

import type { Write } from "../../kernel/event.ts";
import type { Handler, Note } from "../../kernel/program.ts";
import { inboxOf, USAGE } from "./channels.ts";
import type { InboxDefinition } from "./definition.ts";
import { TurnLog } from "./turn-log.ts";

/** The definition to go on with: that of `after`, which remembers the nodes that were there `before`. */
export function amendInbox(before: InboxDefinition, after: InboxDefinition): InboxDefinition {
  const gone = [...(before.removed ?? []), ...Object.keys(before.nodes)];
  const removed = [...new Set(gone)].filter((node) => !Object.hasOwn(after.nodes, node));
  const { removed: _, ...definition } = after;
  return removed.length === 0 ? definition : { ...definition, removed };
}

/** The handler of a node that was removed (2). */
export function grave(node: string): Handler {
  return ({ taken }, context) => {
    const letters = taken[inboxOf(node)] ?? [];
    const notes = letters.map((letter): Note => ({ kind: "inbox.dead_letter", data: { node, letter } }));
    const spent = new TurnLog(context).failures.map(
      ({ usage }): Write => ({ channel: USAGE, value: { ...usage } }),
    );
    return { kind: "done", writes: spent, route: [], notes };
  };
}
