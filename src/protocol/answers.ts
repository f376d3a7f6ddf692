/**
 * What the studio's server answers, route by route.
 *
 * 1. Every row of `ROUTES` has an answer here; a missing one does not compile.
 */

import type { Json, JsonObject } from "../base/json.ts";
import type { Event } from "../kernel/event.ts";
import type { CheckDocument, ResultDocument } from "./result.ts";
import type { RouteName } from "./routes.ts";
import type {
  DefinitionDocument,
  DefinitionLine,
  FeedMessage,
  MomentDocument,
  ProjectDocument,
  QuestionDocument,
  RunDocument,
  RunsPage,
  StreamMessage,
  VisitsPage,
} from "./studio.ts";

export interface EventsPage {
  readonly run: string;
  readonly events: readonly Event[];
  /** Give it back as `after` for the next page; `null` when these are the last ones so far. */
  readonly next: number | null;
}

export interface DiffDocument {
  readonly runs: readonly [DiffSide, DiffSide];
  /** True when nothing below says otherwise. */
  readonly identical: boolean;
  /** The first visit that only one of them made, or that led elsewhere. */
  readonly diverges?: {
    readonly key: string;
    /** `visit`, `status`, `route` and so on: the first thing of the visit that differs. */
    readonly what: string;
    readonly left: Json;
    readonly right: Json;
  };
  readonly visits: { readonly same: number; readonly differing: readonly VisitDifference[] };
  readonly state: readonly {
    readonly channel: string;
    /** A JSON pointer into the value of the channel. */
    readonly path: string;
    readonly left?: Json;
    readonly right?: Json;
  }[];
}

export interface DiffSide {
  readonly run: string;
  readonly status: ResultDocument["status"];
  readonly reason: string | null;
  readonly visits: number;
  readonly usage: ResultDocument["usage"];
}

export interface VisitDifference {
  readonly key: string;
  /** The events that opened the visit; `null` in the run that never made it. */
  readonly seq: readonly [number | null, number | null];
  readonly differs: readonly string[];
  readonly texts: readonly {
    readonly kind: string;
    readonly left: string | null;
    readonly right: string | null;
  }[];
  readonly usage: readonly [ResultDocument["usage"] | null, ResultDocument["usage"] | null];
}

export interface SimulationDocument {
  /** True when no run broke a law. */
  readonly ok: boolean;
  readonly runs: number;
  readonly seed: string;
  readonly outcomes: {
    readonly completed: number;
    /** By the code of the failure. */
    readonly failed: Readonly<Record<string, number>>;
    /** By the reason of the pause. */
    readonly paused: Readonly<Record<string, number>>;
    readonly waiting: number;
    /** Runs that were cut because they did not come to an end. */
    readonly unfinished: number;
  };
  /** What no run did. */
  readonly coverage: {
    readonly sockets: readonly string[];
    readonly edges: readonly {
      readonly socket: string;
      readonly edge: number;
      readonly when: string;
      readonly to: string;
    }[];
    readonly exits: readonly { readonly loop: string; readonly exit: string; readonly to: string }[];
  };
}

export interface Answers {
  readonly project: ProjectDocument;
  readonly runs: RunsPage;
  readonly start: RunDocument;
  readonly feed: AsyncIterable<FeedMessage>;
  readonly run: RunDocument;
  readonly events: EventsPage;
  readonly stream: AsyncIterable<StreamMessage>;
  readonly moment: MomentDocument;
  readonly visits: VisitsPage;
  readonly command: RunDocument;
  /** The new run, which stands as the old one stood and waits for `resume`. */
  readonly fork: RunDocument;
  readonly diff: DiffDocument;
  readonly questions: { readonly questions: readonly QuestionDocument[] };
  /** Sent as it is, as plain text. */
  readonly text: string;
  readonly definitions: { readonly definitions: readonly DefinitionLine[] };
  readonly definition: DefinitionDocument;
  readonly save: DefinitionDocument;
  /** As `RunDocument.drawing`. */
  readonly drawing: { readonly drawing: Json };
  readonly check: CheckDocument & { readonly drawing: Json };
  readonly simulate: SimulationDocument;
  readonly openapi: JsonObject;
}

/** (1) */
export type AnswerOf<Name extends RouteName> = Answers[Name];
