/** `baton check`: everything that is wrong with a definition, and whether its runs end. */

import { type Issue, pointer as pointerTo } from "../../base/issue.ts";
import { checkInbox } from "../../dialects/inbox/read.ts";
import { checkLoadout } from "../../dialects/loadout/check/check.ts";
import { ceilingSentence, costCeiling } from "../../dialects/loadout/prove/ceiling.ts";
import { EXIT, type ExitCode } from "../../protocol/codes.ts";
import type { CheckDocument, IssueLine } from "../../protocol/result.ts";
import { assumptionsFrom } from "../ceiling.ts";
import { Misuse } from "../misuse.ts";
import { issueLine } from "../report.ts";
import { readSource } from "../source.ts";
import { harmless } from "../style.ts";
import type { Terminal } from "../terminal.ts";
import type { Call, Options } from "../verb.ts";

type Checked = Pick<CheckDocument, "termination"> & { readonly issues: readonly Issue[] };

const UNKNOWN: CheckDocument["termination"] = { verdict: "unknown", bound: null, cycle: null };

/** Checks a file as a whole; a file that cannot be read at all is a misuse instead. */
export async function check({ args: [named = ""], options, terminal }: Call): Promise<ExitCode> {
  const { issues, termination } = await checkNamed(named, options);
  const errors = issues.filter(({ severity }) => severity === "error");
  const warnings = issues.filter(({ severity }) => severity === "warning");
  const ok = errors.length === 0;
  const assume = assumptionsFrom(options.assume);
  const ceiling = assume && costCeiling(termination, assume);
  const document: CheckDocument = {
    ...{ ok, errors: errors.map(lineOf), warnings: warnings.map(lineOf), termination },
    ...(ceiling && { ceiling }),
  };
  terminal.document(document);
  terminal.event(document);
  printIssues([...errors, ...warnings], terminal);
  terminal.print(
    `${named}: ${ok ? "fit to run" : `${errors.length} to repair`}. ${ends(termination, ok)}`.trim(),
  );
  if (ceiling) terminal.print(ceilingSentence(ceiling));
  return ok ? EXIT.done : EXIT.usage;
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
    const { loadGraph } = await import("../graph-runs.ts");
    await loadGraph(source);
    return { issues: [], termination: UNKNOWN };
  } catch (error) {
    if (error instanceof Misuse && error.code === "invalid_definition") return broken(error);
    throw error;
  }
}

/** A definition that is not even one is a single issue, about all of it. */
function broken({ message, hint = "", issues }: Misuse): Checked {
  const whole: Issue = { severity: "error", code: "unreadable", pointer: pointerTo(), message, hint };
  return { issues: issues ?? [whole], termination: UNKNOWN };
}

function lineOf({ code, pointer, message, hint }: Issue): IssueLine {
  return { code, pointer, message, hint };
}

function printIssues(issues: readonly Issue[], terminal: Terminal): void {
  for (const issue of issues) {
    const ink = issue.severity === "error" ? "red" : "yellow";
    terminal.print(terminal.paint(ink, harmless(issueLine(issue))));
  }
}

function ends({ verdict, bound, cycle }: CheckDocument["termination"], ok: boolean): string {
  switch (verdict) {
    case "terminates":
      return `It ends after at most ${bound ?? "a fixed number of"} turns.`;
    case "may_not_terminate":
      return `It may run for ever: ${(cycle ?? []).join(" → ")}.`;
    case "unknown":
      return ok ? "Whether it ends is not known." : "";
  }
}
