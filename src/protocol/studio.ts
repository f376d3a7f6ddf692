/**
 * What the studio's server and its page say to each other, beyond what a log and a result already say.
 *
 * 1. The page folds events by itself with the views that the command line uses: nothing here is a second account of a run.
 * 2. Live progress is told beside the events and never recorded; it has no sequence number.
 * 3. Every path is relative to the project's folder, with `/` between its parts, and stays inside of it.
 */

import type { Json, JsonObject } from "../base/json.ts";
import type { Event, ProgramName } from "../kernel/event.ts";
import type { CheckDocument, ResultDocument } from "./result.ts";

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
  readonly status: ResultDocument["status"];
  readonly reason: string | null;
  /** Milliseconds since 1970 UTC. */
  readonly startedAt: number;
  readonly updatedAt: number;
  readonly parent: { readonly run: string; readonly task: string } | null;
  /** How many questions wait for a person. */
  readonly questions: number;
  readonly usage: ResultDocument["usage"];
  /**
   * Who drives it now: this server, another process, or nobody. A run that is `running` and that nobody drives stands
   * still until somebody resumes it. A run inside of another is driven by whoever drives that one.
   */
  readonly driver: "studio" | "elsewhere" | null;
}

export interface RunsPage {
  readonly runs: readonly RunLine[];
  /** How many there are of each status, whatever the filter. */
  readonly counts: Readonly<Partial<Record<ResultDocument["status"], number>>>;
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
  readonly children: readonly string[];
  readonly forkedFrom: { readonly run: string; readonly seq: number } | null;
}

/**
 * Holds an answer to what was shown: the `digest` of the question as the person read it. Where the question is another
 * one by now, the answer is refused with 409 `changed` and nothing is recorded. Left out, any state of it is meant.
 */
interface Shown {
  readonly digest?: string;
}

/** What a person asks of a run. Each is a verb of the command line. */
export type RunVerb =
  | ({ readonly verb: "answer"; readonly question: string; readonly value: Json } & Shown)
  | ({ readonly verb: "approve"; readonly question: string; readonly edit?: Json } & Shown)
  | ({ readonly verb: "deny"; readonly question: string; readonly reason?: string } & Shown)
  | { readonly verb: "send"; readonly node: string; readonly text: string }
  | { readonly verb: "interrupt"; readonly node: string }
  | { readonly verb: "retry"; readonly node?: string }
  | { readonly verb: "pause" }
  | {
      readonly verb: "resume";
      readonly budget?: { readonly maxTokens?: number; readonly maxCostUsd?: number };
    }
  | { readonly verb: "cancel"; readonly reason?: string }
  /** Changes the graph of an inbox run; the edits are those of `InboxEdit`. */
  | { readonly verb: "edit"; readonly edits: readonly JsonObject[] };

/** An approval or another question of any run. */
export interface QuestionDocument {
  readonly run: string;
  readonly program: ProgramName;
  /** What the run was asked to do, where it was asked with words. */
  readonly task: string;
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

/** What travels on `GET /api/runs/:run/stream`. Events carry their sequence number as the id of the message. */
export type StreamMessage =
  | { readonly type: "event"; readonly event: Event }
  | { readonly type: "progress"; readonly task: string; readonly node: string; readonly chunk: Json }
  /** All that was recorded so far was sent; what follows is new. */
  | { readonly type: "caught_up"; readonly seq: number }
  | { readonly type: "driver"; readonly driver: RunDocument["driver"] };

/** What travels on `GET /api/feed`: a run that is new or stands differently. */
export type FeedMessage = { readonly type: "run"; readonly line: RunLine };

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

export interface SaveRequest {
  readonly text: string;
  /** The digest that was read; `null` for a file that is not to exist yet. */
  readonly base: string | null;
}

export interface StartRequest {
  /** A path or `bundled:NAME`. */
  readonly definition: string;
  readonly task?: string;
  readonly inputs?: JsonObject;
  /** Inbox graphs: what to begin with. */
  readonly messages?: readonly { readonly node: string; readonly text: string }[];
  /** The path of a script that takes every turn. */
  readonly script?: string;
  readonly agent?: string;
  readonly budget?: { readonly maxTokens?: number; readonly maxCostUsd?: number };
  /** The person was shown what the definition may do and allows it this once. */
  readonly yes?: boolean;
}

export interface ForkRequest {
  readonly at?: number;
  readonly edit?: readonly { readonly pointer: string; readonly value: Json }[];
}

export interface SimulateRequest {
  readonly text: string;
  readonly runs?: number;
  readonly seed?: number;
}

/** A route of the server. `:run`, `:ref` and so on stand for one part of the path, `*` for the rest of it. */
export interface Route {
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string;
  readonly summary: string;
}

export type RouteName =
  | ("project" | "runs" | "start" | "feed" | "run" | "events" | "stream" | "moment" | "command" | "fork")
  | (
      | "diff"
      | "questions"
      | "text"
      | "definitions"
      | "definition"
      | "save"
      | "check"
      | "simulate"
      | "openapi"
    );

export const ROUTES: Readonly<Record<RouteName, Route>> = {
  project: { method: "GET", path: "/api/project", summary: "Where the studio works." },
  runs: {
    method: "GET",
    path: "/api/runs",
    summary: "Runs, last changed first; ?status=&search=&dialect=&limit=&cursor=",
  },
  start: { method: "POST", path: "/api/runs", summary: "Starts a run and drives it." },
  feed: {
    method: "GET",
    path: "/api/feed",
    summary: "Server-sent events: runs that are new or stand differently.",
  },
  run: { method: "GET", path: "/api/runs/:run", summary: "A run as it stands." },
  events: { method: "GET", path: "/api/runs/:run/events", summary: "Its events, in order; ?after=&limit=" },
  stream: {
    method: "GET",
    path: "/api/runs/:run/stream",
    summary: "Server-sent events: its events from ?after= or Last-Event-ID on, and live progress.",
  },
  moment: {
    method: "GET",
    path: "/api/runs/:run/moments/:seq",
    summary: "Its state right after an event, and what that event changed.",
  },
  command: { method: "POST", path: "/api/runs/:run/commands", summary: "Asks something of it." },
  fork: {
    method: "POST",
    path: "/api/runs/:run/forks",
    summary: "Makes a run that has its past up to a moment.",
  },
  diff: { method: "GET", path: "/api/runs/:run/diff/:other", summary: "What differs between two runs." },
  questions: { method: "GET", path: "/api/questions", summary: "What waits for a person, in any run." },
  text: { method: "GET", path: "/api/texts/:ref", summary: "A stored text: a prompt, an output, a diff." },
  definitions: { method: "GET", path: "/api/definitions", summary: "What could be run here." },
  definition: {
    method: "GET",
    path: "/api/definitions/*",
    summary: "A definition with its text and what is wrong with it.",
  },
  save: {
    method: "PUT",
    path: "/api/definitions/*",
    summary: "Writes a definition, unless it changed since it was read.",
  },
  check: { method: "POST", path: "/api/check", summary: "Checks a text as if it were a file." },
  simulate: {
    method: "POST",
    path: "/api/simulate",
    summary: "Seeded runs of a loadout with agents that misbehave.",
  },
  openapi: { method: "GET", path: "/api/openapi.json", summary: "This table as an OpenAPI document." },
};
