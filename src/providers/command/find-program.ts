/** Finding a program: in the project's own packages first, then on the search path. */

import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import type { Environment } from "./environment.ts";

export interface SearchOptions {
  /** The project; its `node_modules/.bin` comes first. */
  readonly cwd: string;
  /** Where `PATH` comes from; default: the environment of this process. */
  readonly env?: Environment;
}

/** The absolute path of a program; nothing when there is none that may be run. */
export function findProgram(name: string, { cwd, env = process.env }: SearchOptions): string | undefined {
  if (isAbsolute(name)) return isProgram(name) ? name : undefined;
  const folders = [
    join(cwd, "node_modules", ".bin"),
    ...(env["PATH"] ?? "").split(delimiter).filter(isAbsolute),
  ];
  const endings = process.platform === "win32" ? [".exe", ".cmd", ""] : [""];
  return folders.flatMap((folder) => endings.map((ending) => join(folder, name + ending))).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
