/** Every verb of the command line, in the order in which the help lists them. A verb's own module loads when it is called. */

import type { Verb } from "./verb.ts";
import { CONFIG } from "./verbs/flags.ts";
import { OF_DEFINITIONS } from "./verbs/of-definitions.ts";
import { OF_HISTORY } from "./verbs/of-history.ts";
import { OF_RUNS } from "./verbs/of-runs.ts";

export const VERBS: readonly Verb[] = [
  ...OF_DEFINITIONS,
  ...OF_RUNS,
  ...OF_HISTORY,
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
