/** What the golden logs are replayed with. */
import type { Graph } from "../../src/dialects/graph/graph.ts";
import { graphPrograms, type ProgramFor, recordedPrograms } from "../../src/history.ts";
import { systemMachine } from "../../src/stategraph/timer.ts";
import { stateGraph } from "../faults/scenarios.ts";

const { graph } = stateGraph(() => {}).compile();
const bind = (inner: Graph) =>
  inner.programFor({ configurable: {}, context: undefined, machine: systemMachine });

/** Without its handlers: what they say may get better, what the kernel makes of it stays. */
const byKernel = (programFor: ProgramFor): ProgramFor => {
  return (wanted) => {
    const found = programFor(wanted);
    return found && { program: found.program };
  };
};

/** Every golden log, and where its program comes from. */
export const GOLDEN: Readonly<Record<string, ProgramFor>> = {
  graph: graphPrograms(graph, bind),
  loadout: byKernel(recordedPrograms),
  inbox: recordedPrograms,
};
