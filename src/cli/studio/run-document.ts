/**
 * The document of a run: its line, its result, and what a page needs to draw it and to say what helps.
 *
 * 1. A page asks again whenever a run moves on: the logs that were read last are kept, and only what is new is read.
 */

import type { Json } from "../../base/json.ts";
import type { RunId } from "../../base/names.ts";
import type { Event } from "../../kernel/event.ts";
import { evolve } from "../../kernel/evolve.ts";
import { emptyState, openQuestions, type RunState } from "../../kernel/state.ts";
import type { RunDocument, RunLine } from "../../protocol/studio.ts";
import type { Journal, RunHead } from "../../run/journal.ts";
import { readEvents } from "../../run/load.ts";
import { namesIn } from "../../views/labels.ts";
import type { Dialect } from "../runs/dialect.ts";
import { dialectOf } from "../runs/dialects.ts";
import { type Account, accountOf } from "../runs/result.ts";
import { driverOf } from "../runs/seat.ts";
import type { Store } from "../runs/store.ts";
import { wantsNews, whySentence } from "../terminal/next-call.ts";
import { takesDecision } from "./question-document.ts";

/** How many logs are kept. */
const MOST_LOGS = 4;

interface Log {
  readonly startedAt: number;
  readonly state: RunState;
  readonly events: Event[];
  origin: Origin;
}

interface Origin {
  readonly definition: Json;
  readonly request: Json;
  readonly forkedFrom: RunDocument["forkedFrom"];
}

export class RunDocuments {
  readonly #store: Store;
  readonly #logs: Map<RunId, Log> = new Map();

  constructor(store: Store) {
    this.#store = store;
  }

  /** The document of a run whose line is known. */
  async of(head: RunHead, line: RunLine): Promise<RunDocument> {
    const { state, events, origin } = await this.#read(head);
    const account = await accountOf(state, events);
    const { result, decision } = account;
    const dialect = await dialectOf(head.program);
    const { maxTokens = null, maxCostUsd = null } = dialect.watch().glance(state).budget ?? {};
    return {
      ...line,
      ...{ status: result.status, reason: result.reason, usage: result.usage },
      questions: result.questions.length,
      seq: state.seq,
      result,
      definition: origin.definition,
      drawing: state.plan.drawing ?? null,
      request: origin.request,
      budget: { maxTokens, maxCostUsd },
      because: decision?.sentence ?? null,
      waitsFor: waitsFor(account, line.driver, { dialect, folder: this.#store.folder }),
      children: await childrenOf(this.#store.journal, head),
      forkedFrom: origin.forkedFrom,
    };
  }

  /** The whole log (1). */
  async #read({ run, startedAt }: RunHead): Promise<Log> {
    const kept = this.#logs.get(run);
    const log: Log =
      kept?.startedAt === startedAt
        ? kept
        : {
            ...{ startedAt, state: emptyState(run), events: [] },
            origin: { definition: null, request: null, forkedFrom: null },
          };
    this.#logs.delete(run);
    for await (const event of readEvents(this.#store.journal, run, log.state.seq)) {
      if (event.seq !== log.state.seq + 1) continue; // another request for the same run was faster
      evolve(log.state, event);
      log.events.push(event);
      log.origin = { ...log.origin, ...originIn(event) };
    }
    this.#logs.set(run, log);
    for (const oldest of this.#logs.keys()) if (this.#logs.size > MOST_LOGS) this.#logs.delete(oldest);
    return log;
  }
}

/** What an event says of where a run came from; what came last counts. */
function originIn(event: Event): Partial<Origin> {
  switch (event.type) {
    case "run.started": {
      const { definition, request } = event;
      return { ...(definition !== undefined && { definition }), ...(request !== undefined && { request }) };
    }
    case "plan.amended":
      return event.definition === undefined ? {} : { definition: event.definition };
    case "run.forked":
      return { forkedFrom: event.from };
    default:
      return {};
  }
}

function waitsFor(
  { state, result }: Account,
  driver: RunDocument["driver"],
  { dialect, folder }: { readonly dialect: Dialect; readonly folder: string | undefined },
): RunDocument["waitsFor"] {
  if (result.status === "completed" || result.status === "cancelled") return null;
  const live = [...state.ready.values()].map(({ node }) => node);
  const pid = driverOf(folder, result.run);
  const nameOf = namesIn(state.plan.drawing);
  const sentence = whySentence(
    { ...result, message: state.message },
    { driver: pid, live, nameOf, tellsIds: false },
  );
  const takesAll = openQuestions(state).every(({ question }) => takesDecision(question, dialect));
  const verb = result.status === "waiting" && takesAll ? "approve" : verbFor(result, state, driver);
  return { sentence, verb };
}

/** The verb that helps. */
function verbFor(
  { status, reason }: RunDocument["result"],
  state: RunState,
  driver: RunDocument["driver"],
): NonNullable<RunDocument["waitsFor"]>["verb"] {
  switch (status) {
    case "waiting":
      return "answer";
    case "paused":
      return wantsNews(reason) ? "send" : "resume";
    case "failed":
      return state.plan.onFailure === "hold" ? "retry" : "resume";
    case "running":
      return driver === null ? "resume" : null;
    default:
      return null;
  }
}

async function childrenOf(journal: Journal, { run }: RunHead): Promise<readonly string[]> {
  const below = await journal.runs({ prefix: `${run}/`, children: true });
  return below.map((child) => child.run).toSorted(byName);
}

/** In the order in which people count: `WI-2` before `WI-10`. */
const { compare: byName } = new Intl.Collator("en", { numeric: true });
