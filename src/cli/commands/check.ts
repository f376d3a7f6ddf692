/** `baton check`: everything that is wrong with a definition, and whether its runs end. */

import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { type Issue, pointer as pointerTo } from "../../base/issue.ts";
import type { Json } from "../../base/json.ts";
import { checkInbox, isInbox } from "../../dialects/inbox/read.ts";
import { checkLoadout } from "../../dialects/loadout/check/check.ts";
import { ceilingSentence, costCeiling } from "../../dialects/loadout/prove/ceiling.ts";
import { isLoadout } from "../../dialects/loadout/read.ts";
import { UNKNOWN_TERMINATION } from "../../dialects/termination.ts";
import { EXIT, type ExitCode } from "../../protocol/codes.ts";
import type { CheckDocument, IssueLine } from "../../protocol/result.ts";
import { Misuse } from "../misuse.ts";
import { assumptionsFrom } from "../runs/ceiling.ts";
import { MODULES, readSource } from "../runs/source.ts";
import { issueLine } from "../terminal/report.ts";
import { harmless } from "../terminal/style.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Call, Options } from "../verb.ts";

type Checked = Pick<CheckDocument, "termination"> & { readonly issues: readonly Issue[] };

/** Checks a file as a whole, or every definition in a folder; what cannot be read at all is a misuse instead. */
export async function check({ args: [named = ""], options, terminal }: Call): Promise<ExitCode> {
  if (statSync(named, { throwIfNoEntry: false })?.isDirectory()) return checkFolder(named, options, terminal);
  const document = await documentOf(named, options);
  terminal.document(document);
  terminal.event(document);
  printDocument(named, document, terminal);
  return document.ok ? EXIT.done : EXIT.usage;
}

/** Checks the JSON files of a folder, by name; those that are no definitions, like scripts, are left out aloud. */
async function checkFolder(folder: string, options: Options, terminal: Terminal): Promise<ExitCode> {
  const files: (CheckDocument & { readonly file: string })[] = [];
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  for (const file of names.sort().map((name) => join(folder, name))) {
    if (isSomethingElse(file)) {
      terminal.tell(`${file}: no definition, left out`);
      continue;
    }
    const document = await documentOf(file, options);
    terminal.event({ file, ...document });
    printDocument(file, document, terminal);
    files.push({ file, ...document });
  }
  if (files.length === 0) throw new Misuse("not_found", `There is no definition in ${folder}.`);
  const ok = files.every((each) => each.ok);
  terminal.document({ ok, files });
  return ok ? EXIT.done : EXIT.usage;
}

/** Says whether a file is JSON and yet neither a loadout nor an inbox graph. What is no JSON is to be told. */
function isSomethingElse(file: string): boolean {
  try {
    const json = JSON.parse(readFileSync(file, "utf8")) as Json;
    return !isLoadout(json) && !isInbox(json);
  } catch {
    return false;
  }
}

async function documentOf(named: string, options: Options): Promise<CheckDocument> {
  const { issues, termination } = await checkNamed(named, options);
  const errors = issues.filter(({ severity }) => severity === "error");
  const warnings = issues.filter(({ severity }) => severity === "warning");
  const ok = errors.length === 0;
  const assume = assumptionsFrom(options.assume);
  const ceiling = assume && costCeiling(termination, assume);
  return {
    ...{ ok, errors: errors.map(lineOf), warnings: warnings.map(lineOf), termination },
    ...(ceiling && { ceiling }),
  };
}

function printDocument(named: string, document: CheckDocument, terminal: Terminal): void {
  const { ok, errors, warnings, termination, ceiling } = document;
  printIssues(errors, "red", terminal);
  printIssues(warnings, "yellow", terminal);
  const standing = ok ? "fit to run" : `${errors.length} to repair`;
  const end = ok && isModule(named) ? BY_CODE : ends(termination, ok);
  terminal.print(`${named}: ${standing}. ${end}`.trim());
  if (ceiling) terminal.print(ceilingSentence(ceiling));
}

async function checkNamed(named: string, options: Options): Promise<Checked> {
  try {
    const source = readSource(named, options);
    if (source.kind === "loadout") {
      const { errors, warnings, termination } = checkLoadout(source.json, { below: source.below });
      return { issues: [...errors, ...warnings], termination };
    }
    if (source.kind === "inbox") {
      const { errors, warnings, termination } = checkInbox(source.json);
      return { issues: [...errors, ...warnings], termination };
    }
    const { loadGraph } = await import("../runs/graph-runs.ts");
    await loadGraph(source);
    return { issues: [], termination: UNKNOWN_TERMINATION };
  } catch (error) {
    if (error instanceof Misuse && error.code === "invalid_definition") return broken(error);
    throw error;
  }
}

/** A definition that is not even one is a single issue, about all of it. */
function broken({ message, hint = "", issues }: Misuse): Checked {
  const whole: Issue = { severity: "error", code: "unreadable", pointer: pointerTo(), message, hint };
  return { issues: issues ?? [whole], termination: UNKNOWN_TERMINATION };
}

function lineOf({ code, pointer, message, hint }: Issue): IssueLine {
  return { code, pointer, message, hint };
}

function printIssues(lines: readonly IssueLine[], ink: "red" | "yellow", terminal: Terminal): void {
  const severity = ink === "red" ? "error" : "warning";
  for (const line of lines) terminal.print(terminal.paint(ink, harmless(issueLine({ severity, ...line }))));
}

/** A bound is there for everything but what has too many ways to be counted. */
const UNCOUNTED =
  "It always ends, but has too many ways to say after how many turns: lower its maxTraversals or limits.maxNoAdvanceCycles to be told.";
const BY_CODE =
  "Its code decides where it goes, so nothing is known of its end; the limit of its steps stops it at the latest.";

function isModule(named: string): boolean {
  return MODULES.includes(extname(named));
}

function ends({ verdict, bound, cycle }: CheckDocument["termination"], ok: boolean): string {
  switch (verdict) {
    case "terminates":
      return bound === null
        ? UNCOUNTED
        : `It ends after at most ${bound} ${bound === "1" ? "turn" : "turns"}.`;
    case "may_not_terminate":
      return `It may run for ever: ${(cycle ?? []).join(" → ")}.`;
    case "unknown":
      return ok ? "Whether it ends is not known." : "";
  }
}
