/**
 * An asker puts the questions of a run to the person at the terminal while the run goes on, so that a turn which waits
 * for a decision stays open.
 *
 * 1. One question at a time, in the order of asking. One that the person leaves for later is not asked again.
 * 2. A question that is answered elsewhere meanwhile is taken back.
 * 3. An answer that does not fit is asked for again, and the person is told why.
 * 4. What an agent asks looks like nothing else: an approval is one line with everything that would be done, and no row
 *    of a question begins where those of Baton do.
 */

import { isJsonObject, type Json } from "../../base/json.ts";
import { openQuestions, type Question, type RunState } from "../../kernel/state.ts";
import { summary } from "../../views/transcript.ts";
import { Misuse } from "../misuse.ts";
import type { Dialect } from "../runs/dialect.ts";
import { jsonOrText, parseJson } from "../runs/inputs.ts";
import { isApproval } from "./next-call.ts";
import { harmless, oneLine } from "./style.ts";

export interface AskerOptions {
  /** Reads a line from the person; `undefined` when the signal fires or there is nobody any more. */
  readonly read: (prompt: string, signal: AbortSignal, prefill?: string) => Promise<string | undefined>;
  readonly say: (text: string) => void;
  readonly check: Dialect["checkAnswer"];
  readonly answer: (question: Question, value: Json) => Promise<void>;
}

type Asking = { readonly node: string; readonly question: Question };

export class Asker {
  readonly #options: AskerOptions;
  readonly #seen: Set<string> = new Set();
  #waiting: Asking[] = [];
  #current: { readonly id: string; readonly taken: AbortController } | undefined;
  #work: Promise<void> | undefined;
  #answered = 0;

  constructor(options: AskerOptions) {
    this.#options = options;
  }

  /** Takes note of the questions that are open now, and begins to ask when there are new ones. */
  look(state: RunState): void {
    const open = openQuestions(state);
    const ids = new Set<string>(open.map(({ question }) => question.id));
    this.#waiting = this.#waiting.filter(({ question }) => ids.has(question.id));
    if (this.#current !== undefined && !ids.has(this.#current.id)) this.#current.taken.abort(); // (2)
    for (const { task, question } of open) {
      if (this.#seen.has(question.id)) continue;
      this.#seen.add(question.id);
      this.#waiting.push({ node: task.node, question });
    }
    if (this.#waiting.length > 0) this.#work ??= this.#askAll();
  }

  /** Waits until nothing is being asked; says whether anything was answered since the last time. */
  async settled(): Promise<boolean> {
    await this.#work;
    const answered = this.#answered > 0;
    this.#answered = 0;
    return answered;
  }

  /** Stops asking; what is open stays open. */
  end(): void {
    this.#waiting = [];
    this.#current?.taken.abort();
  }

  async #askAll(): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      const taken = new AbortController();
      this.#current = { id: next.question.id, taken };
      await this.#ask(next, taken.signal);
      this.#current = undefined;
    }
    this.#work = undefined;
  }

  async #ask({ node, question }: Asking, signal: AbortSignal): Promise<void> {
    const { say, check, answer } = this.#options;
    const isYesOrNo = isApproval(question);
    const asked = summary(question.value);
    say(
      `${oneLine(node)} asks: ${isYesOrNo ? oneLine(asked) : indented(asked)}${harmless(besides(question))}`,
    ); // (4)
    while (!signal.aborted) {
      const values = isYesOrNo ? await this.#decision(question, signal) : await this.#text(signal);
      if (values === "later") return;
      if (values === "again") continue;
      const problems = values.map((value) => check(question, value));
      const at = problems.indexOf(undefined);
      if (at === -1) {
        say(harmless(problems[0] ?? "This is no answer.")); // (3)
        continue;
      }
      if (signal.aborted) return;
      await answer(question, values[at] as Json); // `at` is an index of it
      this.#answered++;
      return;
    }
  }

  /** What the person decides on an approval. */
  async #decision({ value }: Question, signal: AbortSignal): Promise<readonly Json[] | "later" | "again"> {
    const said = await this.#options.read("[y]es, [n]o, [e]dit, [l]ater: ", signal);
    switch (said?.trim().toLowerCase()) {
      case "y":
      case "yes":
        return [{ approved: true }];
      case "n":
      case "no": {
        const reason = (await this.#options.read("Why (may be empty): ", signal))?.trim() ?? "";
        return [{ approved: false, ...(reason !== "" && { reason }) }];
      }
      case "e":
      case "edit": {
        const args = isJsonObject(value) ? harmless(JSON.stringify(value["args"])) : "";
        const edited = await this.#options.read("Arguments: ", signal, args);
        return edited === undefined ? "later" : this.#edited(edited);
      }
      case undefined:
      case "l":
      case "later":
        return "later";
      default:
        return "again";
    }
  }

  #edited(text: string): readonly Json[] | "again" {
    try {
      return [{ approved: true, args: parseJson(text, "This") }];
    } catch (error) {
      if (!(error instanceof Misuse)) throw error;
      this.#options.say(error.message);
      return "again";
    }
  }

  async #text(signal: AbortSignal): Promise<readonly Json[] | "later"> {
    const said = await this.#options.read("Answer (empty: later): ", signal);
    return said === undefined || said.trim() === "" ? "later" : [jsonOrText(said), said];
  }
}

/** (4) */
function indented(text: string): string {
  return harmless(text).split("\n").join("\n         ");
}

/** What stands beside the title of a question: what is to be done, or what helps to answer. */
function besides(question: Question): string {
  const args = isJsonObject(question.value) ? question.value["args"] : undefined;
  if (args === undefined) return "";
  const isNothing = isJsonObject(args) && Object.keys(args).length === 0;
  return isNothing && !isApproval(question) ? "" : ` ${JSON.stringify(args)}`;
}
