/** What comes with Baton: materia that any loadout may name, and two loadouts made of them. */

import { AGENT_MATERIA, HUMAN_MATERIA } from "./bundled-roles.ts";
import type { Config, Loadout, Materia, Socket } from "./definition.ts";

/** The utilities that come with Baton as scripts. */
export const BUNDLED_UTILITIES: readonly string[] = [
  "Ignore-Artifacts",
  "Detect-VCS",
  "Blackbelt-Bootstrap",
  "Commit-Sigil",
];

const UTILITY_MATERIA: Readonly<Record<string, Materia>> = {
  "Ignore-Artifacts": utility("Ignore-Artifacts", "Keeps the files of runs out of version control."),
  "Detect-VCS": utility("Detect-VCS", "Finds out which version control the project has."),
  "Blackbelt-Bootstrap": utility(
    "Blackbelt-Bootstrap",
    "Prepares a clean working copy with a branch or bookmark of its own.",
  ),
  "Commit-Sigil": {
    ...utility("Commit-Sigil", "Checks that the titles of work items can be commit messages."),
    generator: true,
  },
};

function utility(name: string, description: string): Materia {
  return { type: "utility", label: name, group: "Utility", description, utility: name, parse: "json" };
}

const setup = (materia: string, to: string): Socket => ({
  materia,
  parse: "json",
  edges: [{ when: "always", to }],
});

/** Build → Auto-Eval → Maintain on Socket-5 to Socket-7, with what came before them and a report at the end. */
function workshop(name: string, from: string, before: Readonly<Record<string, Socket>>): Loadout {
  const [build, check, keep, report] = ["Socket-5", "Socket-6", "Socket-7", "Socket-8"] as const;
  const exit = (condition: "satisfied" | "always") => {
    return { id: `exit:${keep}:${condition}`, from: keep, condition, targetSocketId: report };
  };
  const sockets: Record<string, Socket> = {
    ...before,
    [build]: { materia: "Build", edges: [{ when: "always", to: check }] },
    [check]: {
      materia: "Auto-Eval",
      parse: "json",
      edges: [
        { when: "satisfied", to: keep },
        { when: "not_satisfied", to: build, maxTraversals: 5 },
      ],
    },
    [keep]: {
      materia: "Maintain",
      parse: "json",
      advance: { cursor: "workItemIndex", items: "state.workItems", when: "satisfied" },
      edges: [
        { when: "satisfied", to: build },
        { when: "not_satisfied", to: build, maxTraversals: 3 },
      ],
    },
    [report]: { materia: "Narrate" },
  };
  const consumes = { from, output: "workItems" };
  const exits = [exit("satisfied"), exit("always")];
  const loops = { workItemIteration: { sockets: [build, check, keep], consumes, exits } };
  return { name, entry: "Socket-1", sockets, loops };
}

const fullAuto: Loadout = workshop("Full-Auto", "Socket-4", {
  "Socket-1": setup("Ignore-Artifacts", "Socket-2"),
  "Socket-2": setup("Detect-VCS", "Socket-3"),
  "Socket-3": setup("Auto-Plan", "Socket-4"),
  "Socket-4": setup("Auto-Architect", "Socket-5"),
});

const planningConsult: Loadout = workshop("Planning-Consult", "Socket-3", {
  "Socket-1": setup("Ignore-Artifacts", "Socket-2"),
  "Socket-2": setup("Detect-VCS", "Socket-3"),
  "Socket-3": setup("Auto-Plan", "Socket-4"),
  "Socket-4": {
    materia: "Agree-Plan",
    parse: "json",
    edges: [
      { when: "satisfied", to: "Socket-5" },
      { when: "not_satisfied", to: "Socket-3", maxTraversals: 20 },
    ],
  },
});

/** The lowest layer under every loadout file. */
export const BUNDLED: Config = {
  activeLoadout: "Full-Auto",
  loadouts: { "Full-Auto": fullAuto, "Planning-Consult": planningConsult },
  materia: { ...UTILITY_MATERIA, ...AGENT_MATERIA, ...HUMAN_MATERIA },
};
