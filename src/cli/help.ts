/**
 * Help says how the command and its verbs are called, from their table alone: asking for it loads nothing else.
 *
 * 1. The command line prints these very texts too, so help reads the same however it was asked for.
 */

import { closest } from "../base/names.ts";
import { GLOBAL_FLAGS } from "./global-flags.ts";
import { Misuse } from "./misuse.ts";
import type { Flag, Verb } from "./verb.ts";
import { VERBS } from "./verbs.ts";
import { version } from "./version.ts";

/** What is written on the left, and what it means. */
type Row = readonly [term: string, meaning: string];

export const ABOUT = "Baton passes work between agents and never drops it.";
export const VERSION_FLAG: Row = ["-V, --version", "print the version"];
export const HELP_FLAG: Row = ["-h, --help", "say how it is called"];
export const HELP_VERB: Row = ["help [verb]", "say how a verb is called"];

const EXIT_CODES = `Exit codes: 0 done, 1 the run failed, 2 usage or an invalid definition, 3 waiting for a person,
4 budget exhausted, 5 stalled, 6 cancelled, 7 diverged, 130 and 143 signals.`;

/** How wide a line may get, where the meanings keep at least so many columns. */
const WIDTH = 80;
const LEAST = 40;

/** What these arguments ask for, when it is nothing but the help or the version; otherwise `undefined`. */
export function helpAsked(argv: readonly string[]): string | undefined {
  const [first = "", second, ...rest] = argv;
  if (rest.length > 0) return undefined;
  if (second === undefined) {
    if (["-V", "--version"].includes(first)) return `${version()}\n`;
    return ["-h", "--help", "help"].includes(first) ? commandHelp() : undefined;
  }
  const name = first === "help" ? second : ["-h", "--help"].includes(second) ? first : undefined;
  if (name === "help") return commandHelp();
  const verb = VERBS.find((known) => nameOf(known) === name);
  return verb && verbHelp(verb);
}

/** Refuses to help with a verb that there is not. */
export function refuseUnknownHelp(argv: readonly string[]): void {
  const [first, name = ""] = argv.filter((word) => !word.startsWith("-"));
  const known = VERBS.filter(({ hidden }) => !hidden).map(nameOf);
  if (first !== "help" || ["", "help", ...known].includes(name)) return;
  const meant = closest(name, known);
  const hint = meant === undefined ? "See `baton --help`." : `Did you mean ${meant}?`;
  throw new Misuse("usage", `Unknown command '${name}'.`, { hint });
}

/** The verb that a command line names, as far as that can be told. */
export function verbIn(argv: readonly string[]): string | undefined {
  const known = new Set(VERBS.map(nameOf));
  return argv.find((word) => known.has(word));
}

function nameOf({ usage }: Verb): string {
  const [name = ""] = usage.split(" ");
  return name;
}

/** How the command is called, and its verbs. */
export function commandHelp(): string {
  const options = [VERSION_FLAG, ...GLOBAL_FLAGS.map(rowOf), HELP_FLAG];
  const verbs = VERBS.filter(({ hidden }) => !hidden).map((verb): Row => [calledAs(verb), verb.summary]);
  const commands = [...verbs, HELP_VERB];
  const width = widest([...options, ...commands]);
  return text(
    "Usage: baton [options] <verb> …",
    ABOUT,
    `Options:\n${table(options, width)}`,
    `Commands:\n${table(commands, width)}`,
    EXIT_CODES,
    "Begin with: baton demo",
  );
}

/** How a verb is called. */
export function verbHelp(verb: Verb): string {
  const own = [...verb.flags.map(rowOf), HELP_FLAG];
  const global = [VERSION_FLAG, ...GLOBAL_FLAGS.map(rowOf)];
  const width = widest([...own, ...global]);
  return text(
    `Usage: baton ${calledAs(verb, true)}`,
    wrapped(verb.summary, WIDTH).join("\n"),
    `Options:\n${table(own, width)}`,
    `Global Options:\n${table(global, width)}`,
    ...(verb.notes === undefined ? [] : [verb.notes]),
    `Examples:\n${verb.examples.map((line) => `  $ ${line}`).join("\n")}`,
  );
}

function text(...paragraphs: readonly string[]): string {
  return `${paragraphs.join("\n\n")}\n`;
}

function rowOf([flags, meaning]: Flag): Row {
  return [flags, meaning];
}

/** `run [options] <definition>`; in its own help every verb has options. */
function calledAs({ usage, flags }: Verb, always: boolean = false): string {
  const [name, ...takes] = usage.split(" ");
  return [name, ...(always || flags.length > 0 ? ["[options]"] : []), ...takes].join(" ");
}

function widest(rows: readonly Row[]): number {
  return Math.max(...rows.map(([term]) => term.length));
}

function table(rows: readonly Row[], width: number): string {
  const indent = " ".repeat(width + 4);
  const room = WIDTH - indent.length;
  return rows
    .map(([term, meaning]) => {
      const lines = room < LEAST ? [meaning] : wrapped(meaning, room);
      return `  ${term.padEnd(width)}  ${lines.join(`\n${indent}`)}`;
    })
    .join("\n");
}

/** A text in lines of whole words. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
