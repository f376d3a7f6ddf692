/** The verbs of definitions: what is done with a file before there is a run of it, and its start. */

import type { Verb } from "../verb.ts";
import { AGENTS, ASSUME, BUDGET, CONFIG, DETACH, DURABILITY, INPUT, INPUT_FILE } from "./flags.ts";

export const OF_DEFINITIONS: readonly Verb[] = [
  {
    usage: "demo",
    summary: "an offline tour in a minute: a loop, a rework and an approval; no key, no account",
    flags: [["--yes", "approve without asking"]],
    examples: ["baton demo"],
    load: async () => (await import("../commands/demo.ts")).demo,
  },
  {
    usage: "init [folder]",
    summary: "write a small loadout, a script that plays it offline, and the schema for your editor",
    flags: [],
    examples: ["baton init", "baton init flows"],
    load: async () => (await import("../commands/init.ts")).init,
  },
  {
    usage: "run <definition> [task...]",
    summary: "run a loadout (file or name), an inbox graph, or a module that exports a compiled StateGraph",
    flags: [
      INPUT,
      INPUT_FILE,
      [
        "--message <node=text>",
        "a message to a node of an inbox graph, which needs at least one",
        "repeatable",
      ],
      ...AGENTS,
      BUDGET,
      ASSUME,
      ["--limit <count>", "the most supersteps of a StateGraph"],
      ["--run-id <id>", "the id of the run; made up when absent"],
      CONFIG,
      DURABILITY,
      DETACH,
      ["--yes", "trust the definition, and a budget below its cost ceiling, without asking"],
    ],
    examples: [
      'baton run loadout.json "Add a health check" --script script.json',
      'baton run team.json --message "lead=Add a sign-up" --script script.json',
      "baton run graph.ts --input topic=bees --limit 50",
    ],
    notes: "The words of the task are joined with spaces.",
    load: async () => (await import("../commands/run.ts")).run,
  },
  {
    usage: "check <definition>",
    summary: "say everything that is wrong with a definition, and whether it ends",
    flags: [ASSUME, CONFIG],
    examples: [
      "baton check loadout.json --json",
      "baton check loadouts/",
      "baton check loadout.json --assume items=20,tokens-per-turn=30k,usd-per-mtok=3",
    ],
    load: async () => (await import("../commands/check.ts")).check,
  },
  {
    usage: "simulate <definition>",
    summary: "play a loadout many times with agents that a seed decides on, and show which laws break",
    flags: [
      ["--runs <count>", "how many runs (default 100)"],
      ["--seed <text>", "what decides everything; the same seed gives the same report"],
      ["--items <count>", "the most items of a list (default 3)"],
      ["--invariants <file>", "the laws: a JSON file, or a module whose functions each are one"],
      ["--out <file>", "write the shortest script that breaks a law, for `run --script`"],
      INPUT,
      INPUT_FILE,
      CONFIG,
    ],
    examples: ["baton simulate loadout.json --runs 1000 --invariants laws.json --out broken.json"],
    notes: "It exits with 1 when a law was broken. Nothing outside of memory is touched.",
    load: async () => (await import("../commands/simulate.ts")).simulate,
  },
  {
    usage: "graph <definition>",
    summary: "draw a definition as a Mermaid diagram (--json: as nodes and edges)",
    flags: [CONFIG],
    examples: ["baton graph loadout.json"],
    load: async () => (await import("../commands/graph.ts")).graph,
  },
];
