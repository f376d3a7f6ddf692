/**
 * Trust: a loadout can run commands of its own and lets agents change files, so one that came with a repository is
 * asked about once before its first run, and again when its content has changed.
 *
 * 1. A definition came with a repository when git tracks its file. One that git does not track, or that lies outside
 *    of any repository, was put there by the person, who is not asked.
 * 2. There is something to ask about when it has utilities with a `command` of their own, or agents that may use
 *    tools. Bundled utilities come with Baton, and a script (`--script`) takes the place of every agent.
 * 3. What was allowed is remembered by the hash of the content, in the user's own folder and never in a project:
 *    `$XDG_CONFIG_HOME/baton/trusted.json`, by default `~/.config/baton/trusted.json`.
 * 4. `--yes` allows one run and remembers nothing. Without it and without a terminal the run is refused.
 */

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { assign, isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { sha256 } from "../../engines/local.ts";
import { isTracked } from "../../providers/command/tracked.ts";
import { Misuse } from "../misuse.ts";
import { selfName } from "../self.ts";
import { confirm } from "../terminal/confirm.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { configFolder } from "./source.ts";

export interface Trusting {
  /** The definition file, absolute, and its content. */
  readonly path: string;
  readonly text: string;
  /** What it would do, a phrase each; nothing when there is nothing to ask about (2). */
  readonly powers: readonly string[];
  readonly yes: boolean;
  readonly terminal: Terminal;
}

/** Lets the run pass, asks the person, or refuses. */
export async function requireTrust({ path, text, powers, yes, terminal }: Trusting): Promise<void> {
  if (yes || !needsTrust({ path, text, powers })) return;
  const what = `${path} came with its repository and would ${powers.join(", and ")}.`;
  if (terminal.isInteractive && (await confirm(`${what}\nDo you trust it?`))) return trustText(path, text);
  const hint = `Read it, and then allow it with \`${selfName()} trust ${path}\` (--yes allows one run).`;
  throw new Misuse("not_trusted", what, { hint });
}

/** Says whether a person has to be asked before this content runs. */
export function needsTrust({ path, text, powers }: Pick<Trusting, "path" | "text" | "powers">): boolean {
  return powers.length > 0 && !isTrusted(text) && isTracked(path);
}

/** Remembers that this content may run. */
export function trustText(path: string, text: string): void {
  const known: Record<string, Json> = {};
  for (const [hash, entry] of Object.entries(readTrusted())) assign(known, hash, entry);
  assign(known, sha256(text), { path });
  const file = trustedFile();
  const draft = `${file}.${process.pid}`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(draft, `${JSON.stringify(known, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}

/** Says whether this content was allowed before. */
export function isTrusted(text: string): boolean {
  return Object.hasOwn(readTrusted(), sha256(text));
}

function trustedFile(): string {
  return join(configFolder(), "trusted.json");
}

/** What was allowed; nothing when the file is missing or is not what it should be. */
function readTrusted(): JsonObject {
  const file = trustedFile();
  if (!existsSync(file)) return {};
  try {
    const json = JSON.parse(readFileSync(file, "utf8")) as Json;
    return isJsonObject(json) ? json : {};
  } catch {
    return {};
  }
}
