/** The studio, put together: its port, answered by what the other files of this folder do. */

import { basename } from "node:path";
import type { RunId } from "../../base/names.ts";
import { Refusal } from "../../base/refusal.ts";
import { diffRuns } from "../../history/diff/diff.ts";
import type { Edit } from "../../history/fork/edit.ts";
import type { AnswerOf } from "../../protocol/answers.ts";
import type { ForkRequest, RunVerb } from "../../protocol/requests.ts";
import type { QuestionDocument, RunLine } from "../../protocol/studio.ts";
import type { Journal, RunHead } from "../../run/journal.ts";
import { Problem } from "../../server/problem.ts";
import type { Live, Studio } from "../../server/studio.ts";
import { Misuse } from "../misuse.ts";
import { forkWithFiles } from "../runs/fork-files.ts";
import { newId } from "../runs/start.ts";
import { version } from "../version.ts";
import { Conductor } from "./conductor.ts";
import { Definitions } from "./definitions.ts";
import { Moments } from "./moments.ts";
import { pastVisits } from "./past-visits.ts";
import type { Premises } from "./premises.ts";
import { ProjectFiles } from "./project-files.ts";
import { RunDocuments } from "./run-document.ts";
import { RunLines } from "./run-lines.ts";
import { listRuns } from "./run-list.ts";
import { startRun } from "./starter.ts";
import { carryOut } from "./verbs.ts";

/** How many runs the feed looks at. */
const MOST_LATEST = 100;

export interface Composed {
  readonly studio: Studio;
  readonly conductor: Conductor;
}

/** Puts a studio together. Its conductor does not look for runs yet. */
export function composeStudio(premises: Premises): Composed {
  const { journal } = premises.store;
  const files = new ProjectFiles(premises.folder);
  const lines = new RunLines(journal);
  const documents = new RunDocuments(premises.store);
  const moments = new Moments(journal);
  const definitions = new Definitions(files);
  const conductor = new Conductor(premises);
  const lineOf = async (head: RunHead): Promise<RunLine> => ({
    ...(await lines.line(head)),
    driver: await conductor.driverWithin(head),
  });
  const document = async (run: string): Promise<AnswerOf<"run">> => {
    const head = await lines.head(run);
    return documents.of(head, await lineOf(head));
  };
  const studio: Studio = {
    project: async () => projectOf(premises),
    runs: (query) => listRuns({ journal, lines, lineOf }, query),
    start: (request) => told(async () => document(await startRun({ premises, conductor, files }, request))),
    run: document,
    events: async (run, query) => eventsOf(journal, (await lines.head(run)).run, query),
    moment: async (run, seq) => moments.at((await lines.head(run)).run, seq),
    async visits(run, query) {
      const head = await lines.head(run);
      return pastVisits(journal, head.run, { ...query, seq: await lines.seq(head) });
    },
    command: (run, verb) =>
      told(async () => {
        await carryOut({ premises, conductor, head: await lines.head(run) }, verb as RunVerb);
        return document(run);
      }),
    fork: (run, request) =>
      told(async () => document(await forkOf(premises, (await lines.head(run)).run, request))),
    diff: async (run, other) => diffRuns(journal, (await lines.head(run)).run, (await lines.head(other)).run),
    questions: () => questionsOf(journal, lines),
    text: (ref) => textOf(journal, ref),
    definitions: () => definitions.list(),
    definition: (path) => told(() => definitions.read(path)),
    save: (path, request) => told(() => definitions.save(path, request)),
    drawing: (path) => told(() => definitions.drawing(path)),
    check: (request) => told(() => definitions.check(request)),
    simulate: (request) => told(() => definitions.simulate(request)),
    live: { ...liveOf(premises, lines, conductor), latest: () => latest(journal, lineOf) },
  };
  return { studio, conductor };
}

function projectOf({ folder, options: { db } }: Premises): AnswerOf<"project"> {
  return { name: basename(folder), folder, version: version(), db };
}

/** A page of a log, and after which event the next one begins. */
async function eventsOf(
  journal: Journal,
  run: RunId,
  { after, limit }: Parameters<Studio["events"]>[1],
): Promise<AnswerOf<"events">> {
  const events = await journal.read(run, after, limit + 1);
  const page = events.slice(0, limit);
  return { run, events: page, next: events.length > limit ? (page.at(-1)?.seq ?? null) : null };
}

/** What waits for a person in any run, oldest first. */
async function questionsOf(journal: Journal, lines: RunLines): Promise<AnswerOf<"questions">> {
  const questions: QuestionDocument[] = [];
  for (const status of ["waiting", "running", "paused"] as const) {
    for (const head of await journal.runs({ status })) questions.push(...(await lines.questions(head)));
  }
  return { questions: questions.sort((a, b) => a.askedAt - b.askedAt) };
}

async function textOf(journal: Journal, ref: string): Promise<string> {
  const text = await journal.text(ref);
  if (text === undefined) throw new Problem("not_found", `There is no text ${ref}.`);
  return text;
}

/** The runs that changed last, for the feed. */
async function latest(
  journal: Journal,
  lineOf: (head: RunHead) => Promise<RunLine>,
): Promise<readonly RunLine[]> {
  const lines: RunLine[] = [];
  for (const head of await journal.runs({ limit: MOST_LATEST })) lines.push(await lineOf(head));
  return lines;
}

function liveOf(
  { store: { journal }, bus }: Premises,
  lines: RunLines,
  conductor: Conductor,
): Omit<Live, "latest"> {
  return {
    async requireRun(run) {
      await lines.head(run);
    },
    eventsAfter: async (run, after, limit) => journal.read(run as RunId, after, limit), // it was found before
    driverOf: async (run) => conductor.driverWithin(await lines.head(run)),
    onNews: (run, listener) => bus.subscribe(run, listener),
  };
}

async function forkOf({ store }: Premises, run: RunId, { at, edit = [] }: ForkRequest): Promise<RunId> {
  const wanted = { id: newId(undefined), edit: edit.map(editOf), ...(at !== undefined && { at }) };
  return (await forkWithFiles(store, run, wanted)).run;
}

/** A JSON pointer into the state of a moment begins with the channel. */
function editOf({ pointer, value }: NonNullable<ForkRequest["edit"]>[number]): Edit {
  const [first, channel, ...path] = pointer
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  if (first === "" && channel !== undefined) return { channel, path, value };
  throw new Refusal("invalid_value", `${JSON.stringify(pointer)} is no place in the state: /CHANNEL/KEY/….`);
}

/** What the command line calls a misuse is a problem to a page. */
async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Misuse)) throw error;
    const { code, message, hint, issues } = error;
    throw new Problem(code, message, { ...(hint !== undefined && { hint }), ...(issues && { issues }) });
  }
}
