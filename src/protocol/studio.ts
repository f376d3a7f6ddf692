/**
 * What the studio's server and its page say to each other, beyond what a log and a result already say.
 *
 * 1. The page folds events by itself with the views that the command line uses: nothing here is a second account of a run.
 * 2. Live progress is told beside the events and never recorded; it has no sequence number.
 * 3. Every path is relative to the project's folder, with `/` between its parts, and stays inside of it.
 */

import type { Json, JsonObject } from "../base/json.ts";
import type { Event, ProgramName } from "../kernel/event.ts";
import type { TextRef } from "../views/texts.ts";
import type { RunVerb } from "./requests.ts";
import type { CheckDocument, ResultDocument } from "./result.ts";

type Status = ResultDocument["status"];

/**
 * Who drives a run now: this server, another process, or nobody. A run that is `running` and that nobody drives stands
 * still until somebody resumes it. A run inside of another is driven by whoever drives that one.
 */
export type Driver = "studio" | "elsewhere" | null;

/** Where the studio works. */
export interface ProjectDocument {
  readonly name: string;
  /** The folder, absolute, to be shown and never sent back. */
  readonly folder: string;
  readonly version: string;
  /** Of the database that is open. */
  readonly db: string;
}

/** A run in a list. */
export interface RunLine {
  readonly run: string;
  readonly program: ProgramName;
  /** What it was asked to do, where it was asked with words. */
  readonly task: string;
  readonly status: Status;
  readonly reason: string | null;
  /** Milliseconds since 1970 UTC. */
  readonly startedAt: number;
  readonly updatedAt: number;
  readonly parent: { readonly run: string; readonly task: string } | null;
  /** How many questions wait for a person. */
  readonly questions: number;
  readonly usage: ResultDocument["usage"];
  readonly driver: Driver;
}

export interface RunsPage {
  readonly runs: readonly RunLine[];
  /** How many there are of each status, whatever the filter. */
  readonly counts: Readonly<Partial<Record<Status, number>>>;
  /** Give it back as `cursor` for the next page; `null` at the end. */
  readonly next: string | null;
}

/** A run as it stands, with the form in which it was started. */
export interface RunDocument extends RunLine {
  /** The sequence number of its last event. */
  readonly seq: number;
  readonly result: ResultDocument;
  /** What the author wrote, as it was started or amended last; `null` where that is code. */
  readonly definition: Json;
  /**
   * The plan's drawing in the words of its dialect, as `DefinitionDocument.drawing` has it: `LoadoutDrawing`,
   * `InboxDrawing` or `GraphDrawing`; `null` where there is none.
   */
  readonly drawing: Json;
  /** What it was started with. */
  readonly request: Json;
  readonly budget: { readonly maxTokens: number | null; readonly maxCostUsd: number | null };
  /** Why it went where it went last, in one sentence. */
  readonly because: string | null;
  /** What it waits for, in one sentence, and the verb that helps. */
  readonly waitsFor: { readonly sentence: string; readonly verb: RunVerb["verb"] | null } | null;
  /** The runs inside of it, at any depth: sub-graphs, loadouts, and the lanes of parallel loops. */
  readonly children: readonly string[];
  readonly forkedFrom: { readonly run: string; readonly seq: number } | null;
}

/** An approval or another question of any run. */
export interface QuestionDocument extends Pick<RunLine, "run" | "program" | "task"> {
  readonly id: string;
  readonly node: string;
  /** What the person is shown: the exact command, diff, text or choice. */
  readonly value: Json;
  /** The JSON Schema of the answer; `null` when anything will do. */
  readonly schema: Json;
  /** `sha256:` of what a person decides by: goes back with the answer. */
  readonly digest: string;
  /** Whether it asks to allow something whose arguments may be edited. */
  readonly isApproval: boolean;
  /** Whether `approve` and `deny` are answers to it: an approval, or a person's socket that goes on by a decision. */
  readonly isDecision: boolean;
  /** Milliseconds since 1970 UTC. */
  readonly askedAt: number;
}

/** A past visit of a node. */
export interface PastVisit {
  readonly task: string;
  readonly node: string;
  readonly step: number;
  /** The event that opened it, and its time in milliseconds since 1970 UTC. */
  readonly seq: number;
  readonly at: number;
  /** The item of a loop that it was about, such as `WI-1`. */
  readonly item: string | null;
  readonly title: string | null;
  readonly texts: readonly TextRef[];
}

/** Newest first. A page may be shorter than was asked for, where much lies between the visits. */
export interface VisitsPage {
  readonly visits: readonly PastVisit[];
  /** Give it back as `before` for what came before; `null` at the beginning of the log. */
  readonly next: number | null;
}

/** What travels on `GET /api/runs/:run/stream`. Events carry their sequence number as the id of the message. */
export type StreamMessage =
  | { readonly type: "event"; readonly event: Event }
  | { readonly type: "progress"; readonly task: string; readonly node: string; readonly chunk: Json }
  /** All that was recorded so far was sent; what follows is new. */
  | { readonly type: "caught_up"; readonly seq: number }
  | { readonly type: "driver"; readonly driver: Driver };

/** What travels on `GET /api/feed`: a run that is new or stands differently, and one that was removed. */
export type FeedMessage =
  | { readonly type: "run"; readonly line: RunLine }
  | { readonly type: "gone"; readonly run: string };

/** The state of a moment, and what the event before it changed. */
export interface MomentDocument {
  readonly seq: number;
  readonly event: Event;
  readonly state: JsonObject;
  readonly changes: readonly { readonly pointer: string; readonly before?: Json; readonly after?: Json }[];
}

export type DefinitionKind = "loadout" | "inbox" | "module" | "materia";

/** A definition in the project, or one that comes with Baton. */
export interface DefinitionLine {
  /** For one of the project; a bundled one is named `bundled:NAME`. */
  readonly path: string;
  readonly kind: DefinitionKind;
  readonly name: string;
  readonly isBundled: boolean;
}

export interface DefinitionDocument extends DefinitionLine {
  readonly text: string;
  /** `sha256:` of the text: what a save must name, so that nobody's changes are lost. */
  readonly digest: string;
  readonly check: CheckDocument | null;
  /** As `RunDocument.drawing`; `null` for code and for what cannot be drawn. */
  readonly drawing: Json;
  /** Whether a person allowed this content to run, where that has to be asked. */
  readonly trust: { readonly isTrusted: boolean; readonly powers: readonly string[] };
}
