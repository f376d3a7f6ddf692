/**
 * `baton __complete`: what the last of the given words may become, a line each. Shells ask it, people do not.
 *
 * 1. It changes nothing, makes no database, and says nothing but candidates, whatever is wrong.
 */

import { existsSync } from "node:fs";
import { openQuestions } from "../../kernel/state.ts";
import { EXIT, type ExitCode } from "../../protocol/codes.ts";
import { loadState } from "../../run/load.ts";
import { DEFAULT_DB, GLOBAL_FLAGS } from "../global-flags.ts";
import { findRun, withStore } from "../runs/store.ts";
import { STANDINGS } from "../terminal/standings.ts";
import type { Action, Flag, Verb } from "../verb.ts";
import { SHELLS } from "./completion.ts";

/** The most runs that are offered. */
const MOST = 50;

/** Prints the candidates for the last word, which may be a word of one of these verbs. */
export function completeWith(verbs: readonly Verb[]): Action {
  return async ({ args }): Promise<ExitCode> => {
    try {
      const found = await candidates(args, verbs);
      const begun = args.at(-1) ?? "";
      const fitting = found.filter((candidate) => candidate.startsWith(begun));
      if (fitting.length > 0) process.stdout.write(`${fitting.join("\n")}\n`);
    } catch {
      // (1)
    }
    return EXIT.done;
  };
}

async function candidates(words: readonly string[], verbs: readonly Verb[]): Promise<readonly string[]> {
  const { verb, places, awaited, db } = parse(words.slice(0, -1), verbs);
  const begun = words.at(-1) ?? "";
  if (awaited !== undefined) return valuesOf(awaited);
  if (verb === undefined && !begun.startsWith("-")) return offered(verbs).map(nameOf);
  const flags = [...(verb?.flags ?? []), ...GLOBAL_FLAGS];
  if (begun.startsWith("-")) return flags.flatMap(namesOf).filter((name) => name.startsWith("--"));
  const taken = verb?.usage.split(" ").slice(1)[places.length];
  return taken === undefined ? [] : placeOf(taken, places[0] ?? "", db);
}

interface Parsed {
  readonly verb: Verb | undefined;
  /** The words after the verb that are neither flags nor their values. */
  readonly places: readonly string[];
  /** The flag whose value is written next. */
  readonly awaited: string | undefined;
  readonly db: string;
}

function parse(words: readonly string[], verbs: readonly Verb[]): Parsed {
  let verb: Verb | undefined;
  let awaited: string | undefined;
  let db = DEFAULT_DB;
  const places: string[] = [];
  for (const word of words) {
    const known = [...(verb?.flags ?? []), ...GLOBAL_FLAGS];
    if (awaited !== undefined) {
      if (awaited === "--db") db = word;
      awaited = undefined;
    } else if (word.startsWith("-")) {
      const flag = known.find((one) => namesOf(one).includes(word));
      awaited = flag?.[0].includes("<") ? word : undefined;
      if (word.startsWith("--db=")) db = word.slice("--db=".length);
    } else if (verb === undefined) verb = verbs.find((one) => nameOf(one) === word);
    else places.push(word);
  }
  return { verb, places, awaited, db };
}

function offered(verbs: readonly Verb[]): readonly Verb[] {
  return verbs.filter(({ hidden }) => hidden !== true);
}

function nameOf({ usage }: Verb): string {
  return usage.split(" ")[0] ?? "";
}

/** The names of a flag: `-f` and `--follow`. */
function namesOf([flags]: Flag): readonly string[] {
  return flags.split(/[ ,]+/).filter((part) => part.startsWith("-"));
}

function valuesOf(flag: string): readonly string[] {
  if (flag === "--status") return STANDINGS;
  if (flag === "--durability") return ["sync", "async", "exit"];
  return [];
}

async function placeOf(taken: string, run: string, db: string): Promise<readonly string[]> {
  switch (taken.replaceAll(/[<>[\].]/g, "")) {
    case "run":
    case "other":
      return runsIn(db);
    case "node":
      return nodesOf(run, db);
    case "question":
    case "question-or-value":
      return questionsOf(run, db);
    case "shell":
      return SHELLS;
    default:
      return [];
  }
}

async function runsIn(db: string): Promise<readonly string[]> {
  if (!existsSync(db)) return [];
  return withStore(db, { create: false }, async ({ journal }) =>
    (await journal.runs({ limit: MOST })).map(({ run }) => run),
  );
}

async function nodesOf(id: string, db: string): Promise<readonly string[]> {
  return withStore(db, { create: false }, async ({ journal }) => {
    const { run } = await findRun(journal, id);
    const { plan } = (await loadState(journal, run)).state;
    return Object.keys(plan.nodes).filter((node) => !node.startsWith(":"));
  });
}

async function questionsOf(id: string, db: string): Promise<readonly string[]> {
  return withStore(db, { create: false }, async ({ journal }) => {
    const { run } = await findRun(journal, id);
    return openQuestions((await loadState(journal, run)).state).map(({ question }) => question.id);
  });
}
