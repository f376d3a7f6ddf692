/** The programs that a run is replayed with: its own, or those of a definition that was changed since. */

import { existsSync } from "node:fs";
import type { Caller } from "../../history/replay/gone-caller.ts";
import { recordedInbox } from "../../history/replay/recorded-inbox.ts";
import { recordedLoadout } from "../../history/replay/recorded-loadout.ts";
import {
  graphPrograms,
  logPrograms,
  type ProgramFor,
  recordedPrograms,
  rerunPrograms,
} from "../../history/replay/replay-program.ts";
import type { Journal, RunHead } from "../../run/journal.ts";
import { loadStateAt } from "../../run/load.ts";
import { Misuse } from "../misuse.ts";
import type { Options } from "../verb.ts";
import { type RunRequest, requestIn } from "./request.ts";
import { readSource } from "./source.ts";
import type { Store } from "./store.ts";
import { isForeign } from "./trust-again.ts";

/** What each dialect calls itself, by the kind of its source. */
const DIALECTS = { module: "graph", loadout: "loadout", inbox: "inbox" } as const;

export interface Found {
  readonly programFor: ProgramFor;
  /** One sentence that says what was not asked again, and what helps. */
  readonly hint?: string;
}

/**
 * Finds the programs of a run and its children. A StateGraph is code: without its module, what the log tells of it is
 * decided again. Refuses to rerun what has no node functions, or none at hand.
 */
export async function replayPrograms(head: RunHead, store: Store, options: Options): Promise<Found> {
  const { journal } = store;
  const isGraph = head.program.dialect === "graph";
  if (options.rerun && !isGraph) {
    const hint = "Replay it without --rerun: what its nodes decide is decided again in any case.";
    throw new Misuse("usage", `Run ${head.run} has no node functions.`, { hint });
  }
  if (options.with !== undefined) return changedPrograms(head, journal, options);
  if (!isGraph) return { programFor: recordedPrograms };
  const request = await requestOf(journal, head);
  const why = await whyWithout(request, head, { store, options });
  if (request !== undefined && why === undefined) return modulePrograms(head, request, options);
  const help = "--with <file> names another one.";
  if (options.rerun) {
    throw new Misuse("not_found", `No node function can be called, since ${why}.`, { hint: help });
  }
  const hint = `Node functions, conditional edges and reducers were taken as recorded, since ${why}. ${help}`;
  return { programFor: logPrograms, hint };
}

/** Why the module of a run is not loaded, if it is not. */
async function whyWithout(
  request: RunRequest | undefined,
  { run }: RunHead,
  { store, options }: { readonly store: Store; readonly options: Options },
): Promise<string | undefined> {
  if (request === undefined) return `run ${run} was started by a program of its own`;
  if (!existsSync(request.file)) return `its module is not here: ${request.file}`;
  // What a log from elsewhere names is loaded by nobody who only looks at it.
  return (await isForeign(store, run, options)) ? `run ${run} was started elsewhere` : undefined;
}

/** What the root of a run's family was started with. */
async function requestOf(journal: Journal, head: RunHead): Promise<RunRequest | undefined> {
  let root: RunHead | undefined = head;
  for (; root?.parent !== undefined; root = await journal.head(root.parent.run));
  const [first] = root === undefined ? [] : await journal.read(root.run, 0, 1);
  return requestIn(first);
}

async function changedPrograms(head: RunHead, journal: Journal, options: Options): Promise<Found> {
  const { run, program } = head;
  const { with: file = "" } = options;
  const source = readSource(file, options);
  if (DIALECTS[source.kind] !== program.dialect) {
    throw new Misuse("usage", `Run ${run} is of the dialect ${program.dialect}, and ${file} is not.`);
  }
  switch (source.kind) {
    case "module":
      return modulePrograms(head, { file: source.path, cwd: process.cwd() }, options);
    case "loadout": {
      const { definitionOf } = await import("./loadout-runs.ts");
      const changed = recordedLoadout(definitionOf(source).definition);
      return { programFor: (wanted) => (wanted.run === run ? changed : recordedPrograms(wanted)) };
    }
    case "inbox": {
      const { definitionOf } = await import("./inbox-runs.ts");
      const { definition } = definitionOf(source);
      // What it leaves open is as the run had settled it last: edits may have brought nodes that it began without.
      const { plan } = await loadStateAt(journal, run, Number.POSITIVE_INFINITY);
      return {
        programFor: (wanted) =>
          wanted.run === run ? recordedInbox(definition, { plan }) : recordedPrograms(wanted),
      };
    }
  }
}

/** What the command line passes to a graph, which is all that there is to know of its caller. */
const CALLER: Caller = { configurable: {}, context: undefined };

/** Nodes that are called again find themselves in the folder that they ran in. */
async function modulePrograms(
  { run }: RunHead,
  { file, cwd }: Pick<RunRequest, "file" | "cwd">,
  options: Options,
): Promise<Found> {
  const { graphProgram, loadGraph } = await import("./graph-runs.ts");
  const graph = await loadGraph({ path: file });
  if (options.rerun) {
    if (existsSync(cwd)) process.chdir(cwd);
    return { programFor: rerunPrograms(graph, CALLER) };
  }
  const programFor = graphPrograms(graph, (inner, isChild) => graphProgram(inner, run, isChild), CALLER);
  const hint =
    "Node functions were taken as recorded, as they may have effects: --rerun calls them again and compares.";
  return { programFor, hint };
}
