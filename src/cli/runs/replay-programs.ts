/** The programs that a run is replayed with: its own, or those of a definition that was changed since. */

import type { RunId } from "../../base/names.ts";
import { recordedInbox } from "../../history/recorded-inbox.ts";
import { recordedLoadout } from "../../history/recorded-loadout.ts";
import { graphPrograms, type ProgramFor, recordedPrograms } from "../../history/replay-program.ts";
import type { Journal, RunHead } from "../../run/journal.ts";
import { loadStateAt } from "../../run/load.ts";
import { Misuse } from "../misuse.ts";
import type { Options } from "../verb.ts";
import { readBeginning } from "./request.ts";
import { readSource } from "./source.ts";

/** What each dialect calls itself, by the kind of its source. */
const DIALECTS = { module: "graph", loadout: "loadout", inbox: "inbox" } as const;

/** Finds the programs of a run and its children. A StateGraph is code, so its module has to be there still. */
export async function replayPrograms(head: RunHead, journal: Journal, options: Options): Promise<ProgramFor> {
  if (options.with !== undefined) return changedPrograms(head, journal, options);
  if (head.program.dialect !== "graph") return recordedPrograms;
  const { request } = await readBeginning(journal, head.run);
  return modulePrograms(request.file, head.run);
}

async function changedPrograms(
  { run, program }: RunHead,
  journal: Journal,
  options: Options,
): Promise<ProgramFor> {
  const { with: file = "" } = options;
  const source = readSource(file, options);
  if (DIALECTS[source.kind] !== program.dialect) {
    throw new Misuse("usage", `Run ${run} is of the dialect ${program.dialect}, and ${file} is not.`);
  }
  switch (source.kind) {
    case "module":
      return modulePrograms(source.path, run);
    case "loadout": {
      const { definitionOf } = await import("./loadout-runs.ts");
      const changed = recordedLoadout(definitionOf(source).definition);
      return (wanted) => (wanted.run === run ? changed : recordedPrograms(wanted));
    }
    case "inbox": {
      const { definitionOf } = await import("./inbox-runs.ts");
      const { definition } = definitionOf(source);
      // What it leaves open is as the run had settled it last: edits may have brought nodes that it began without.
      const { plan } = await loadStateAt(journal, run, Number.POSITIVE_INFINITY);
      return (wanted) => {
        if (wanted.run !== run) return recordedPrograms(wanted);
        return recordedInbox(definition, { plan });
      };
    }
  }
}

async function modulePrograms(path: string, run: RunId): Promise<ProgramFor> {
  const { graphProgram, loadGraph } = await import("./graph-runs.ts");
  return graphPrograms(await loadGraph({ path }), (graph) => graphProgram(graph, run));
}
