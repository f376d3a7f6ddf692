/**
 * The story of a loadout: one socket after the other, each told once, when it is entered.
 *
 * 1. Which item a socket is entered for stands in the route that led to it.
 */

import { isJsonObject, type Json } from "../base/json.ts";
import type { NodeName } from "../base/names.ts";
import type { Event, OpenedTask } from "../kernel/event.ts";
import type { NameBook } from "./nodes.ts";
import { brief, type Said, type Story } from "./story.ts";

export class LoadoutStory implements Story {
  readonly #labels: Map<NodeName, string> = new Map();
  /** What the last route entered: `on WI-1, title`. */
  #entered: { readonly socket: Json | undefined; readonly item: string } | undefined;

  tell(event: Event, names: NameBook): Said | "nothing" | undefined {
    switch (event.type) {
      case "run.started":
      case "plan.amended":
        this.#adopt(event.plan?.drawing);
        return undefined;
      case "step.opened":
        return this.#enter(event.tasks, names);
      case "task.noted":
        if (event.kind === "loadout.routed") this.#route(event.data);
        return event.kind === "loadout.entered" ? "nothing" : undefined;
      default:
        return undefined;
    }
  }

  #adopt(drawing: Json | undefined): void {
    const nodes = isJsonObject(drawing) ? drawing["nodes"] : undefined;
    for (const node of Array.isArray(nodes) ? (nodes as readonly Json[]) : []) {
      if (!isJsonObject(node)) continue;
      const { id, label } = node;
      if (typeof id === "string" && typeof label === "string") this.#labels.set(id, label);
    }
  }

  #route(data: Json): void {
    const enters = isJsonObject(data) ? data["enters"] : undefined;
    if (!isJsonObject(enters) || typeof enters["item"] !== "string") {
      this.#entered = undefined;
      return;
    }
    const { socket, item, title } = enters;
    const named = typeof title === "string" && title !== item ? `, ${brief(title, 80)}` : "";
    this.#entered = { socket, item: ` on ${item}${named}` };
  }

  #enter(tasks: readonly OpenedTask[], names: NameBook): Said {
    const texts = tasks.map(({ node }) => {
      const item = this.#entered?.socket === node ? this.#entered.item : "";
      const label = names.naming === "ids" ? this.#labels.get(node) : undefined; // else it stands in front
      return { node, text: `${label ?? "begins"}${item}` };
    });
    const [first] = texts;
    if (texts.length === 1 && first !== undefined) return { tone: "plain", ...first };
    return { tone: "plain", text: texts.map(({ node, text }) => `${names.nameOf(node)} ${text}`).join(", ") };
  }
}
