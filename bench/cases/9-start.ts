/** Case 9: what it takes to begin: an import, a command, an installation. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { runNode } from "../harness/child.ts";
import { type Contender, contest, type Timings } from "../harness/contest.ts";
import { installedWith } from "../harness/installed.ts";
import { probe } from "../harness/probe.ts";
import { atLeast, atMost, type Case, type Row } from "../harness/report.ts";
import { exactly, type Spread, spreadOf } from "../harness/spread.ts";
import { type Stage, setStage } from "../harness/stage.ts";

const ROUNDS = 11;
/** Milliseconds. */
const LIMIT = 20_000;
const MIB = 2 ** 20;

const BARE = "node -e 0";
const HELP = "baton --help";
const RUN = "baton run";

export const start: Case = {
  title: "9. Import, cold start, installation",
  about:
    "Fresh processes in turns. The package is built and laid out as an installation has it, and its code cache is warm, as it is from the second start on. `baton run` plays a loadout of one socket by a script, in a folder of its own. Memory is the resident set after the import. Sizes are those of the files of a package and of all that it needs.",
  async run() {
    const stage = setStage();
    const imports = await measureImports({
      bare: [],
      Baton: [pathToFileURL(join(stage.baton, "dist/index.js")).href],
      "LangGraph.js": ["@langchain/langgraph"],
    });
    const commands = await measureCommands(stage);
    const baton = installedWith(join(stage.folder, "node_modules"), ["batonjs"]);
    const peer = installedWith(join(import.meta.dirname, "../node_modules"), ["@langchain/langgraph"]);
    return {
      rows: [
        ...imports.rows,
        ...commands.names.map((what) => ({ what, value: inMilliseconds(commands.of(what)), unit: "ms" })),
        { what: "Baton, installed packages", value: exactly(baton.packages), unit: "" },
        { what: "LangGraph.js, installed packages", value: exactly(peer.packages), unit: "" },
        { what: "Baton, installed", value: exactly(baton.bytes / MIB), unit: "MiB" },
        { what: "LangGraph.js, installed", value: exactly(peer.bytes / MIB), unit: "MiB" },
      ],
      figures: [
        atMost("`baton --help` to a bare node", commands.ratio(HELP, BARE), 1.6),
        atLeast("faster import than LangGraph.js", imports.faster, 1),
        atLeast("smaller than LangGraph.js", exactly(peer.bytes / baton.bytes), 1),
      ],
    };
  },
};

interface Imported {
  readonly milliseconds: number;
  readonly rss: number;
}

async function measureImports(
  doors: Readonly<Record<string, readonly string[]>>,
): Promise<{ readonly rows: Row[]; readonly faster: Spread }> {
  const samples = new Map<string, Imported[]>();
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, args] of Object.entries(doors)) {
      const imported = JSON.parse(await probe("import.ts", args)) as Imported; // what the probe prints
      samples.set(name, [...(samples.get(name) ?? []), imported]);
    }
  }
  const of = (name: string, key: keyof Imported) => (samples.get(name) ?? []).map((sample) => sample[key]);
  const rss = (name: string) => spreadOf(of(name, "rss").map((bytes) => bytes / MIB));
  const theirs = of("LangGraph.js", "milliseconds");
  const ratios = of("Baton", "milliseconds").map((time, round) => (theirs[round] as number) / time);
  return {
    rows: [
      ...["Baton", "LangGraph.js"].map((name): Row => {
        return { what: `${name}, import`, value: spreadOf(of(name, "milliseconds")), unit: "ms" };
      }),
      { what: "a bare process, memory", value: rss("bare"), unit: "MiB" },
      { what: "Baton, memory", value: rss("Baton"), unit: "MiB" },
      { what: "LangGraph.js, memory", value: rss("LangGraph.js"), unit: "MiB" },
    ],
    faster: spreadOf(ratios),
  };
}

function measureCommands({ folder, baton }: Stage): Promise<Timings> {
  const bin = join(baton, "bin/baton.js");
  writeFileSync(join(folder, "loadout.json"), JSON.stringify(LOADOUT));
  writeFileSync(join(folder, "script.json"), JSON.stringify({ Only: ["Done."] }));
  const run = [bin, "run", "loadout.json", "Do it.", "--script", "script.json", "--yes"];
  return contest(
    [command(BARE, ["-e", "0"]), command(HELP, [bin, "--help"], folder), command(RUN, run, folder)],
    {
      rounds: ROUNDS,
      result: "ended well",
    },
  );
}

function command(name: string, args: readonly string[], cwd?: string): Contender {
  return {
    name,
    units: 1,
    run: async () => {
      const { stdout } = await runNode(args, { limit: LIMIT, ...(cwd !== undefined && { cwd }) });
      return stdout === undefined ? "took too long" : "ended well";
    },
  };
}

function inMilliseconds({ median, low, high }: Spread): Spread {
  return { median: median / 1000, low: low / 1000, high: high / 1000 };
}

const LOADOUT = {
  name: "Trivial",
  entry: "Socket-1",
  sockets: { "Socket-1": { materia: "Only" } },
  materia: { Only: { prompt: "Work.", tools: "none" } },
};
