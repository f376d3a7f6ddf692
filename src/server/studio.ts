/**
 * The studio as its server sees it: what can be read, what can be asked, and what is told while it happens.
 *
 * 1. What a method is given was checked at the door. It throws a `Refusal`, a `Conflict` or a `Problem`; anything else
 *    is a fault of Baton's.
 */

import type { Json } from "../base/json.ts";
import type { Event } from "../kernel/event.ts";
import type { AnswerOf } from "../protocol/answers.ts";
import type {
  ForkRequest,
  RunVerb,
  SaveRequest,
  SimulateRequest,
  StartRequest,
} from "../protocol/requests.ts";
import type { RunDocument, RunLine } from "../protocol/studio.ts";
import type { Progress } from "../run/host.ts";

export interface Studio {
  project(): Promise<AnswerOf<"project">>;
  runs(query: RunsQuery): Promise<AnswerOf<"runs">>;
  start(request: StartRequest): Promise<AnswerOf<"start">>;
  run(run: string): Promise<AnswerOf<"run">>;
  events(run: string, page: EventsQuery): Promise<AnswerOf<"events">>;
  moment(run: string, seq: number): Promise<AnswerOf<"moment">>;
  visits(run: string, query: VisitsQuery): Promise<AnswerOf<"visits">>;
  command(run: string, verb: RunVerb): Promise<AnswerOf<"command">>;
  fork(run: string, request: ForkRequest): Promise<AnswerOf<"fork">>;
  diff(run: string, other: string): Promise<AnswerOf<"diff">>;
  questions(): Promise<AnswerOf<"questions">>;
  text(ref: string): Promise<AnswerOf<"text">>;
  definitions(): Promise<AnswerOf<"definitions">>;
  definition(path: string): Promise<AnswerOf<"definition">>;
  save(path: string, request: SaveRequest): Promise<AnswerOf<"save">>;
  drawing(path: string): Promise<Json>;
  check(request: { readonly text: string; readonly path?: string }): Promise<AnswerOf<"check">>;
  simulate(request: SimulateRequest): Promise<AnswerOf<"simulate">>;
  readonly live: Live;
}

export interface RunsQuery {
  readonly status?: RunLine["status"];
  /** In its id, its name or its task, whatever the case. */
  readonly search?: string;
  readonly dialect?: string;
  /** From 1 to 500. */
  readonly limit: number;
  readonly cursor?: string;
}

export interface EventsQuery {
  /** The sequence number of the last event that is known; 0 for none. */
  readonly after: number;
  /** From 1 to 5,000. */
  readonly limit: number;
}

export interface VisitsQuery {
  readonly nodes: readonly string[];
  /** Only visits that were opened before this event; the end of the log when absent. */
  readonly before?: number;
  /** From 1 to 100. */
  readonly limit: number;
}

/** What is told while it happens. */
export interface Live {
  /** Refuses a run that is not there. */
  requireRun(run: string): Promise<void>;
  /** The events of a run after a sequence number. It costs next to nothing when there are none. */
  eventsAfter(run: string, after: number, limit: number): Promise<readonly Event[]>;
  driverOf(run: string): RunDocument["driver"] | Promise<RunDocument["driver"]>;
  /** Calls the listener when there may be something new about a run; returns what ends that. */
  onNews(run: string, listener: (news: News) => void): () => void;
  /** The runs that changed last, as they stand. */
  latest(): Promise<readonly RunLine[]>;
}

/** Something was recorded or the driver changed, which is looked up; or a task shows something, which is not kept. */
export type News = { readonly kind: "look" } | { readonly kind: "progress"; readonly progress: Progress };
