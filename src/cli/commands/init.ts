/** `baton init`: a small loadout to begin with, a script that plays it offline, and the schema for the editor. */

import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadoutJsonSchema } from "../../dialects/loadout/schema.ts";
import { EXIT, type ExitCode } from "../../protocol/codes.ts";
import { Misuse } from "../misuse.ts";
import { quoted, selfName } from "../self.ts";
import type { Call } from "../verb.ts";

const LOADOUT = {
  $schema: "./loadout.schema.json",
  name: "First",
  entry: "Socket-1",
  sockets: {
    "Socket-1": {
      materia: "Plan",
      parse: "json",
      assign: { workItems: "$.workItems" },
      edges: [{ when: "always", to: "Socket-2" }],
    },
    "Socket-2": { materia: "Build", edges: [{ when: "always", to: "Socket-3" }] },
    "Socket-3": {
      materia: "Review",
      parse: "json",
      advance: { cursor: "workItemIndex", items: "state.workItems", when: "satisfied" },
      edges: [
        { when: "satisfied", to: "Socket-2" },
        { when: "not_satisfied", to: "Socket-2", maxTraversals: 3 },
      ],
    },
  },
  loops: {
    work: { sockets: ["Socket-2", "Socket-3"], consumes: { from: "Socket-1", output: "workItems" } },
  },
  materia: {
    Plan: { prompt: "Split the request into small work items.", tools: "readOnly", generator: true },
    Build: { prompt: "Do the work item in hand.", tools: "coding" },
    Review: { prompt: "Say whether the work item in hand is done well.", tools: "readOnly" },
  },
};

const item = (title: string) => ({ title, context: "Nobody is to be left out." });

const SCRIPT = {
  Plan: [{ workItems: [item("Say hello"), item("Say goodbye")], satisfied: true }],
  Build: ["Hello is said.", "Goodbye is mumbled.", "Goodbye is said."],
  Review: [{ satisfied: true }, { satisfied: false, context: "Nobody would hear it." }, { satisfied: true }],
};

const FILES: readonly (readonly [name: string, content: () => unknown])[] = [
  ["loadout.json", () => LOADOUT],
  ["script.json", () => SCRIPT],
  ["loadout.schema.json", loadoutJsonSchema],
];

/** Writes the files into a folder, the current one when none is named. Nothing is written over. */
export async function init({ args: [folder = "."], terminal }: Call): Promise<ExitCode> {
  const files = FILES.map(([name, content]) => ({ path: join(folder, name), content }));
  const taken = files.filter(({ path }) => existsSync(path)).map(({ path }) => path);
  if (taken.length > 0) {
    const hint = "Name another folder: baton init FOLDER";
    throw new Misuse("usage", `There is ${taken.join(" and ")} already, and nothing is written over.`, {
      hint,
    });
  }
  mkdirSync(folder, { recursive: true });
  for (const { path, content } of files) {
    writeFileSync(path, `${JSON.stringify(content(), null, 2)}\n`, { flag: "wx" });
  }
  const paths = files.map(({ path }) => path);
  const [loadout = "", script = ""] = paths.map(quoted);
  const next = [
    `${selfName()} check ${loadout}`,
    `${selfName()} run ${loadout} "Be polite" --script ${script}`,
  ];
  terminal.document({ files: paths, next });
  terminal.event({ files: paths, next });
  terminal.print(paths.join("\n"));
  for (const call of next) terminal.advise(`Try: ${call}`);
  return EXIT.done;
}
