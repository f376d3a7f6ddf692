/** Evidence is what a log has of one call of a handler: what it remembered meanwhile, and what it came back with. */

import type { Json, JsonObject } from "../../base/json.ts";
import { isJsonObject } from "../../base/json.ts";
import type { ChannelName } from "../../base/names.ts";
import type { Event, Fact, RunFact, Send } from "../../kernel/event.ts";
import type { Plan } from "../../kernel/plan.ts";
import type { Program } from "../../kernel/program.ts";
import type { RunState } from "../../kernel/state.ts";

export interface Evidence {
  /** What the task remembered when the call began. */
  readonly memory: ReadonlyMap<string, Json>;
  /** What the task had recorded under a key when the call was over. */
  readonly remembered: ReadonlyMap<string, Json>;
  /** The notes of the call, and the fact that it amounted to. */
  readonly facts: readonly Fact[];
  /** Reads a stored text. */
  text(ref: string): Promise<string | undefined>;
  /** Told what of it logs do not keep, when the handler depends on that; it may make a failure of its own of it. */
  gap(what: string): void;
  /** Told when something outside has answered: whoever interrupted the task did so by then. */
  reached(): void;
}

export interface ReplayProgram {
  readonly program: Program;
  /** Present when its handlers may be run over a log: told before each call what the log has of it. */
  readonly attend?: (evidence: Evidence) => void;
  /**
   * What is run again: all that handlers decide, the path functions of conditional edges alone, or the node functions of
   * a graph, which are any code. Handlers when absent.
   */
  readonly checks?: "handlers" | "routes" | "nodes";
  /** What code decides that is not run again, a phrase each; "handlers" where none are and this is absent. */
  readonly unchecked?: readonly string[];
  /** Where a run that was started would begin now; asked once its start is folded. */
  readonly start?: (started: Started, moment: Moment) => Promise<Start>;
  /** Told of every event before it is held against what the kernel decides. */
  readonly foresee?: (event: Event) => void;
  /** True for what a handler remembers first in each call: twice in one call, it was cut short in between. */
  readonly beginsCall?: (key: string) => boolean;
  /** Told of every event once it is folded. */
  readonly follow?: (event: Event) => void;
  /** The program of a definition that the log goes on with. */
  readonly amended?: (definition: Json, plan: Plan) => Program;
}

export type Started = Extract<RunFact, { type: "run.started" }>;

/** Where a run begins: the channels that are signalled, and the tasks that are sent. */
export interface Start {
  readonly route: readonly ChannelName[];
  readonly sends: readonly Send[];
}

/** What there is to begin with, and whoever is told of what logs do not keep. */
export interface Moment extends Pick<Evidence, "gap"> {
  readonly state: RunState;
}

/** Thrown by services that answer from a log, where the log has no answer. */
export class Unrecorded extends Error {
  override readonly name: string = "Unrecorded";
  /** True when the log does not keep such answers; false when the handler asks what it did not ask then. */
  readonly isKnownGap: boolean;

  constructor(message: string, { isKnownGap }: { readonly isKnownGap: boolean }) {
    super(message);
    this.isKnownGap = isKnownGap;
  }
}

/** The data of the first note of a kind. */
export function noteIn({ facts }: Evidence, kind: string): JsonObject | undefined {
  const note = facts.find((fact) => fact.type === "task.noted" && fact.kind === kind);
  return note?.type === "task.noted" && isJsonObject(note.data) ? note.data : undefined;
}

/** The fact that the call amounted to. */
export function endIn({ facts }: Evidence): Fact | undefined {
  return facts.findLast(({ type }) => type !== "task.noted");
}

/** What the task began to remember in this call, under keys with this beginning, in the order of the log. */
export function newlyRemembered({ memory, remembered }: Evidence, prefix: string): readonly Json[] {
  return [...remembered].flatMap(([key, value]) =>
    key.startsWith(prefix) && !memory.has(key) ? [value] : [],
  );
}

/** Throws what a service answers where the log does not keep what it needs. */
export function missing(evidence: Evidence, what: string): Unrecorded {
  evidence.gap(what);
  return new Unrecorded(`The log does not keep ${what}.`, { isKnownGap: true });
}

/** The text that a note's artifact refers to. */
export async function artifactIn(evidence: Evidence, kind: string): Promise<string | undefined> {
  const artifact = noteIn(evidence, kind)?.["artifact"];
  const ref = isJsonObject(artifact) ? artifact["ref"] : undefined;
  return typeof ref === "string" ? textAt(evidence, ref) : undefined;
}

/** A text that the log refers to. Throws when it is gone. */
export async function textAt(evidence: Evidence, ref: string): Promise<string> {
  const text = await evidence.text(ref);
  if (text !== undefined) return text;
  throw new Unrecorded(`The log refers to the text ${ref}, which is not there.`, { isKnownGap: false });
}
