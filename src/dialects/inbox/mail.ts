/**
 * Mail is what lies in the inboxes of a run, counted from its log: the n-th input that the log appends to an inbox has
 * the number n there.
 */

import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import type { TaskId } from "../../base/names.ts";
import type { Event, Write } from "../../kernel/event.ts";
import type { Patch } from "../../kernel/patch.ts";
import { deskOf, nodeOfInbox } from "./channels.ts";
import type { Input } from "./envelope.ts";

export interface Letter {
  readonly seq: number;
  readonly node: string;
  readonly input: Input;
}

export class Mail {
  readonly #waiting: Map<string, Letter[]> = new Map();
  readonly #counts: Map<string, number> = new Map();
  /** What finished tasks wrote to inboxes and was not committed yet. */
  readonly #staged: Map<TaskId, readonly Write[]> = new Map();

  /** Folds the next event; gives back what was delivered with it, in order. */
  evolve(event: Event): readonly Letter[] {
    switch (event.type) {
      case "run.started":
      case "state.updated":
        return event.patches.flatMap((patch) => this.#patch(patch));
      case "run.resumed":
        return event.patches.flatMap((patch) => this.#patch(patch));
      case "task.finished":
        this.#staged.set(event.task, event.writes);
        return [];
      case "step.committed":
        return event.ran.flatMap((task) => this.#commit(task));
      case "run.forked":
        this.#restore(event.state);
        return [];
      default:
        return [];
    }
  }

  /** Takes the first letters out of an inbox. */
  take(node: string, count: number): readonly Letter[] {
    return this.#inbox(node).splice(0, count);
  }

  /** How many letters lie in an inbox. */
  size(node: string): number {
    return this.#waiting.get(node)?.length ?? 0;
  }

  #commit(task: TaskId): readonly Letter[] {
    const writes = this.#staged.get(task) ?? [];
    this.#staged.delete(task);
    return writes.flatMap(({ channel, value }) => this.#append(channel, [value]));
  }

  #patch({ channel, ...change }: Patch): readonly Letter[] {
    return change.op === "append" ? this.#append(channel, change.items) : [];
  }

  #append(channel: string, items: readonly Json[]): readonly Letter[] {
    const node = nodeOfInbox(channel);
    if (node === undefined) return [];
    const before = this.#counts.get(node) ?? 0;
    this.#counts.set(node, before + items.length);
    const letters = items.map((item, index): Letter => {
      return { seq: before + index + 1, node, input: item as unknown as Input }; // only inputs go to inboxes
    });
    this.#inbox(node).push(...letters);
    return letters;
  }

  #inbox(node: string): Letter[] {
    let inbox = this.#waiting.get(node);
    if (inbox === undefined) {
      inbox = [];
      this.#waiting.set(node, inbox);
    }
    return inbox;
  }

  /** Takes over the inboxes of the state that a fork begins with; what was read before counts. */
  #restore(state: JsonObject): void {
    this.#waiting.clear();
    this.#counts.clear();
    const cells = new Map(state["cells"] as unknown as readonly (readonly [string, Json])[]); // an archive
    for (const node of [...cells.keys()].flatMap((channel) => nodeOfDesk(channel) ?? [])) {
      const desk = cells.get(deskOf(node));
      this.#counts.set(node, isJsonObject(desk) ? Number(desk["read"]) : 0);
    }
    // An archive of this dialect: what open tasks took had arrived before what still lies there.
    for (const { taken } of state["tasks"] as unknown as readonly { taken: Record<string, Json[]> }[]) {
      for (const [channel, items] of Object.entries(taken)) this.#append(channel, items);
    }
    for (const [channel, items] of cells) this.#append(channel, items as readonly Json[]);
  }
}

function nodeOfDesk(channel: string): string | undefined {
  const prefix = deskOf("");
  return channel.startsWith(prefix) ? channel.slice(prefix.length) : undefined;
}
