/**
 * A recorded agent plays back what a real one once did; a recording agent is the real one with a tape running.
 *
 * 1. Every time a turn was taken is one entry. A turn that asked has several: one for each decision.
 * 2. The place on the tape is the cursor, so it is part of the log, and a run that is resumed plays on from there.
 * 3. The first request that differs from what was recorded fails, and the difference is shown. So does one too many.
 */

import { failure } from "../base/failure.ts";
import { isJsonObject, type Json, sameJson } from "../base/json.ts";
import {
  type Agent,
  type Approval,
  NO_USAGE,
  type Progress,
  type SessionRequest,
  type Turn,
  type TurnRequest,
} from "./agent.ts";

/** One time that a turn was taken. It is plain JSON. */
export interface TapeEntry {
  readonly session: string;
  readonly prompt: string;
  readonly approval?: Approval;
  /** Everything that was shown meanwhile. */
  readonly progress: readonly Progress[];
  readonly turn: Turn;
}

/**
 * Passes turns on to another agent and gives every one of them to `keep`, in the order in which they ended.
 *
 * @example
 * const real = new CommandAgent({ commands: () => new LocalCommands({ cwd: "." }), argv: ["llm", "{prompt}"] });
 * const tape: TapeEntry[] = [];
 * const recording = new RecordingAgent(real, (entry) => tape.push(entry));
 */
export class RecordingAgent implements Agent {
  readonly #inner: Agent;
  readonly #keep: (entry: TapeEntry) => void;

  constructor(inner: Agent, keep: (entry: TapeEntry) => void) {
    this.#inner = inner;
    this.#keep = keep;
  }

  session(request: SessionRequest): string {
    return this.#inner.session(request);
  }

  mayWrite(request: SessionRequest): boolean {
    return this.#inner.mayWrite?.(request) ?? true;
  }

  async turn(request: TurnRequest): Promise<Turn> {
    const progress: Progress[] = [];
    const turn = await this.#inner.turn({
      ...request,
      progress(chunk) {
        progress.push(chunk);
        request.progress(chunk);
      },
    });
    const { prompt, approval } = request;
    this.#keep({ session: this.session(request), prompt, ...(approval && { approval }), progress, turn });
    return turn;
  }
}

export interface RecordedOptions {
  readonly tape: readonly TapeEntry[];
  /** A hash of the tape: a cursor of another one starts at the beginning. */
  readonly digest: string;
}

/**
 * Plays a tape. The first prompt or decision that differs from what was recorded fails the turn.
 *
 * @example
 * const again = new RecordedAgent({ tape: [], digest: "sha256:…" }); // the entries that a RecordingAgent kept
 */
export class RecordedAgent implements Agent {
  readonly #bySession: ReadonlyMap<string, readonly TapeEntry[]>;
  readonly #digest: string;

  constructor({ tape, digest }: RecordedOptions) {
    this.#bySession = Map.groupBy(tape, ({ session }) => session);
    this.#digest = digest;
  }

  /** The node, since that is what sessions of real agents are named by. */
  session({ node }: SessionRequest): string {
    return node;
  }

  async turn(request: TurnRequest): Promise<Turn> {
    const session = this.session(request);
    const entries = this.#bySession.get(session) ?? [];
    const begin = this.#taken(request.cursor);
    const at = placeOf(entries, begin, request.approval);
    const entry = entries[at];
    if (entry === undefined) {
      return differs(
        request,
        `It has ${entries.length} entries for ${session}, and this would be another one.`,
      );
    }
    const difference = differenceIn(entry, request);
    if (difference !== undefined) return differs(request, difference);
    for (const chunk of entry.progress) request.progress(chunk);
    return this.#placed(entry.turn, { begin, next: at + 1 });
  }

  #taken(cursor: Json | undefined): number {
    const isOurs = isJsonObject(cursor) && cursor["tape"] === this.#digest;
    return isOurs && typeof cursor["taken"] === "number" ? cursor["taken"] : 0;
  }

  /** The turn with our cursor in place of the recorded one; a turn that asks has not moved on (2). */
  #placed(turn: Turn, { begin, next }: { readonly begin: number; readonly next: number }): Turn {
    const taken = turn.kind === "asks" ? begin : next;
    return { ...turn, cursor: { tape: this.#digest, taken } };
  }
}

/** Where a turn that began at a place goes on: after the question that the decision is about. */
function placeOf(entries: readonly TapeEntry[], begin: number, approval: Approval | undefined): number {
  if (approval === undefined) return begin;
  for (let at = begin; entries[at]?.turn.kind === "asks"; at++) {
    const next = entries[at + 1];
    if (next?.approval === undefined) break;
    if (sameDecision(next.approval, approval)) return at + 1;
  }
  return begin + 1;
}

function sameDecision(recorded: Approval, now: Approval): boolean {
  const isAboutTheSame =
    recorded.asked === undefined ||
    now.asked === undefined ||
    (recorded.asked.title === now.asked.title && sameJson(recorded.asked.args, now.asked.args));
  return isAboutTheSame && recorded.approved === now.approved && sameJson(recorded.args, now.args);
}

/** What differs from the recording; nothing when all is the same. */
function differenceIn(entry: TapeEntry, { prompt, approval }: TurnRequest): string | undefined {
  if (prompt !== entry.prompt) return lineThatDiffers(entry.prompt, prompt);
  if (approval === undefined && entry.approval === undefined) return undefined;
  if (approval !== undefined && entry.approval !== undefined && sameDecision(entry.approval, approval))
    return undefined;
  return `The decision differs.\n- ${JSON.stringify(entry.approval ?? null)}\n+ ${JSON.stringify(approval ?? null)}`;
}

function lineThatDiffers(recorded: string, now: string): string {
  const before = recorded.split("\n");
  const after = now.split("\n");
  const at = before.findIndex((line, index) => line !== after[index]);
  const line = at < 0 ? before.length : at;
  return `The prompt differs from line ${line + 1} on.\n- ${before[line] ?? "(it ended here)"}\n+ ${after[line] ?? "(it ends here)"}`;
}

/** A tape that does not fit will not fit the next time either: it ends the run, like a script that ran out (3). */
function differs({ node }: TurnRequest, difference: string): Turn {
  const message = `The recording does not fit this run. ${difference}`;
  return { kind: "failed", failure: failure("script_exhausted", message, { at: node }), usage: NO_USAGE };
}
