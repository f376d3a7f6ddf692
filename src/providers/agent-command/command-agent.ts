/**
 * A command agent takes a turn by running a program once: any tool that takes a prompt and prints its answer.
 *
 * 1. The prompt goes where `{prompt}` stands in the arguments, or else to standard input. It is one argument, whatever
 *    it contains: there is no shell.
 * 2. The program has no session with us: every turn gets everything, and nobody can be asked about what it does.
 * 3. Tokens and costs are known only when it prints JSON and says them. They are told at the end: a turn that took more
 *    than its budget has failed then, and one whose program does not say them cannot be held to any.
 * 4. Nobody knows what a program did before it failed. It is run again only where somebody says how often, after it has
 *    printed nothing and has told of a failure that may pass: in words, or by the exit code for that.
 */

import {
  type Agent,
  type SessionRequest,
  type Turn,
  type TurnRequest,
  UNKNOWN_USAGE,
  type Usage,
} from "../../agent/agent.ts";
import type { CommandResult, Commands } from "../../agent/command.ts";
import { type Failure, failure } from "../../base/failure.ts";
import { isJsonObject, type Json } from "../../base/json.ts";
import type { Attempts } from "../../kernel/plan.ts";
import { aboveBudget } from "../agent-process/limits.ts";
import { isPassing } from "../agent-process/passing.ts";
import { type Try, TurnTaking } from "../agent-process/turn-taking.ts";

export interface CommandAgentOptions {
  /** Runs the program; a turn with a folder of its own gets another one. */
  commands(cwd: string | undefined): Commands;
  /** The program and its arguments; `{prompt}` and `{model}` are replaced in each. */
  readonly argv: readonly [program: string, ...args: string[]];
  /** `text`: what it prints is the final message. `json`: it prints an object, in which the paths below lead to it. */
  readonly output?: "text" | "json";
  /** Keys that lead to the final message, such as `["result"]`. */
  readonly textAt?: readonly string[];
  readonly tokensAt?: readonly string[];
  readonly costUsdAt?: readonly string[];
  /** Names of variables that are passed on to it besides the allow-list. */
  readonly env?: readonly string[];
  /** How long a turn may take, in milliseconds; an hour when absent. */
  readonly timeoutMs?: number;
  /** How many tokens a turn may take, where the program says how many it took; any number when absent. */
  readonly tokens?: number;
  /** How often it is run again when its model could not be reached (4); never when absent. */
  readonly retries?: number | Partial<Attempts>;
}

/** With this code a program says that its failure may pass: EX_TEMPFAIL of sysexits.h. */
const TRY_LATER = 75;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

/**
 * Runs a program once for each turn.
 *
 * @example
 * const agent = new CommandAgent({
 *   commands: (cwd) => new LocalCommands({ cwd: cwd ?? process.cwd() }),
 *   argv: ["llm", "--model", "{model}", "{prompt}"],
 * });
 */
export class CommandAgent implements Agent {
  readonly #options: CommandAgentOptions;
  readonly #taking: TurnTaking;

  constructor(options: CommandAgentOptions) {
    const { timeoutMs: turnMs, tokens, retries } = options;
    const limits = { ...(turnMs !== undefined && { turnMs }), ...(tokens !== undefined && { tokens }) };
    this.#options = options;
    this.#taking = new TurnTaking({ limits, retries });
  }

  session({ node }: SessionRequest): string {
    return node;
  }

  turn(request: TurnRequest): Promise<Turn> {
    return this.#taking.turn(request, (deadline) => this.#run(request, deadline));
  }

  async #run(request: TurnRequest, deadline: number): Promise<Try> {
    const { argv, env = [], commands } = this.#options;
    const unfit = this.#unfit(request);
    if (unfit !== undefined) return { turn: failed(unfit), isLost: false };
    const prompt = request.fullPrompt ?? request.prompt; // (2)
    const result = await commands(request.cwd).run({
      ...{ argv: argv.map((part) => filled(part, { prompt, model: request.model ?? "" })), env },
      stdin: argv.some((part) => part.includes("{prompt}")) ? "" : prompt,
      timeoutMs: Math.max(1, Math.round(deadline - performance.now())),
      ...{ maxOutputBytes: MAX_OUTPUT_BYTES, signal: request.signal },
    });
    const why = whyNot(result, argv[0], this.#taking.limits.turnMs);
    if (why === undefined) return { turn: this.#judged(this.#read(result.stdout)), isLost: false };
    return { turn: failed(why), isLost: isLost(result) };
  }

  /** A turn that says that it took more than it may has failed (3). */
  #judged(turn: Turn): Turn {
    if (turn.kind !== "done") return turn;
    const above = aboveBudget(turn.usage.tokens, this.#taking.limits.tokens);
    return above === undefined ? turn : { kind: "failed", failure: above, usage: turn.usage };
  }

  /** What it can be told, it must be told: a program without a place for the model would use another one. */
  #unfit({ model }: TurnRequest): Failure | undefined {
    const { argv } = this.#options;
    if (model === undefined || argv.some((part) => part.includes("{model}"))) return undefined;
    const message = `${argv[0]} has no place for the model ${JSON.stringify(model)}: write {model} into its arguments.`;
    return failure("agent_failed", message);
  }

  #read(stdout: string): Turn {
    const { output = "text", textAt = [], tokensAt, costUsdAt } = this.#options;
    if (output === "text") return { kind: "done", text: stdout.trim(), usage: UNKNOWN_USAGE, cursor: null };
    const json = parsed(stdout);
    if (json === undefined) {
      const detail = { stdout: stdout.slice(0, 1000) };
      return failed(failure("output_invalid", "It printed something that is no JSON.", { detail }));
    }
    const found = at(json, textAt);
    if (found === undefined) {
      return failed(failure("output_invalid", `What it printed has nothing at ${textAt.join(".")}.`));
    }
    const tokens = tokensAt && at(json, tokensAt);
    const costUsd = costUsdAt && at(json, costUsdAt);
    const usage: Usage = {
      ...(typeof tokens === "number" ? { tokens } : UNKNOWN_USAGE),
      costUsd: typeof costUsd === "number" ? costUsd : null,
    };
    return {
      kind: "done",
      text: typeof found === "string" ? found : JSON.stringify(found),
      usage,
      cursor: null,
    };
  }
}

/** Replaces in one pass, so that a prompt that contains `{model}` stays what it is. */
function filled(part: string, values: { readonly prompt: string; readonly model: string }): string {
  return part.replace(/\{(prompt|model)\}/g, (_, name: "prompt" | "model") => values[name]);
}

function whyNot(
  { ended, code, stderr }: CommandResult,
  program: string,
  timeoutMs: number,
): Failure | undefined {
  if (ended === "exited" && code === 0) return undefined;
  const last = stderr.trim().split("\n").slice(-5).join("\n");
  const sentences: { readonly [E in CommandResult["ended"]]: string } = {
    exited: `${program} ended with code ${code}. ${last}`,
    timed_out: `${program} took longer than ${timeoutMs / 1000} s.`,
    too_large: `${program} printed more than ${MAX_OUTPUT_BYTES} bytes.`,
    not_started: stderr,
    stopped: "The turn was stopped.",
  };
  const retryable = ended === "exited" || ended === "timed_out";
  return failure("agent_failed", sentences[ended].trim(), { retryable });
}

/** Says whether a failure may pass, as far as the program tells (4). */
function isLost({ ended, code, stdout, stderr }: CommandResult): boolean {
  return ended === "exited" && stdout.trim() === "" && (code === TRY_LATER || isPassing(stderr));
}

function failed(why: Failure): Turn {
  return { kind: "failed", failure: why, usage: UNKNOWN_USAGE };
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function at(json: Json, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (here, key) => (isJsonObject(here) && Object.hasOwn(here, key) ? here[key] : undefined),
    json,
  );
}
