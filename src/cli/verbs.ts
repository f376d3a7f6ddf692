/** Every verb of the command line, in the order in which the help lists them. A verb's own module loads when it is called. */

import type { Flag, Verb } from "./verb.ts";

const AGENTS: readonly Flag[] = [
  ["--agent <name>", "who takes the turns of all agents: one of `baton doctor`, or of a config"],
  ["--script <file>", "play this script, or what --record wrote, in place of every agent"],
  ["--record <file>", "write down what agents say, to be played with --script"],
];
const INPUT: Flag = [
  "--input <key=value>",
  "an input; the value is JSON where it parses, else text",
  "repeatable",
];
const INPUT_FILE: Flag = ["--input-file <file>", "all inputs as one JSON object; - is standard input"];
const ASSUME: Flag = [
  "--assume <numbers>",
  "what a cost ceiling is reckoned with: items=20,tokens-per-turn=30k,usd-per-mtok=3",
];
const RUN_ID: Flag = ["--run-id <id>", "the id of the new run"];
const BUDGET: Flag = ["--budget <limits>", "the most that it may use: tokens=2M,usd=5,time=1h"];
const DURABILITY: Flag = ["--durability <mode>", "when events are on disk: sync (default), async or exit"];
const CONFIG: Flag = ["--config <file>", "a config to lay above the project's"];
const DETACH: Flag = ["--detach", "record it and return; a studio, or `baton resume`, goes on"];
const GOES_ON: readonly Flag[] = [DETACH, ...AGENTS, CONFIG, DURABILITY];

export const VERBS: readonly Verb[] = [
  {
    usage: "demo",
    summary: "an offline tour in a minute: a loop, a rework and an approval; no key, no account",
    flags: [["--yes", "approve without asking"]],
    examples: ["baton demo"],
    load: async () => (await import("./commands/demo.ts")).demo,
  },
  {
    usage: "init [folder]",
    summary: "write a small loadout, a script that plays it offline, and the schema for your editor",
    flags: [],
    examples: ["baton init", "baton init flows"],
    load: async () => (await import("./commands/init.ts")).init,
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
    load: async () => (await import("./commands/run.ts")).run,
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
    load: async () => (await import("./commands/check.ts")).check,
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
    load: async () => (await import("./commands/simulate.ts")).simulate,
  },
  {
    usage: "graph <definition>",
    summary: "draw a definition as a Mermaid diagram (--json: as nodes and edges)",
    flags: [CONFIG],
    examples: ["baton graph loadout.json"],
    load: async () => (await import("./commands/graph.ts")).graph,
  },
  {
    usage: "runs [action]",
    summary: "list runs, last changed first; `runs prune` removes some, `runs vacuum` gives back space",
    flags: [
      ["--status <status>", "only running, waiting, paused, completed, failed or cancelled ones"],
      ["--limit <count>", "at most so many (default 50)"],
      ["--older-than <time>", "prune: only those that changed last before 30d, 12h, …"],
      ["--keep <count>", "prune: keep the newest of those that would go"],
      ["--max-size <size>", "prune: the oldest, until all logs take at most 500M, 2G, …"],
      ["--dry-run", "prune: say what would go, and remove nothing"],
    ],
    examples: ["baton runs", "baton runs --status waiting --json", "baton runs prune --older-than 30d"],
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
    usage: "send <run> <node> <text...>",
    summary: "write to a node of an inbox graph, and go on",
    flags: GOES_ON,
    examples: ['baton send k3f9 lead "The budget is approved"'],
    notes: "The words of the text are joined with spaces.",
    load: async () => (await import("./commands/inbox.ts")).send,
  },
  {
    usage: "interrupt <run> <node>",
    summary: "end the turn that a node has in hand; its inbox stays",
    flags: [["--reason <text>", "why, for whoever looks at the run"]],
    examples: ["baton interrupt k3f9 coder"],
    load: async () => (await import("./commands/inbox.ts")).interrupt,
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
    load: async () => (await import("./commands/edit.ts")).edit,
  },
  {
    usage: "retry <run> [node]",
    summary: "try a failed node again (without its name when only one failed), and go on",
    flags: GOES_ON,
    examples: ["baton retry k3f9", "baton retry k3f9 coder"],
    load: async () => (await import("./commands/inbox.ts")).retry,
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
    load: async () => (await import("./commands/history.ts")).fork,
  },
  {
    usage: "replay <run>",
    summary: "decide everything in a run again over its recorded outcomes, without agents or commands",
    flags: [
      ["--until <seq>", "stop after this event"],
      ["--with <file>", "under a changed definition: where would it have gone differently?"],
      CONFIG,
    ],
    examples: ["baton replay k3f9", "baton replay k3f9 --with loadout.json"],
    notes: "It exits with 7 at the first difference, and says what differs.",
    load: async () => (await import("./commands/history.ts")).replay,
  },
  {
    usage: "diff <run> <other>",
    summary: "compare two runs: where they went apart, and what each came to",
    flags: [],
    examples: ["baton diff k3f9 m2x7", "baton diff k3f9 m2x7 --json"],
    load: async () => (await import("./commands/history.ts")).diff,
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
    load: async () => (await import("./commands/bundle.ts")).exportBundle,
  },
  {
    usage: "import <file>",
    summary: "verify such a file and take its run into the database",
    flags: [RUN_ID],
    examples: ["baton import k3f9.baton", "baton import k3f9.baton --run-id copy"],
    notes: "A damaged file is refused as a whole (exit 7). - is standard input.",
    load: async () => (await import("./commands/bundle.ts")).importBundle,
  },
  {
    usage: "studio",
    summary: "open a page on which runs are watched, answered and started; it drives what is unfinished",
    flags: [
      ["--port <number>", "where to listen (default 4747, or any free one when that is taken)"],
      ["--host <address>", "listen on another address than this machine's own; needs --token"],
      ["--token <text>", "what opens the page; made up when absent"],
      ["--open", "open a browser"],
      ["--no-open", "open none, also on a terminal"],
    ],
    examples: ["baton studio", "baton studio --port 8080 --no-open"],
    notes: "It goes on until a signal ends it. Everything recorded stays, and the next one goes on.",
    load: async () => (await import("./commands/studio.ts")).studio,
  },
  {
    usage: "trust <definition>",
    summary: "allow a definition that came with a repository to run commands and let agents use tools",
    flags: [CONFIG],
    examples: ["baton trust loadout.json"],
    load: async () => (await import("./commands/trust.ts")).trust,
  },
  {
    usage: "doctor",
    summary: "say what Baton needs of this machine, what it could use, and what is missing",
    flags: [CONFIG],
    examples: ["baton doctor", "baton doctor --json"],
    notes: "It exits with 1 when something that is needed is not as it should be.",
    load: async () => (await import("./commands/doctor.ts")).doctor,
  },
  {
    usage: "completion <shell>",
    summary: "print what teaches bash, zsh or fish to complete verbs, flags, runs and nodes",
    flags: [],
    examples: ['eval "$(baton completion bash)"', "baton completion fish | source"],
    load: async () => (await import("./commands/completion.ts")).completion,
  },
  {
    usage: "__complete [words...]",
    summary: "say what the last word may become",
    flags: [],
    examples: ["baton __complete -- show k3"],
    hidden: true,
    load: async () => (await import("./commands/complete.ts")).completeWith(VERBS),
  },
];
