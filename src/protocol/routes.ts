/** The routes of the studio's server: one row each, of which the server, its client and its description are made. */

/** A route of the server. `:run`, `:ref` and so on stand for one part of the path, `*` for the rest of it. */
export interface Route {
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string;
  readonly summary: string;
}

export type RouteName =
  | "project"
  | "runs"
  | "start"
  | "feed"
  | "run"
  | "events"
  | "stream"
  | "moment"
  | "command"
  | "visits"
  | "fork"
  | "diff"
  | "questions"
  | "text"
  | "definitions"
  | "definition"
  | "save"
  | "drawing"
  | "check"
  | "simulate"
  | "openapi";

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
    summary: "Server-sent events: runs that are new, stand differently, or were removed.",
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
  visits: {
    method: "GET",
    path: "/api/runs/:run/visits",
    summary: "Past visits of nodes, newest first; ?node=&before=&limit=, node more than once.",
  },
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
  drawing: {
    method: "GET",
    path: "/api/drawings/*",
    summary: "The drawing of a module, which is run for it where it may be.",
  },
  check: { method: "POST", path: "/api/check", summary: "Checks a text as if it were a file." },
  simulate: {
    method: "POST",
    path: "/api/simulate",
    summary: "Seeded runs of a loadout with agents that misbehave.",
  },
  openapi: { method: "GET", path: "/api/openapi.json", summary: "This table as an OpenAPI document." },
};
