/**
 * The runs that the pictures show: played by scripts, and then recorded anew under times that are the same every day.
 */

import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { RunId } from "../../src/base/names.ts";
import { SqliteJournal } from "../../src/journals/sqlite/sqlite-journal.ts";
import type { Event } from "../../src/kernel/event.ts";
import { type CommandLine, ROOT } from "../scenarios/cli-harness.ts";

const agent = (prompt: string) => ({ tools: "coding", prompt });

const DIFF = `--- a/package.json
+++ b/package.json
@@ -1,5 +1,5 @@
 {
   "name": "greetings",
-  "version": "1.1.4",
+  "version": "1.2.0",
   "type": "module"
 }`;

const RELEASE = {
  name: "Release",
  entry: "Socket-1",
  sockets: {
    "Socket-1": { materia: "Notes", edges: [{ when: "always", to: "Socket-2" }] },
    "Socket-2": { materia: "Publish" },
  },
  materia: { Notes: agent("Write the notes."), Publish: agent("Publish it.") },
};

const HEADLINE = {
  name: "Newsletter",
  entry: "Socket-1",
  sockets: {
    "Socket-1": { materia: "Draft", edges: [{ when: "always", to: "Socket-2" }] },
    "Socket-2": { materia: "Editor", parse: "json" },
  },
  materia: {
    Draft: agent("Draft it."),
    Editor: { type: "human", prompt: "Is the draft good enough to be sent?" },
  },
};

const POLISH = {
  name: "Polish",
  entry: "Socket-1",
  sockets: {
    "Socket-1": { materia: "Edit", edges: [{ when: "always", to: "Socket-2" }] },
    "Socket-2": {
      materia: "Judge",
      parse: "json",
      edges: [{ when: "not_satisfied", to: "Socket-1", maxTraversals: 20 }],
    },
  },
  materia: { Edit: agent("Make it shorter."), Judge: agent("Is it short enough?") },
};

const turn = (text: string, tokens: number, more: object = {}) => ({
  ...{ $: "turn", text, usage: { tokens, costUsd: tokens / 200_000 } },
  ...more,
});

const ASK = {
  title: "Publish greetings 1.2.0",
  args: { command: "npm publish --tag next", diff: DIFF },
};

export const EXAMPLES: readonly string[] = [
  ...["graph-semantics-loadout.json", "graph-semantics-script.json"],
  ...["inbox-team.json", "inbox-team-script.json"],
];

/** The files beside the examples. */
export const PICTURE_FILES: Readonly<Record<string, unknown>> = {
  "release.json": RELEASE,
  "release-script.json": {
    "Socket-1": [turn("Greets people by name.", 1840)],
    "Socket-2": [turn("Published.", 620, { ask: ASK })],
  },
  "newsletter.json": HEADLINE,
  "newsletter-script.json": { "Socket-1": [turn("Baton can greet you by name now.", 960)] },
  "polish.json": POLISH,
  "polish-script.json": {
    "Socket-1": [turn("A first cut.", 5200), turn("A second cut.", 4100), turn("A third one.", 3900)],
    "Socket-2": [
      { satisfied: false, context: "Still too long." },
      { satisfied: false, context: "Nearly." },
    ],
  },
  "polish-broken-script.json": { "Socket-1": [turn("", 300, { fail: "The model is overloaded." })] },
};

interface Played {
  readonly run: string;
  readonly args: readonly string[];
  /** When it began, in minutes before the picture. */
  readonly minutes: number;
}

const loadout = (name: string, script: string, task: string) => {
  return [`${name}.json`, task, "--script", `${script}.json`, "--yes"];
};

const PLAYED: readonly Played[] = [
  {
    ...{ run: "handbook", minutes: 1500 },
    args: loadout("polish", "polish-broken-script", "Shorten the handbook"),
  },
  {
    ...{ run: "essay", minutes: 200 },
    args: [...loadout("polish", "polish-script", "Shorten the essay"), "--budget", "tokens=9000"],
  },
  {
    ...{ run: "sign-up", minutes: 95 },
    args: [
      ...["inbox-team.json", "--message", "lead=Build a sign-up form and its service"],
      ...["--script", "inbox-team-script.json", "--yes"],
    ],
  },
  {
    ...{ run: "newsletter", minutes: 41 },
    args: loadout("newsletter", "newsletter-script", "The newsletter of November"),
  },
  { run: "release", minutes: 22, args: loadout("release", "release-script", "Release greetings 1.2.0") },
  {
    ...{ run: "greeting", minutes: 9 },
    args: loadout("graph-semantics-loadout", "graph-semantics-script", "Greet people by name"),
  },
];

/** The time of the pictures, in milliseconds since 1970 UTC. */
export const PICTURED_AT: number = Date.UTC(2026, 10, 5, 10, 30);

/** Plays all runs in a folder of its own, and records them into the database of another one. */
export async function recordPictured(from: CommandLine, folder: string): Promise<void> {
  for (const name of EXAMPLES) cpSync(join(ROOT, "examples", name), join(from.cwd, name));
  await from.all(...PLAYED.map(({ run, args }) => ["run", ...args, "--run-id", run]));
  mkdirSync(join(folder, ".baton"), { recursive: true });
  const played = new SqliteJournal(join(from.cwd, ".baton", "baton.db"));
  const pictured = new SqliteJournal(join(folder, ".baton", "baton.db"));
  for (const { run, minutes } of PLAYED) {
    await copy({ played, pictured, run: run as RunId, startedAt: PICTURED_AT - minutes * 60_000 });
  }
  await played.close();
  await pictured.close();
}

interface Copy {
  readonly played: SqliteJournal;
  readonly pictured: SqliteJournal;
  readonly run: RunId;
  readonly startedAt: number;
}

async function copy({ played, pictured, run, startedAt }: Copy): Promise<void> {
  const head = await played.head(run);
  if (head === undefined) throw new Error(`${run} was not played`);
  const events = retimed(await played.read(run, 0), startedAt);
  const texts = new Map<string, string>();
  for (const ref of new Set(JSON.stringify(events).match(/sha256:[0-9a-f]{64}/g) ?? [])) {
    const text = await played.text(ref);
    if (text !== undefined) texts.set(ref, text);
  }
  const { program, status, reason } = head;
  await pictured.append({
    ...{ run, after: 0, events },
    texts: [...texts].map(([ref, text]) => ({ ref, text })),
    head: {
      ...{ run, program, status, startedAt, updatedAt: events.at(-1)?.at ?? startedAt },
      ...(reason !== undefined && { reason }),
    },
  });
}

/** Work takes as long as its name is long, everything else a moment. */
function retimed(events: readonly Event[], startedAt: number): readonly Event[] {
  let at = startedAt;
  return events.map((event): Event => {
    at += takes(event);
    return { ...event, at };
  });
}

function takes(event: Event): number {
  switch (event.type) {
    case "task.finished":
      return 4000 + ((event.task.length * 7919 + event.seq * 104_729) % 26_000);
    case "task.asked":
    case "task.failed":
      return 6000;
    default:
      return 40;
  }
}
