/** The report of an error: one sentence for people, one document for programs, and the exit code. */

import { CommanderError } from "commander";
import { invariant, messageOf } from "../../base/failure.ts";
import type { Issue } from "../../base/issue.ts";
import { Refusal } from "../../base/refusal.ts";
import { BundleDamage } from "../../history/bundle/bundle.ts";
import { UnreadableLog } from "../../journals/sqlite/codec.ts";
import { JournalFault } from "../../journals/sqlite/trouble.ts";
import { EXIT, type ExitCode, REFUSALS } from "../../protocol/codes.ts";
import type { ErrorDocument } from "../../protocol/result.ts";
import { Conflict } from "../../run/journal.ts";
import { Misuse } from "../misuse.ts";
import { harmless } from "./style.ts";

type Explained = ErrorDocument["error"] & { readonly exit: ExitCode };

/** Reports what a verb threw; `verb` is the one that was called, as far as that is known. */
export function reportError(thrown: unknown, argv: readonly string[], verb?: string): ExitCode {
  const flags = argv.includes("--") ? argv.slice(0, argv.indexOf("--")) : argv;
  const { exit, ...error } = explain(thrown, verb);
  if (flags.includes("--json")) process.stdout.write(`${harmless(JSON.stringify({ error }, null, 2))}\n`);
  console.error(harmless(`baton: ${error.message}${error.hint ? `\n${error.hint}` : ""}`));
  for (const issue of error.issues ?? []) console.error(harmless(issueLine(issue)));
  const isVerbose = flags.includes("-v") || flags.includes("--verbose");
  if ((isVerbose || error.code === "internal") && thrown instanceof Error) console.error(thrown.stack);
  return exit;
}

/** The refusal of a definition that is not fit to run. */
export function unfit(named: string, issues: readonly Issue[]): Misuse {
  const count = issues.filter(({ severity }) => severity === "error").length;
  const what = count === 1 ? "one thing is" : `${count} things are`;
  return new Misuse("invalid_definition", `${named} cannot run: ${what} wrong in it.`, { issues });
}

/** An issue as a line of text. */
export function issueLine({ severity, code, pointer, message, hint }: Issue): string {
  return `  ${severity} ${pointer === "" ? "(whole file)" : pointer}: ${message} [${code}]${hint ? `\n    ${hint}` : ""}`;
}

function explain(thrown: unknown, verb: string | undefined): Explained {
  if (thrown instanceof CommanderError) return explainUsage(thrown, verb);
  if (thrown instanceof Misuse) {
    const { code, message, hint, issues } = thrown;
    return { exit: EXIT.usage, code, message, ...(hint && { hint }), ...(issues && { issues }) };
  }
  if (thrown instanceof Refusal) {
    return { exit: REFUSALS[thrown.code].exit, code: thrown.code, message: thrown.message };
  }
  if (thrown instanceof Conflict) {
    const hint = "Watch it with `baton events RUN -f`, or stop it with `baton cancel RUN`.";
    return { exit: REFUSALS.conflict.exit, code: "conflict", message: thrown.message, hint };
  }
  if (thrown instanceof BundleDamage) {
    return { exit: EXIT.diverged, code: "damaged_bundle", message: thrown.message };
  }
  if (thrown instanceof JournalFault) {
    return { exit: EXIT.failed, code: `journal_${thrown.kind}`, message: thrown.message };
  }
  if (thrown instanceof UnreadableLog) {
    const hint =
      "Other runs are not affected: `baton runs` lists them, and `baton export` carries them elsewhere.";
    return { exit: EXIT.failed, code: "journal_damaged", message: thrown.message, hint };
  }
  const message = messageOf(thrown);
  return { exit: EXIT.failed, code: "internal", message };
}

/** Commander's message begins with `error: ` and may bring its suggestion on a second line. */
function explainUsage({ code, message }: CommanderError, verb: string | undefined): Explained {
  if (code === "commander.help") return { exit: EXIT.usage, code: "usage", message: "Name a verb." };
  const [first, ...rest] = message.replace(/^error: /, "").split("\n");
  invariant(first !== undefined, "splitting gives at least one line");
  const sentence = `${first.charAt(0).toUpperCase()}${first.slice(1)}${first.endsWith(".") ? "" : "."}`;
  const called = verb === undefined ? "baton --help" : `baton ${verb} --help`;
  const hint = rest.join(" ").replace(/^\((.*)\)$/, "$1") || `See \`${called}\`.`;
  return { exit: EXIT.usage, code: "usage", message: sentence, hint };
}
