/** The query of a request, read with care: what is not given has its default, what is wrong is refused. */

import type { ResultDocument } from "../protocol/result.ts";
import { Problem } from "./problem.ts";
import type { EventsQuery, RunsQuery, VisitsQuery } from "./studio.ts";

const MOST_RUNS = 500;
const MOST_EVENTS = 5000;
const MOST_VISITS = 100;
const MOST_NODES = 200;
const STATUSES: readonly ResultDocument["status"][] = [
  ...(["running", "waiting", "paused", "completed", "failed", "cancelled"] as const),
];

export function runsQuery(query: URLSearchParams): RunsQuery {
  const [search, dialect, cursor] = ["search", "dialect", "cursor"].map((name) => filled(query, name));
  const wanted = filled(query, "status");
  const status = STATUSES.find((known) => known === wanted);
  if (wanted !== undefined && status === undefined) {
    throw new Problem("invalid_input", `status is one of ${STATUSES.join(", ")}.`);
  }
  return {
    limit: whole(query, "limit", { least: 1, most: MOST_RUNS, absent: 50 }),
    ...(status !== undefined && { status }),
    ...(search !== undefined && { search }),
    ...(dialect !== undefined && { dialect }),
    ...(cursor !== undefined && { cursor }),
  };
}

export function eventsQuery(query: URLSearchParams): EventsQuery {
  return {
    after: whole(query, "after", { least: 0, most: Number.MAX_SAFE_INTEGER, absent: 0 }),
    limit: whole(query, "limit", { least: 1, most: MOST_EVENTS, absent: 1000 }),
  };
}

export function visitsQuery(query: URLSearchParams): VisitsQuery {
  const nodes = query.getAll("node");
  if (nodes.length === 0 || nodes.length > MOST_NODES) {
    throw new Problem("invalid_input", `node is given once for each node, ${MOST_NODES} times at most.`);
  }
  const bounds = { least: 1, most: Number.MAX_SAFE_INTEGER, absent: 0 };
  const before = whole(query, "before", bounds);
  return {
    ...{ nodes, limit: whole(query, "limit", { least: 1, most: MOST_VISITS, absent: 20 }) },
    ...(before > 0 && { before }),
  };
}

/** Where a stream goes on: what the reader saw last counts more than where it wanted to begin. */
export function streamStart(request: Request): number {
  const last = request.headers.get("last-event-id");
  const query = new URL(request.url).searchParams;
  if (last !== null && last !== "") query.set("after", last);
  return eventsQuery(query).after;
}

/** A number in the path. */
export function sequence(text: string): number {
  return whole(new URLSearchParams({ seq: text }), "seq", {
    least: 1,
    most: Number.MAX_SAFE_INTEGER,
    absent: 1,
  });
}

interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly absent: number;
}

function whole(query: URLSearchParams, name: string, { least, most, absent }: Bounds): number {
  const text = filled(query, name);
  if (text === undefined) return absent;
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new Problem("invalid_input", `${name} is a whole number from ${least} to ${most}.`);
}

function filled(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name);
  return text === null || text === "" ? undefined : text;
}
