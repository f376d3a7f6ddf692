/**
 * A scripted agent plays a script: the agent of tests, demos and dry runs.
 *
 * 1. The place in a list is the cursor, so it is part of the log: a turn that was recorded has taken its output,
 *    also one that failed or was stopped, and an output whose turn was never recorded is played again.
 * 2. A cursor belongs to one script, by its digest; another script starts at the beginning.
 * 3. A turn that asks does nothing but wait before its approval. Denied, it ends with its text and does nothing else.
 * 4. What the person changed in the arguments runs: a text that differs from what was asked takes the place of
 *    the text of that name in the first write (`path`, `content`) and in the first send (`to`, `message`).
 * 5. A turn that writes what it may not fails, and writes nothing.
 */

import type { Signal } from "../base/abort.ts";
import { failure, messageOf } from "../base/failure.ts";
import { isJsonObject, type Json } from "../base/json.ts";
import { closest } from "../base/names.ts";
import {
  type Agent,
  type Approval,
  NO_USAGE,
  type SessionRequest,
  type Turn,
  type TurnRequest,
} from "./agent.ts";
import { isDocument } from "./documents.ts";
import type { Script, ScriptedTurn } from "./script.ts";
import type { Workspace } from "./workspace.ts";

export interface ScriptedOptions {
  readonly script: Script;
  /** A hash of the script's content. */
  readonly digest: string;
  /** Where `write` writes; without it such a turn fails. */
  readonly workspace?: Workspace;
  /** Where it writes when a turn names a folder of its own; without it such a turn fails. */
  readonly workspaceAt?: (cwd: string) => Workspace;
  /** Waits for so many milliseconds; ends early, without an error, when the signal fires. */
  sleep(milliseconds: number, signal: Signal): Promise<void>;
}

/**
 * Plays a script that `parseScript` has read.
 *
 * @example
 * const parsed = parseScript({ "Socket-4": ["done", { $: "turn", text: "later", delayMs: 50 }] });
 * if (!parsed.ok) throw new Error(parsed.issues[0]?.message);
 * const sleep = async () => {};
 * const agent = new ScriptedAgent({ script: parsed.script, digest: "sha256:…", sleep });
 */
export class ScriptedAgent implements Agent {
  readonly #options: ScriptedOptions;

  constructor(options: ScriptedOptions) {
    this.#options = options;
  }

  /** The list that applies: the node's for the item in hand (`Socket-4@WI-1`), else the node's, else its role's. */
  session({ node, role, item }: SessionRequest): string {
    const { script } = this.#options;
    const forItem = `${node}@${item}`;
    if (item !== undefined && script.has(forItem)) return forItem;
    return role !== undefined && !script.has(node) && script.has(role) ? role : node;
  }

  /** A session whose outputs write no files never will. */
  mayWrite(request: SessionRequest): boolean {
    const list = this.#options.script.get(this.session(request));
    return list?.turns.some(({ writes }) => writes.length > 0) ?? false;
  }

  async turn(request: TurnRequest): Promise<Turn> {
    const taken = this.#taken(request.cursor);
    const turn = this.#output(this.session(request), taken);
    if (turn === undefined) return this.#exhausted(request, taken);
    const end = { usage: turn.usage, cursor: { script: this.#options.digest, taken: taken + 1 } };
    const failed = (message: string): Turn => {
      return { kind: "failed", failure: failure("agent_failed", message, { at: request.node }), ...end };
    };
    if (request.approval === undefined) await this.#spend(turn, request);
    if (request.signal.aborted) return failed("The turn was stopped.");
    if (turn.ask !== undefined && request.approval === undefined) return { kind: "asks", ...turn.ask };
    if (turn.ask !== undefined && request.approval?.approved === false) {
      return { kind: "done", text: turn.text, ...end };
    }
    const { text, writes, sends, finish, fail } = edited(turn, request.approval);
    const unwritten = forbidden(writes, request) ?? (await this.#write(writes, request.cwd));
    if (unwritten !== undefined) return failed(unwritten);
    if (fail !== undefined) return failed(fail);
    return { kind: "done", text, ...(sends.length > 0 && { sends }), ...(finish && { finish }), ...end };
  }

  #taken(cursor: Json | undefined): number {
    const isOurs = isJsonObject(cursor) && cursor["script"] === this.#options.digest;
    return isOurs && typeof cursor["taken"] === "number" ? cursor["taken"] : 0;
  }

  #output(key: string, taken: number): ScriptedTurn | undefined {
    const list = this.#options.script.get(key);
    return list?.turns[list.repeats ? taken % list.turns.length : taken];
  }

  /** Shows the text and takes the time that the turn takes. */
  async #spend({ text, delayMs }: ScriptedTurn, request: TurnRequest): Promise<void> {
    if (request.signal.aborted) return;
    if (text !== "") request.progress({ kind: "text", text });
    if (delayMs > 0) await this.#options.sleep(delayMs, request.signal);
  }

  /** Writes one file after the other; returns why it stopped, if it did. */
  async #write(writes: ScriptedTurn["writes"], cwd: string | undefined): Promise<string | undefined> {
    const { workspaceAt } = this.#options;
    const workspace = cwd === undefined ? this.#options.workspace : workspaceAt?.(cwd);
    for (const { path, content } of writes) {
      if (workspace === undefined) return `The script writes ${path}, and this run has no working folder.`;
      try {
        await workspace.write(path, content);
      } catch (error) {
        return `The script could not write ${path}. ${messageOf(error)}`;
      }
    }
    return undefined;
  }

  #exhausted(request: SessionRequest, taken: number): Turn {
    const message = this.#whyExhausted(request, taken);
    const ended = failure("script_exhausted", message, { at: request.node });
    return { kind: "failed", failure: ended, usage: NO_USAGE };
  }

  #whyExhausted(request: SessionRequest, taken: number): string {
    const { script } = this.#options;
    const list = script.get(this.session(request));
    if (list !== undefined) {
      const key = JSON.stringify(this.session(request));
      const size = list.turns.length === 1 ? "1 output" : `${list.turns.length} outputs`;
      return `The script's list ${key} has ${size} and this is turn ${taken + 1}: add one, or repeat the list with { "outputs": […], "repeat": true }.`;
    }
    const { node, role } = request;
    const names = [node, ...(role === undefined || role === node ? [] : [role])];
    const hint = script.size === 0 ? "It has no lists at all." : suggestion(node, [...script.keys()]);
    return `The script has no list for ${names.map((name) => JSON.stringify(name)).join(" or ")}: add one. ${hint}`;
  }
}

/** Why a turn must not write what it wants to (5); nothing when it may. */
function forbidden(
  wanted: ScriptedTurn["writes"],
  { writes: allowed = "all" }: Pick<TurnRequest, "writes">,
): string | undefined {
  if (allowed === "all") return undefined;
  const refused = wanted.find(({ path }) => allowed === "none" || !isDocument(path));
  if (refused === undefined) return undefined;
  const why = allowed === "none" ? "this turn may only look" : "this turn may only write documents";
  return `The script writes ${refused.path}, and ${why}.`;
}

/** The turn with what the person changed (4). */
function edited(turn: ScriptedTurn, approval: Approval | undefined): ScriptedTurn {
  if (turn.ask === undefined || !isJsonObject(approval?.args)) return turn;
  const changes = changedTexts(turn.ask.args, approval.args);
  const writes = turn.writes.map((write, index) => (index === 0 ? replaced(write, changes) : write));
  const sends = turn.sends.map((send, index) => (index === 0 ? replaced(send, changes) : send));
  return { ...turn, writes, sends };
}

function changedTexts(asked: Json, args: { readonly [key: string]: Json }): ReadonlyMap<string, string> {
  const before = isJsonObject(asked) ? asked : {};
  const changed = new Map<string, string>();
  for (const [key, value] of Object.entries(args)) {
    const isNew = !Object.hasOwn(before, key) || before[key] !== value;
    if (typeof value === "string" && isNew) changed.set(key, value);
  }
  return changed;
}

/** Replaces the texts that the action has, and adds none. */
function replaced<T extends object>(action: T, changes: ReadonlyMap<string, string>): T {
  const entries = Object.entries(action).map(([key, value]) => {
    return [key, typeof value === "string" ? (changes.get(key) ?? value) : value];
  });
  return Object.fromEntries(entries) as T; // the same keys with values of the same types
}

function suggestion(name: string, known: readonly string[]): string {
  const meant = closest(name, known);
  if (meant !== undefined) return `Did you mean ${JSON.stringify(meant)}?`;
  return `It has: ${known.map((each) => JSON.stringify(each)).join(", ")}.`;
}
