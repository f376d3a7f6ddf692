/**
 * A folder of this machine as the workspace.
 *
 * 1. A path is relative and has no `..`; links are followed, and what they lead to must be inside the folder.
 * 2. A file is there whole or not at all: it is written beside its place and then moved there.
 * 3. A link that leads nowhere is refused, because writing through it would make a file where nobody looked.
 *
 * Between the check and the move another process can still exchange a folder for a link; Node has no call that
 * closes that gap. It is kept small: the parent is resolved after it was made, and the new file is never a link.
 */

import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { lstat, mkdir, open, realpath, rename, rm, stat } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import type { Workspace } from "../../agent/workspace.ts";
import { isInside, realPath, segmentsInside } from "./inside.ts";

/** Never through a link, where the platform can say so. */
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/** A folder of this machine that agents write files to, and never out of. A path that leads out of it is refused. */
export class LocalWorkspace implements Workspace {
  readonly root: string;

  /** @param root The folder; relative ones are relative to the working directory of the process. */
  constructor(root: string) {
    this.root = resolve(root);
  }

  async write(path: string, content: string): Promise<void> {
    const segments = segmentsOf(path);
    const name = segments.pop() as string; // a path that passed has at least one segment
    const root = await realpath(this.root);
    const parent = await this.#parent(root, segments, path);
    const target = await this.#target(root, join(parent, name), path);
    await writeWhole(target, content);
  }

  /** Makes the folders above the file, and says where they really are. */
  async #parent(root: string, segments: readonly string[], path: string): Promise<string> {
    let here = root;
    for (const segment of segments) {
      const next = join(here, segment);
      if (!(await exists(next))) await mkdir(next, { recursive: true });
      here = await this.#inside(root, next, path);
      if (!(await stat(here)).isDirectory()) {
        throw new Error(`${quoted(path)} cannot be written: ${quoted(segment)} is a file and no folder.`);
      }
    }
    return here;
  }

  /** Where the content goes: the file itself, or the file that a link leads to. */
  async #target(root: string, target: string, path: string): Promise<string> {
    if (!(await exists(target))) return target;
    const real = await this.#inside(root, target, path);
    const found = await stat(real);
    if (found.isFile()) return real;
    const what = found.isDirectory() ? "a folder" : "no ordinary file";
    throw new Error(`${quoted(path)} cannot be written: it is ${what}.`);
  }

  /** Follows links and refuses what is outside (1) or nowhere (3). */
  async #inside(root: string, place: string, path: string): Promise<string> {
    const real = await realPath(place);
    if (real === undefined) {
      throw new Error(`${quoted(path)} cannot be written: a link in it leads nowhere.`);
    }
    if (isInside(root, real)) return real;
    throw new Error(
      `${quoted(path)} cannot be written: a link in it leads out of the working folder ${this.root}.`,
    );
  }
}

/** Splits a path that is allowed as it is spelled (1), and names a file. */
function segmentsOf(path: string): string[] {
  const segments = segmentsInside(path);
  const namesFolder = sep === "\\" ? /[\\/]\.?$/ : /\/\.?$/;
  if (segments.length === 0 || namesFolder.test(path)) throw new Error(`${quoted(path)} names no file.`);
  return segments;
}

/** Writes beside the target and moves it there (2); a file that is replaced hands on its permissions. */
async function writeWhole(target: string, content: string): Promise<void> {
  const before = await stat(target).catch(() => undefined);
  const fresh = join(target, "..", `.baton-${randomUUID()}.tmp`);
  try {
    const file = await open(fresh, NEW_FILE, 0o666);
    try {
      if (before !== undefined) await file.chmod(before.mode & 0o777);
      await file.writeFile(content, "utf8");
    } finally {
      await file.close();
    }
    await rename(fresh, target);
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
}

/** True for links too, wherever they lead. */
async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false; // what lstat throws has a code
    throw error;
  }
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
