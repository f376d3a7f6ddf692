/**
 * Inside is where paths of a working folder must stay, as they are spelled and where links lead.
 *
 * 1. A path is relative and has no `..`; what its links lead to must be inside the folder.
 */

import { realpath } from "node:fs/promises";
import { isAbsolute, join, sep, win32 } from "node:path";

/** Splits a path that is allowed as it is spelled (1); the folder itself has no segments. Throws a sentence. */
export function segmentsInside(path: string): string[] {
  const quoted = JSON.stringify(path);
  if (path.includes("\0")) throw new Error(`${quoted} is no path: it has a NUL character.`);
  if (isAbsolute(path) || (sep === "\\" && win32.parse(path).root !== "")) {
    throw new Error(`${quoted} is absolute: give a path relative to the working folder.`);
  }
  const segments = path.split(sep === "\\" ? /[\\/]/ : "/");
  if (segments.includes("..")) {
    throw new Error(`${quoted} has ".." in it: give a path that stays inside the working folder.`);
  }
  return segments.filter((segment) => segment !== "" && segment !== ".");
}

/** Says whether a real path is a real folder or lies in it. */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Where a path leads that links may be part of; nothing when it leads nowhere. */
export function realPath(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}

/** Where a path of a folder really is (1); nothing when there is nothing. Rejects with a sentence. */
export async function placeInside(folder: string, path: string): Promise<string | undefined> {
  const segments = segmentsInside(path);
  const root = await realpath(folder);
  const real = await realPath(join(root, ...segments));
  if (real === undefined || isInside(root, real)) return real;
  throw new Error(`A link in ${JSON.stringify(path)} leads out of the working folder.`);
}
