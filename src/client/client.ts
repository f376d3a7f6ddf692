/**
 * The client of a studio: one method for each row of its routes, in a browser and in Node alike.
 *
 * 1. A row without a method does not compile.
 */

import type { AnswerOf } from "../protocol/answers.ts";
import type {
  ForkRequest,
  RunVerb,
  SaveRequest,
  SimulateRequest,
  StartRequest,
} from "../protocol/requests.ts";
import { ROUTES, type RouteName } from "../protocol/routes.ts";
import type { FeedMessage, RunLine, StreamMessage } from "../protocol/studio.ts";
import { type Following, follow, followRun } from "./follow.ts";
import { StudioError } from "./studio-error.ts";

/** Where the studio is, and what opens it. */
export interface ClientOptions {
  /** Where the studio is, such as `http://127.0.0.1:4747`; in a page of the studio the empty string. */
  readonly baseUrl: string;
  /** Needed where there is no cookie. */
  readonly token?: string;
  /** Makes the requests; the `fetch` of the platform when absent. */
  readonly fetch?: typeof fetch;
}

export interface RunsFilter {
  readonly status?: RunLine["status"];
  readonly search?: string;
  readonly dialect?: string;
  /** From 1 to 500; 50 when absent. */
  readonly limit?: number;
  readonly cursor?: string;
}

export interface VisitsFilter {
  /** Visits of any of them. */
  readonly nodes: readonly string[];
  /** Only visits that were opened before this event; the end of the log when absent. */
  readonly before?: number;
  /** From 1 to 100; 20 when absent. */
  readonly limit?: number;
}

export interface FollowOptions {
  /** The sequence number of the last event that is known; 0 when absent. */
  readonly after?: number;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/**
 * A studio from elsewhere, made by `createClient`. A method rejects with a `StudioError` when the studio says no, and with
 * what `fetch` rejects with when it is not there. Runs are named by their whole ids.
 */
export interface Client {
  project(): Promise<AnswerOf<"project">>;
  runs(filter?: RunsFilter): Promise<AnswerOf<"runs">>;
  start(request: StartRequest): Promise<AnswerOf<"start">>;
  /** Goes on through every break of the connection, until the signal fires. */
  feed(options: Pick<FollowOptions, "signal">): AsyncIterable<FeedMessage>;
  run(run: string): Promise<AnswerOf<"run">>;
  events(
    run: string,
    page?: { readonly after?: number; readonly limit?: number },
  ): Promise<AnswerOf<"events">>;
  /** Goes on through every break of the connection, until the signal fires: no event is lost, and none told twice. */
  stream(run: string, options: FollowOptions): AsyncIterable<StreamMessage>;
  moment(run: string, seq: number): Promise<AnswerOf<"moment">>;
  /** Past visits of nodes, newest first. */
  visits(run: string, filter: VisitsFilter): Promise<AnswerOf<"visits">>;
  command(run: string, verb: RunVerb): Promise<AnswerOf<"command">>;
  fork(run: string, request?: ForkRequest): Promise<AnswerOf<"fork">>;
  diff(run: string, other: string): Promise<AnswerOf<"diff">>;
  questions(): Promise<AnswerOf<"questions">>;
  text(ref: string): Promise<AnswerOf<"text">>;
  definitions(): Promise<AnswerOf<"definitions">>;
  definition(path: string): Promise<AnswerOf<"definition">>;
  save(path: string, request: SaveRequest): Promise<AnswerOf<"save">>;
  /** Of a module, which is run for it where it may be. */
  drawing(path: string): Promise<AnswerOf<"drawing">>;
  check(request: { readonly text: string; readonly path?: string }): Promise<AnswerOf<"check">>;
  simulate(request: SimulateRequest): Promise<AnswerOf<"simulate">>;
  openapi(): Promise<AnswerOf<"openapi">>;
}

/** (1) */
type Methods = { readonly [Row in RouteName]: Client[Row] };

/** A client of the studio at an address. Every method throws a `StudioError` for what the studio refuses. */
export function createClient(options: ClientOptions): Client {
  const json = async <Row extends RouteName>(name: Row, call?: RouteCall): Promise<AnswerOf<Row>> =>
    (await (await ask(options, name, call)).json()) as AnswerOf<Row>; // what the protocol says of the route
  const opens = (name: RouteName, parts: readonly string[]): Following["open"] => {
    return (lastId, signal) =>
      ask(options, name, {
        parts,
        signal,
        ...(lastId !== undefined && { headers: { "last-event-id": lastId } }),
      });
  };
  const methods: Methods = {
    project: () => json("project"),
    runs: (filter = {}) => json("runs", { query: { ...filter } }),
    start: (body) => json("start", { body }),
    feed: ({ signal }) => follow<FeedMessage>({ open: opens("feed", []), signal }),
    run: (run) => json("run", { parts: [run] }),
    events: (run, page = {}) => json("events", { parts: [run], query: { ...page } }),
    stream: (run, { after = 0, signal }) => followRun({ open: opens("stream", [run]), signal }, after),
    moment: (run, seq) => json("moment", { parts: [run, String(seq)] }),
    visits: (run, { nodes, ...page }) => json("visits", { parts: [run], query: { ...page, node: nodes } }),
    command: (run, body) => json("command", { parts: [run], body }),
    fork: (run, body = {}) => json("fork", { parts: [run], body }),
    diff: (run, other) => json("diff", { parts: [run, other] }),
    questions: () => json("questions"),
    text: async (ref) => (await ask(options, "text", { parts: [ref] })).text(),
    definitions: () => json("definitions"),
    definition: (path) => json("definition", { parts: [path] }),
    save: (path, body) => json("save", { parts: [path], body }),
    drawing: (path) => json("drawing", { parts: [path] }),
    check: (body) => json("check", { body }),
    simulate: (body) => json("simulate", { body }),
    openapi: () => json("openapi"),
  };
  return methods;
}

interface RouteCall {
  /** What stands for `:run` and so on, in order, and last for `*`. */
  readonly parts?: readonly string[];
  readonly query?: Readonly<Record<string, string | number | readonly string[] | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly signal?: AbortSignal;
}

async function ask(
  { baseUrl, token, fetch: send = fetch }: ClientOptions,
  name: RouteName,
  call: RouteCall = {},
) {
  const { headers, body, signal } = call;
  const response = await send(baseUrl + addressOf(name, call), {
    method: ROUTES[name].method,
    headers: {
      ...headers,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  if (!response.ok) throw await StudioError.of(response);
  return response;
}

/** The address of a route with its parts filled in. */
function addressOf(name: RouteName, { parts = [], query = {} }: RouteCall): string {
  const left = [...parts];
  const path = ROUTES[name].path.replace(/:\w+|\*$/g, (place) => {
    const part = left.shift() ?? "";
    return place === "*" ? part.split("/").map(encodeURIComponent).join("/") : encodeURIComponent(part);
  });
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined) search.append(key, String(one));
    }
  }
  return search.size === 0 ? path : `${path}?${search}`;
}
