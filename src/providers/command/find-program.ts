/**
 * Finding a program: in the project's own packages first, then on the search path.
 *
 * 1. A package's program that came with the repository was installed by nobody, and is passed by: naming an agent is
 *    not asking for whatever somebody put there under that name.
 */

import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import type { Environment } from "./environment.ts";
import { isTracked } from "./tracked.ts";

export interface SearchOptions {
  /** The project; its `node_modules/.bin` comes first. */
  readonly cwd: string;
  /** Where `PATH` comes from; default: the environment of this process. */
  readonly env?: Environment;
}

/** The absolute path of a program; nothing when there is none that may be run. */
export function findProgram(name: string, { cwd, env = process.env }: SearchOptions): string | undefined {
  if (isAbsolute(name)) return isProgram(name) ? name : undefined;
  const endings = process.platform === "win32" ? [".exe", ".cmd", ""] : [""];
  const named = (folder: string) => endings.map((ending) => join(folder, name + ending)).filter(isProgram);
  const [own] = named(join(cwd, "node_modules", ".bin"));
  if (own !== undefined && !isTracked(own)) return own; // (1)
  return (env["PATH"] ?? "").split(delimiter).filter(isAbsolute).flatMap(named)[0];
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
