/** The verbs of the past: going on from it elsewhere, checking it, comparing it, carrying it away. */

import type { Verb } from "../verb.ts";
import { CONFIG, RUN_ID } from "./flags.ts";

export const OF_HISTORY: readonly Verb[] = [
  {
    usage: "fork <run>",
    summary:
      "make a run that has the past of another one up to a moment, and its files in a folder of its own",
    flags: [
      ["--at <seq>", "the last event that both share; the whole past when absent"],
      [
        "--edit <key=value>",
        "change the state that it begins with: topic=bees, state.workItems.0=x",
        "repeatable",
      ],
      RUN_ID,
    ],
    examples: ["baton fork k3f9 --at 42 --edit topic=bees"],
    load: async () => (await import("../commands/history.ts")).fork,
  },
  {
    usage: "replay <run>",
    summary: "decide everything in a run again over its recorded outcomes, without agents or commands",
    flags: [
      ["--until <seq>", "stop after this event"],
      ["--with <file>", "under a changed definition: where would it have gone differently?"],
      [
        "--rerun",
        "call the node functions of a StateGraph again and compare; what they do besides is done again",
      ],
      CONFIG,
    ],
    examples: [
      "baton replay k3f9",
      "baton replay k3f9 --with loadout.json",
      "baton replay k3f9 --rerun --with graph.ts",
    ],
    notes: "It exits with 7 at the first difference, and says what differs.",
    load: async () => (await import("../commands/history.ts")).replay,
  },
  {
    usage: "diff <run> <other>",
    summary: "compare two runs: where they went apart, and what each came to",
    flags: [],
    examples: ["baton diff k3f9 m2x7", "baton diff k3f9 m2x7 --json"],
    load: async () => (await import("../commands/history.ts")).diff,
  },
  {
    usage: "export <run>",
    summary: "write a run with everything that it needs to one file",
    flags: [
      ["--out <file>", "where to; - is standard output (default: the run's id and .baton)"],
      ["--redact", "take out what looks like a key or a token"],
      ["--redact-field <name>", "take out the values of fields with this name", "repeatable"],
    ],
    examples: ["baton export k3f9 --redact --redact-field password"],
    load: async () => (await import("../commands/bundle.ts")).exportBundle,
  },
  {
    usage: "import <file>",
    summary: "verify such a file and take its run into the database",
    flags: [RUN_ID],
    examples: ["baton import k3f9.baton", "baton import k3f9.baton --run-id copy"],
    notes: "A damaged file is refused as a whole (exit 7). - is standard input.",
    load: async () => (await import("../commands/bundle.ts")).importBundle,
  },
];
