/** Every verb of the command line, in the order in which the help lists them. A verb's own module loads when it is called. */

import type { Flag, Verb } from "./verb.ts";

const AGENTS: readonly Flag[] = [
  ["--agent <name>", "who takes the turns of agents (known: scripted)"],
  ["--script <file>", "play this script in place of every agent"],
];
const BUDGET: Flag = ["--budget <limits>", "the most that it may use: tokens=2M,usd=5,time=1h"];
const DURABILITY: Flag = ["--durability <mode>", "when events are on disk: sync (default), async or exit"];
const DETACH: Flag = ["--detach", "record it and return; `baton resume` goes on"];
const GOES_ON: readonly Flag[] = [DETACH, ...AGENTS, DURABILITY];

export const VERBS: readonly Verb[] = [
  {
    usage: "demo",
    summary: "an offline tour in a minute: a loop, a rework and an approval; no key, no account",
    flags: [["--yes", "approve without asking"]],
    examples: ["baton demo"],
    load: async () => (await import("./commands/demo.ts")).demo,
  },
  {
    usage: "run <definition> [task...]",
    summary: "run a loadout (file or name), or a module that exports a compiled StateGraph",
    flags: [
      ["--input <key=value>", "an input; the value is JSON where it parses, else text", "repeatable"],
      ["--input-file <file>", "all inputs as one JSON object; - is standard input"],
      ...AGENTS,
      BUDGET,
      ["--run-id <id>", "the id of the run; made up when absent"],
      DURABILITY,
      DETACH,
      ["--yes", "trust the definition without asking"],
    ],
    examples: [
      'baton run loadout.json "Add a health check" --script script.json',
      "baton run graph.ts --input topic=bees",
    ],
    notes: "The words of the task are joined with spaces.",
    load: async () => (await import("./commands/run.ts")).run,
  },
  {
    usage: "check <definition>",
    summary: "say everything that is wrong with a definition, and whether it ends",
    flags: [],
    examples: ["baton check loadout.json", "baton check loadout.json --json"],
    load: async () => (await import("./commands/check.ts")).check,
  },
  {
    usage: "graph <definition>",
    summary: "draw a definition as a Mermaid diagram (--json: as nodes and edges)",
    flags: [],
    examples: ["baton graph loadout.json"],
    load: async () => (await import("./commands/graph.ts")).graph,
  },
  {
    usage: "runs",
    summary: "list runs, last changed first",
    flags: [
      ["--status <status>", "only running, waiting, paused, completed, failed or cancelled ones"],
      ["--limit <count>", "at most so many (default 50)"],
    ],
    examples: ["baton runs", "baton runs --status waiting --json"],
    load: async () => (await import("./commands/runs.ts")).runs,
  },
  {
    usage: "show <run>",
    summary: "show how a run stands and what it made",
    flags: [],
    examples: ["baton show k3f9", "baton show k3f9 --json"],
    load: async () => (await import("./commands/show.ts")).show,
  },
  {
    usage: "events <run>",
    summary: "print what happened, line by line",
    flags: [["-f, --follow", "go on until the run is over or waits for a person"]],
    examples: ["baton events k3f9 -f", "baton events k3f9 --jsonl"],
    load: async () => (await import("./commands/events.ts")).events,
  },
  {
    usage: "why <run>",
    summary: "say in one sentence what a run is waiting for, and what helps",
    flags: [],
    examples: ["baton why k3f9"],
    load: async () => (await import("./commands/why.ts")).why,
  },
  {
    usage: "answer <run> <question-or-value> [value]",
    summary: "answer a question (without its id when exactly one is open) and go on",
    flags: GOES_ON,
    examples: ["baton answer k3f9 blue", "baton answer k3f9 4/Socket-2:0 '{\"ok\": true}'"],
    notes: "The value is JSON where it parses, else text. Put quotes around several words.",
    load: async () => (await import("./commands/answer.ts")).answer,
  },
  {
    usage: "approve <run> [question]",
    summary: "say yes to what a run asks for, and go on",
    flags: [["--edit <json>", "the arguments as they should be instead"], ...GOES_ON],
    examples: ["baton approve k3f9", 'baton approve k3f9 --edit \'{"path": "notes.md"}\''],
    load: async () => (await import("./commands/answer.ts")).approve,
  },
  {
    usage: "deny <run> [question]",
    summary: "say no to what a run asks for, and go on",
    flags: [["--reason <text>", "why, for whoever asked"], ...GOES_ON],
    examples: ['baton deny k3f9 --reason "Not on a Friday"'],
    load: async () => (await import("./commands/answer.ts")).deny,
  },
  {
    usage: "pause <run>",
    summary: "open no new step of a run; what is in hand settles",
    flags: [],
    examples: ["baton pause k3f9"],
    load: async () => (await import("./commands/control.ts")).pause,
  },
  {
    usage: "resume <run>",
    summary: "go on with a run that was paused, failed, killed or only recorded",
    flags: [BUDGET, ...GOES_ON],
    examples: ["baton resume k3f9", "baton resume k3f9 --budget tokens=4M"],
    load: async () => (await import("./commands/resume.ts")).resume,
  },
  {
    usage: "cancel <run>",
    summary: "end a run for good; whoever drives it stops its tasks",
    flags: [["--reason <text>", "why, for whoever looks at the run"]],
    examples: ["baton cancel k3f9"],
    load: async () => (await import("./commands/control.ts")).cancel,
  },
  {
    usage: "trust <definition>",
    summary: "allow a loadout that came with a repository to run its commands",
    flags: [],
    examples: ["baton trust loadout.json"],
    load: async () => (await import("./commands/trust.ts")).trust,
  },
];
