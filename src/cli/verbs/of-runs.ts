/** The verbs of runs: looking at one, answering it, and steering it. */

import type { Verb } from "../verb.ts";
import { AGENTS, BUDGET, CONFIG, GOES_ON } from "./flags.ts";

export const OF_RUNS: readonly Verb[] = [
  {
    usage: "runs [action]",
    summary: "list runs, last changed first; `runs prune` removes some, `runs vacuum` gives back space",
    flags: [
      ["--status <status>", "only running, waiting, paused, completed, failed or cancelled ones"],
      ["--limit <count>", "at most so many (default 50)"],
      ["--older-than <time>", "prune: only those that changed last before 30d, 12h, …"],
      ["--keep <count>", "prune: keep the newest of those that would go"],
      ["--max-size <size>", "prune: the oldest, until all logs take at most 500M, 2G, …"],
      ["--dry-run", "prune, vacuum: say what would go, and remove nothing"],
    ],
    examples: ["baton runs", "baton runs --status waiting --json", "baton runs prune --older-than 30d"],
    load: async () => (await import("../commands/runs.ts")).runs,
  },
  {
    usage: "show <run>",
    summary: "show how a run stands and what it made",
    flags: [],
    examples: ["baton show k3f9", "baton show k3f9 --json"],
    load: async () => (await import("../commands/show.ts")).show,
  },
  {
    usage: "events <run>",
    summary: "print what happened, line by line",
    flags: [["-f, --follow", "go on until the run is over or waits for a person"]],
    examples: ["baton events k3f9 -f", "baton events k3f9 --jsonl"],
    load: async () => (await import("../commands/events.ts")).events,
  },
  {
    usage: "why <run>",
    summary: "say in one sentence what a run is waiting for, and what helps",
    flags: [],
    examples: ["baton why k3f9"],
    load: async () => (await import("../commands/why.ts")).why,
  },
  {
    usage: "answer <run> <question-or-value> [value]",
    summary: "answer a question (without its id when exactly one is open) and go on",
    flags: GOES_ON,
    examples: ["baton answer k3f9 blue", "baton answer k3f9 4/Socket-2:0 '{\"ok\": true}'"],
    notes: "The value is JSON where it parses, else text. Put quotes around several words.",
    load: async () => (await import("../commands/answer.ts")).answer,
  },
  {
    usage: "approve <run> [question]",
    summary: "say yes to what a run asks for, and go on",
    flags: [["--edit <json>", "the arguments as they should be instead"], ...GOES_ON],
    examples: ["baton approve k3f9", 'baton approve k3f9 --edit \'{"path": "notes.md"}\''],
    load: async () => (await import("../commands/answer.ts")).approve,
  },
  {
    usage: "deny <run> [question]",
    summary: "say no to what a run asks for, and go on",
    flags: [["--reason <text>", "why, for whoever asked"], ...GOES_ON],
    examples: ['baton deny k3f9 --reason "Not on a Friday"'],
    load: async () => (await import("../commands/answer.ts")).deny,
  },
  {
    usage: "send <run> <node> <text...>",
    summary: "write to a node of an inbox graph, and go on",
    flags: GOES_ON,
    examples: ['baton send k3f9 lead "The budget is approved"'],
    notes: "The words of the text are joined with spaces.",
    load: async () => (await import("../commands/inbox.ts")).send,
  },
  {
    usage: "interrupt <run> <node>",
    summary: "end the turn that a node has in hand; its inbox stays",
    flags: [["--reason <text>", "why, for whoever looks at the run"]],
    examples: ["baton interrupt k3f9 coder"],
    load: async () => (await import("../commands/inbox.ts")).interrupt,
  },
  {
    usage: "edit <run> [file]",
    summary: "change the graph of an inbox run, also under its driver; without a file, print the graph",
    flags: [...AGENTS.slice(0, 2), CONFIG, ["--yes", "trust the file without asking"]],
    examples: [
      "baton edit k3f9 > graph.json",
      "baton edit k3f9 graph.json",
      `echo '[{"type": "remove_edge", "id": "lead-coder"}]' | baton edit k3f9 -`,
    ],
    notes: "The file holds the graph as it should be, or edits of it. - is standard input.",
    load: async () => (await import("../commands/edit.ts")).edit,
  },
  {
    usage: "retry <run> [node]",
    summary: "try a failed node again (without its name when only one failed), and go on",
    flags: GOES_ON,
    examples: ["baton retry k3f9", "baton retry k3f9 coder"],
    load: async () => (await import("../commands/inbox.ts")).retry,
  },
  {
    usage: "pause <run>",
    summary: "open no new step of a run; what is in hand settles",
    flags: [],
    examples: ["baton pause k3f9"],
    load: async () => (await import("../commands/control.ts")).pause,
  },
  {
    usage: "resume <run>",
    summary: "go on with a run that was paused, failed, killed or only recorded",
    flags: [BUDGET, ...GOES_ON],
    examples: ["baton resume k3f9", "baton resume k3f9 --budget tokens=4M"],
    load: async () => (await import("../commands/resume.ts")).resume,
  },
  {
    usage: "cancel <run>",
    summary: "end a run for good; whoever drives it stops its tasks",
    flags: [["--reason <text>", "why, for whoever looks at the run"]],
    examples: ["baton cancel k3f9"],
    load: async () => (await import("../commands/control.ts")).cancel,
  },
];
