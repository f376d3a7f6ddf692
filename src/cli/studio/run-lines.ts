/**
 * The lines of runs: what a list shows, and which questions are open, at the cost of what is new.
 *
 * 1. A run is folded once, and from then on only its new events are; a run whose log did not grow costs one look.
 * 2. Few folded runs are kept. A line of one that is not kept is as good as new while its log did not grow.
 */

import { isJsonObject, type Json } from "../../base/json.ts";
import type { RunId } from "../../base/names.ts";
import { Refusal } from "../../base/refusal.ts";
import type { Event } from "../../kernel/event.ts";
import { evolve } from "../../kernel/evolve.ts";
import { openQuestions, type RunState } from "../../kernel/state.ts";
import type { QuestionDocument, RunLine } from "../../protocol/studio.ts";
import { standingOf } from "../../run/head.ts";
import type { Journal, RunHead } from "../../run/journal.ts";
import { loadState, readEvents } from "../../run/load.ts";
import { QuestionsView } from "../../views/questions.ts";
import { dialectOf } from "../runs/dialects.ts";
import { questionDocument } from "./question-document.ts";

const MOST_FOLDED = 64;
const MOST_LINES = 5000;

/** A line as the log tells it; who drives the run is not in there. */
export type LoggedLine = Omit<RunLine, "driver">;

interface Kept {
  readonly startedAt: number;
  seq: number;
  line: LoggedLine;
  questions: readonly QuestionDocument[];
}

export class RunLines {
  readonly #journal: Journal;
  readonly #kept: Map<RunId, Kept> = new Map();
  readonly #states: Map<RunId, RunState> = new Map();
  readonly #tasks: Map<RunId, { readonly startedAt: number; readonly task: string }> = new Map();

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** The head of a run. Refuses one that is not there. */
  async head(run: string): Promise<RunHead> {
    const head = await this.#journal.head(run as RunId); // looked up, not trusted to be one
    if (head !== undefined) return head;
    throw new Refusal("unknown_run", `There is no run ${run}.`);
  }

  async line(head: RunHead): Promise<LoggedLine> {
    return (await this.#look(head)).line;
  }

  /** The number of its last event. */
  async seq(head: RunHead): Promise<number> {
    return (await this.#look(head)).seq;
  }

  async questions(head: RunHead): Promise<readonly QuestionDocument[]> {
    return (await this.#look(head)).questions;
  }

  /** What a run was asked to do, in words; it never changes. */
  async task({ run, startedAt }: RunHead): Promise<string> {
    const known = this.#tasks.get(run);
    if (known?.startedAt === startedAt) return known.task;
    const [first] = await this.#journal.read(run, 0, 1);
    const task = taskIn(first);
    keep(this.#tasks, run, { startedAt, task }, MOST_LINES);
    return task;
  }

  async #look(head: RunHead): Promise<Kept> {
    const { run, startedAt } = head;
    const known = this.#kept.get(run);
    const isSame = known?.startedAt === startedAt;
    if (isSame && (await this.#journal.read(run, known.seq, 1)).length === 0) return known; // (1)
    const state = await this.#fold(run, isSame);
    const line = await this.#lineOf(head, state);
    const questions = line.questions === 0 ? [] : await this.#questionsOf(line, state);
    const kept: Kept = { startedAt, seq: state.seq, line, questions };
    keep(this.#kept, run, kept, MOST_LINES);
    return kept;
  }

  async #fold(run: RunId, isSame: boolean): Promise<RunState> {
    const before = isSame ? this.#states.get(run) : undefined;
    const state = before ?? (await loadState(this.#journal, run)).state;
    if (before !== undefined) {
      for await (const event of readEvents(this.#journal, run, state.seq)) {
        if (event.seq === state.seq + 1) evolve(state, event); // another request may have been faster
      }
    }
    keep(this.#states, run, state, MOST_FOLDED);
    return state;
  }

  async #lineOf(head: RunHead, state: RunState): Promise<LoggedLine> {
    const { run, program, parent, startedAt, updatedAt } = head;
    const dialect = await dialectOf(program);
    return {
      ...{ run, program, startedAt, updatedAt },
      task: await this.task(head),
      status: standingOf(state),
      reason: state.reason ?? null,
      parent: parent ?? null,
      questions: openQuestions(state).length,
      usage: dialect.watch().glance(state).usage,
    };
  }

  async #questionsOf(line: LoggedLine, state: RunState): Promise<readonly QuestionDocument[]> {
    const dialect = await dialectOf(line.program);
    const view = new QuestionsView();
    for await (const event of readEvents(this.#journal, state.run, 0)) view.fold(event);
    const askedAt = new Map(view.all.map((line) => [line.id, line.askedAt]));
    return openQuestions(state).map(({ task, question }) => {
      const asked = { line, node: task.node, question, askedAt: askedAt.get(question.id) ?? 0 };
      return questionDocument(asked, dialect);
    });
  }
}

/** Puts an entry last and forgets the first ones of too many. */
function keep<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= most) return;
    map.delete(oldest);
  }
}

function taskIn(event: Event | undefined): string {
  const request: Json | undefined = event?.type === "run.started" ? event.request : undefined;
  if (!isJsonObject(request)) return "";
  const { task, messages } = request;
  if (typeof task === "string" && task !== "") return task;
  const [first] = Array.isArray(messages) ? (messages as readonly Json[]) : [];
  return isJsonObject(first) && typeof first["text"] === "string" ? first["text"] : "";
}
