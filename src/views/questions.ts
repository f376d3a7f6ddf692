/** The questions of a run: what was asked, and what was answered. */

import type { Json } from "../base/json.ts";
import type { NodeName, QuestionId } from "../base/names.ts";
import type { Event } from "../kernel/event.ts";
import { NameBook } from "./nodes.ts";

export interface QuestionLine {
  readonly id: QuestionId;
  readonly node: NodeName;
  readonly value: Json;
  /** The JSON Schema of the answer, when only some answers will do. */
  readonly schema?: Json;
  /** Milliseconds since 1970 UTC. */
  readonly askedAt: number;
  readonly answer?: { readonly value: Json; readonly at: number };
}

export class QuestionsView {
  readonly #names: NameBook = new NameBook();
  readonly #lines: Map<QuestionId, QuestionLine> = new Map();

  fold(event: Event): void {
    this.#names.fold(event);
    if (event.type === "task.asked") {
      const node = this.#names.nodeOf(event.task);
      for (const { id, value, schema } of event.questions) {
        const line = { id, node, value, askedAt: event.at };
        this.#lines.set(id, schema === undefined ? line : { ...line, schema });
      }
    } else if (event.type === "task.answered") {
      const asked = this.#lines.get(event.question);
      if (asked) this.#lines.set(asked.id, { ...asked, answer: { value: event.value, at: event.at } });
    }
  }

  /** Every question, in the order of asking. */
  get all(): readonly QuestionLine[] {
    return [...this.#lines.values()];
  }
}
