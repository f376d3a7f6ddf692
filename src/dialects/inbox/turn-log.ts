/**
 * The turn log is what a task remembers of the turns that it took, so that whoever runs it again knows where it stands.
 *
 * 1. A beginning is recorded with its prompts before the agent is asked for anything.
 * 2. A beginning without an end was cut short, and is followed by another turn with the same inputs.
 * 3. A failed turn is recorded with what it cost and where it left the session; it is never played again.
 */

import type { Approval, Usage } from "../../agent/agent.ts";
import type { Failure } from "../../base/failure.ts";
import type { Json } from "../../base/json.ts";
import type { Artifact, TaskContext } from "../../kernel/program.ts";
import type { Proposal } from "./approval.ts";
import type { Place } from "./place.ts";
import type { Staged } from "./staging.ts";

/** Why the agent is asked: for the first time, after an answer, after a failure, or because the process died. */
export type Why = "first" | "answered" | "retried" | "restarted";

export type Beginning = {
  /** Counted from 1 for each node; the same one after an answer. */
  readonly turn: number;
  readonly why: Why;
  readonly attempt: number;
  /** How many answers the task had. */
  readonly answers: number;
  readonly session: string;
  readonly form: "full" | "delta";
  /** The full effective prompt, and the text that was sent, by reference. */
  readonly full: string;
  readonly sent: string;
  /** Whom the node could send to. */
  readonly contacts: readonly string[];
  /** Where it worked. */
  readonly place: Place;
  readonly approval?: Approval;
};

export type FailedTurn = {
  readonly failure: Failure;
  readonly usage: Usage;
  readonly cursor?: Json;
  /** What it changed all the same. */
  readonly diff?: Artifact;
};

/** What a person was shown, and the session in which the agent waits for the answer, where it has one. */
export interface AskedTurn extends Proposal {
  readonly cursor?: Json;
}

const BEGIN = "begin:";
const FAILED = "failed:";

export class TurnLog {
  readonly #context: TaskContext;
  readonly beginnings: readonly Beginning[];

  constructor(context: TaskContext) {
    this.#context = context;
    const found: Beginning[] = [];
    for (let index = 1; ; index++) {
      const value = context.recall(`${BEGIN}${index}`);
      if (value === undefined) break;
      found.push(value as unknown as Beginning); // written by `begin`
    }
    this.beginnings = found;
  }

  /** The turn that was begun last. */
  get latest(): Beginning | undefined {
    return this.beginnings.at(-1);
  }

  /** The failed turns of the task, oldest first. */
  get failures(): readonly FailedTurn[] {
    const turns = new Set(this.beginnings.map(({ turn }) => turn));
    return [...turns].flatMap((turn) => this.failureOf(turn) ?? []);
  }

  failureOf(turn: number): FailedTurn | undefined {
    return this.#context.recall(`${FAILED}${turn}`) as unknown as FailedTurn | undefined; // written by `fail`
  }

  async begin(beginning: Beginning): Promise<void> {
    const key = `${BEGIN}${this.beginnings.length + 1}`;
    await this.#context.once(key, () => plain(beginning));
  }

  async fail(turn: number, failed: FailedTurn): Promise<void> {
    await this.#context.once(`${FAILED}${turn}`, () => plain(failed));
  }

  /** Records what is asked next, so that the answer can be held against it, and where the agent stands meanwhile. */
  async ask(asked: AskedTurn): Promise<void> {
    await this.#context.once(`ask:${this.#context.answers.length}`, () => plain(asked));
  }

  /** Records what is staged when something is asked. */
  async stage(staged: Staged): Promise<void> {
    await this.#context.once(`staged:${this.#context.answers.length}`, () => plain(staged));
  }

  /** What a turn had staged when it asked last. */
  stagedBy(turn: number): Staged | undefined {
    const staged = this.#context.recall(`staged:${this.#context.answers.length - 1}`);
    const found = staged as unknown as Staged | undefined; // written by `stage`
    return found?.turn === turn ? found : undefined;
  }

  /** What was asked when the task had so many answers. */
  asked(answers: number): AskedTurn | undefined {
    return this.#context.recall(`ask:${answers}`) as unknown as AskedTurn | undefined; // written by `ask`
  }
}

/** Records hold JSON only, which interfaces cannot say of themselves. */
function plain(record: object): Json {
  return record as Json;
}

/** Says whether a task remembers the beginning of a turn under this key. */
export function isBeginning(key: string): boolean {
  return key.startsWith(BEGIN);
}

/** Says whether a task remembers a failed turn under this key. */
export function isFailedTurn(key: string): boolean {
  return key.startsWith(FAILED);
}
