/** The story of an inbox graph: who writes to whom, and what came of each turn. */

import { isJsonObject, type Json } from "../base/json.ts";
import type { Event, OpenedTask } from "../kernel/event.ts";
import type { Patch } from "../kernel/patch.ts";
import type { NameBook } from "./nodes.ts";
import { brief, type Said, type Story } from "./story.ts";

/** The inbox of a node is the channel of this name and the node's. */
const INBOX = "inbox:";

export class InboxStory implements Story {
  tell(event: Event, names: NameBook): Said | "nothing" | undefined {
    switch (event.type) {
      case "run.started": {
        const { program, run, patches } = event;
        return {
          tone: "plain",
          text: [`${program.name} started as ${run}`, ...lettersIn(patches, names)].join("\n"),
        };
      }
      case "state.updated": {
        const letters = lettersIn(event.patches, names);
        return letters.length === 0 ? undefined : { tone: "plain", text: letters.join("\n") };
      }
      case "step.opened":
        return openedBy(event.tasks, names);
      case "task.finished": {
        const letters = event.writes.flatMap(({ channel, value }) => letterTo(channel, value, names) ?? []);
        const node = names.nodeOf(event.task);
        return letters.length === 0 ? undefined : { tone: "plain", text: letters.join("\n"), node };
      }
      default:
        return undefined;
    }
  }
}

function openedBy(tasks: readonly OpenedTask[], names: NameBook): Said | "nothing" {
  const turns = tasks.filter(({ node }) => isAuthored(node));
  const [first] = turns;
  if (first === undefined) return "nothing";
  if (turns.length > 1)
    return { tone: "plain", text: `${turns.map(({ node }) => names.nameOf(node)).join(", ")} begin a turn` };
  const count = first.takes?.[INBOX + first.node] ?? 0;
  const letters = count === 0 ? "" : count === 1 ? " with one letter" : ` with ${count} letters`;
  return { tone: "plain", node: first.node, text: `begins a turn${letters}` };
}

/** A name with a colon in front is the dialect's own and means nothing to people. */
export function isAuthored(node: string): boolean {
  return !node.startsWith(":");
}

function lettersIn(patches: readonly Patch[], names: NameBook): readonly string[] {
  return patches.flatMap((patch) => {
    const items = patch.op === "append" ? patch.items : [];
    return items.flatMap((item) => {
      const letter = letterTo(patch.channel, item, names);
      return letter === undefined ? [] : [`user ${letter}`];
    });
  });
}

function letterTo(channel: string, letter: Json, names: NameBook): string | undefined {
  if (!channel.startsWith(INBOX) || !isJsonObject(letter)) return undefined;
  const { type, payload } = letter;
  const message = isJsonObject(payload) ? payload["message"] : letter["message"];
  const kind = type === "message" ? "" : ` (${String(type)})`;
  return `→ ${names.nameOf(channel.slice(INBOX.length))}${kind}: ${brief(String(message))}`;
}
