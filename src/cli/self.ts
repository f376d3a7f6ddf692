/** What a person types to call this command again, from where they are. */

import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { DEFAULT_DB } from "./global-flags.ts";
import type { Options } from "./verb.ts";

/** The command itself: `baton` where it is installed, `npx batonjs` without that, in a checkout the path of its script. */
export function selfName(): string {
  if (!import.meta.url.endsWith(".ts"))
    return process.env["npm_command"] === "exec" ? "npx batonjs" : "baton";
  const script = fileURLToPath(new URL("../../bin/baton", import.meta.url));
  const here = relative(process.cwd(), script);
  return quoted(here.startsWith("..") ? script : here);
}

/** The words that call a verb on a run in the same database. */
export function selfCall(verb: string, rest: string, { db }: Pick<Options, "db">): string {
  const where = db === DEFAULT_DB ? "" : ` --db ${quoted(db)}`;
  return `${selfName()} ${verb} ${rest}${where}`;
}

/** A word as a shell reads it back. */
export function quoted(word: string): string {
  return /^[\w./:@%+=,~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
