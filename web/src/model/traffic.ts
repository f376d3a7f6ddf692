/** How often each edge of a drawing was passed, folded from the events: by the ids that the drawings use. */

import { type Event, isJsonObject, type Json, type LoadoutRoute } from "./baton.ts";

const CONTROL = ">";
const INBOX = "inbox:";

export class Traffic {
  readonly #counts: Map<string, number> = new Map();
  readonly #nodes: Map<string, string> = new Map();

  fold(event: Event, decision: LoadoutRoute | undefined): void {
    if (decision !== undefined) this.#count(edgeOf(decision));
    switch (event.type) {
      case "run.started":
        for (const channel of event.route) this.#signal("__start__", channel);
        break;
      case "step.opened":
        for (const { task, node } of event.tasks) this.#nodes.set(task, node);
        break;
      case "task.finished": {
        const node = this.#nodes.get(event.task) ?? "";
        for (const { channel, value } of event.writes) this.#letter(channel, value);
        for (const channel of event.route) this.#signal(node, channel);
        for (const send of event.sends ?? []) this.#count(`${node}→${send.node}`);
        if (event.route.length === 0) this.#count(`${node}→__end__`);
        break;
      }
    }
  }

  get counts(): ReadonlyMap<string, number> {
    return new Map(this.#counts);
  }

  #letter(channel: string, value: Json): void {
    if (!channel.startsWith(INBOX) || !isJsonObject(value)) return;
    const edge = value["edge"];
    if (typeof edge === "string") this.#count(edge);
  }

  /** A pulse of a state graph is `>node`, a gate `>>["source","node"]`. */
  #signal(from: string, channel: string): void {
    if (!channel.startsWith(CONTROL)) return;
    const isGate = channel.startsWith(CONTROL + CONTROL);
    const to = isGate ? (JSON.parse(channel.slice(2)) as readonly string[]).at(-1) : channel.slice(1);
    this.#count(`${from}→${to}`);
  }

  #count(edge: string | undefined): void {
    if (edge !== undefined) this.#counts.set(edge, (this.#counts.get(edge) ?? 0) + 1);
  }
}

/** The id of the drawn edge that a route took: an edge of the socket, or the exit of a loop; none that it may not take. */
function edgeOf({ socket, chosen }: LoadoutRoute): string | undefined {
  if (!isJsonObject(chosen)) return undefined;
  const { via, edge, loop, exit, exhausted } = chosen;
  if (exhausted === true) return undefined;
  if (via === "edge") return `${socket}/${edge}`;
  return via === "exit" && exit !== undefined ? `loop-exit:${loop}:${exit}` : undefined;
}
