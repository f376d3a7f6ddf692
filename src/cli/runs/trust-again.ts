/**
 * Trust asked again: who goes on with a run lets it do what it would do, so a person is asked where nobody here has
 * started that.
 *
 * 1. A log that came from elsewhere was started by somebody else: it was imported, or git tracks the database that it
 *    is in. What was allowed is remembered by the hash of the definition and the folder that it works in.
 * 2. A config that sets up agents and has changed since the run was started is asked about as before a first run.
 * 3. Where nobody sits to be asked, such as at a studio, going on is refused; `--yes` allows it once.
 */

import { resolve } from "node:path";
import type { Json } from "../../base/json.ts";
import type { RunId } from "../../base/names.ts";
import { sha256 } from "../../engines/local.ts";
import { isTracked } from "../../providers/command/tracked.ts";
import type { Cast } from "../agents/agents.ts";
import { Misuse } from "../misuse.ts";
import { selfCall } from "../self.ts";
import { confirm } from "../terminal/confirm.ts";
import type { Options } from "../verb.ts";
import type { Reopening } from "./dialect.ts";
import { isImported } from "./imported.ts";
import type { Store } from "./store.ts";
import { isTrusted, requireTrust, trustText } from "./trust.ts";

export interface GoingOn {
  /** What it would do, a phrase each. */
  readonly powers: readonly string[];
  /** What of it the configs of this machine make it do, where they set up agents. */
  readonly started?: readonly string[];
  readonly cast?: Cast;
  /** What besides the definition says what it does, such as the code of a module. */
  readonly code?: string;
}

/** Lets the run go on, asks the person, or refuses. */
export async function requireTrustAgain(reopening: Reopening, going: GoingOn): Promise<void> {
  const { options, terminal, beginning } = reopening;
  const yes = options.yes === true;
  if (yes) return;
  await requireOwn(reopening, going);
  const { cast, started: powers = [] } = going;
  const known = new Set(beginning.request.configs);
  for (const file of cast?.configs ?? []) {
    if (!known.has(sha256(file.text))) await requireTrust({ ...file, powers, yes, terminal }); // (2)
  }
}

/** (1) */
async function requireOwn(reopening: Reopening, going: GoingOn): Promise<void> {
  const { run, store, beginning, options, terminal } = reopening;
  const { powers, code = "" } = going;
  const { request, definition = null } = beginning;
  if (powers.length === 0 || !(await isForeign(store, run, options))) return;
  const text = JSON.stringify([definition, request.cwd, code] satisfies Json);
  if (isTrusted(text)) return;
  const what = `Run ${run} was started elsewhere, and in ${request.cwd} it would ${powers.join(", and ")}.`;
  if (terminal.asksQuestions && (await confirm(`${what}\nDo you trust it?`))) return trustText(run, text);
  const hint = `Look at it, and then allow it once with \`${selfCall("resume", `${run} --yes`, options)}\`.`;
  throw new Misuse("not_trusted", what, { hint }); // (3)
}

/** Says whether a run came from elsewhere (1). */
export async function isForeign(store: Store, run: RunId, { db }: Pick<Options, "db">): Promise<boolean> {
  return (await isImported(store, run)) || (db !== ":memory:" && isTracked(resolve(db)));
}
