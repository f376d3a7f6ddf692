/**
 * The routes: each row of the protocol's table with what answers it.
 *
 * 1. A row without an answer does not compile, and neither does an answer of another type.
 */

import type { AnswerOf } from "../protocol/answers.ts";
import { openApi } from "../protocol/openapi.ts";
import type { RouteName } from "../protocol/routes.ts";
import {
  checkShape,
  forkShape,
  saveShape,
  simulateShape,
  startShape,
  verbShape,
} from "../protocol/shapes.ts";
import type { Feed } from "./feed.ts";
import { Problem } from "./problem.ts";
import { eventsQuery, runsQuery, sequence, streamStart, visitsQuery } from "./query.ts";
import { readBody } from "./request-body.ts";
import { runStream } from "./run-stream.ts";
import { eventStream } from "./sse.ts";
import type { Studio } from "./studio.ts";

export interface Asked {
  readonly request: Request;
  readonly studio: Studio;
  readonly feed: Feed;
  /** Fires when the server stops. */
  readonly stopping: AbortSignal;
  /** A part of the path that a row names, decoded. */
  readonly part: (name: string) => string;
  /** The rest of the path, decoded. */
  readonly rest: string;
}

type Streamed = "feed" | "stream";
type Rows = {
  readonly [Row in RouteName]: (asked: Asked) => Promise<Row extends Streamed ? Response : AnswerOf<Row>>;
};

const queryOf = ({ request }: Asked): URLSearchParams => new URL(request.url).searchParams;

/** (1) */
export const ANSWERS: Rows = {
  project: ({ studio }) => studio.project(),
  runs: (asked) => asked.studio.runs(runsQuery(queryOf(asked))),
  start: async ({ studio, request }) => studio.start(await readBody(request, startShape)),
  feed: async ({ feed, stopping }) => eventStream((signal) => feed.frames(signal), stopping),
  run: ({ studio, part }) => studio.run(part("run")),
  events: (asked) => asked.studio.events(asked.part("run"), eventsQuery(queryOf(asked))),
  stream: async ({ studio: { live }, request, part, stopping }) => {
    const run = part("run");
    const after = streamStart(request);
    await live.requireRun(run);
    return eventStream((signal) => runStream(live, { run, after, signal }), stopping);
  },
  moment: ({ studio, part }) => studio.moment(part("run"), sequence(part("seq"))),
  visits: (asked) => asked.studio.visits(asked.part("run"), visitsQuery(queryOf(asked))),
  command: async ({ studio, part, request }) =>
    studio.command(part("run"), await readBody(request, verbShape)),
  fork: async ({ studio, part, request }) => studio.fork(part("run"), await readBody(request, forkShape)),
  diff: ({ studio, part }) => studio.diff(part("run"), part("other")),
  questions: ({ studio }) => studio.questions(),
  text: ({ studio, part }) => {
    const ref = part("ref");
    if (!/^sha256:[0-9a-f]{64}$/.test(ref))
      throw new Problem("not_found", "A text is asked for by sha256:….");
    return studio.text(ref);
  },
  definitions: ({ studio }) => studio.definitions(),
  definition: ({ studio, rest }) => studio.definition(rest),
  save: async ({ studio, rest, request }) => studio.save(rest, await readBody(request, saveShape)),
  drawing: async ({ studio, rest }) => ({ drawing: await studio.drawing(rest) }),
  check: async ({ studio, request }) => studio.check(await readBody(request, checkShape)),
  simulate: async ({ studio, request }) => studio.simulate(await readBody(request, simulateShape)),
  openapi: async () => openApi(),
};
