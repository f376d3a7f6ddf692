/**
 * The files of the project, as a page may name them.
 *
 * 1. A path is relative to the project's folder with `/` between its parts, and what it leads to lies in that folder,
 *    after every link was followed.
 * 2. Folders that hold no definitions of the project are out of bounds: hidden ones, those of packages, built ones.
 * 3. A listing is bounded in depth and number, and follows no links.
 */

import { lstat, readdir, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { Problem } from "../../server/problem.ts";

const MOST_FILES = 5000;
const DEEPEST = 8;
/** A definition is no larger than this, in bytes. */
const MOST_BYTES = 1024 * 1024;
const FOREIGN: ReadonlySet<string> = new Set(["node_modules", "dist", "coverage"]);

export interface ProjectFile {
  /** As a page names it. */
  readonly path: string;
  /** With every link followed. */
  readonly absolute: string;
}

export class ProjectFiles {
  readonly #folder: string;

  /** `folder` is absolute and has no links in it. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** A file that is there. */
  async existing(path: string): Promise<ProjectFile> {
    const wanted = this.#inside(path);
    const absolute = await realpath(wanted).catch(() => {
      throw new Problem("not_found", `There is no file ${path} in the project.`);
    });
    this.#requireInside(absolute, path);
    if (!(await stat(absolute)).isFile()) throw new Problem("not_found", `${path} is no file.`);
    return { path, absolute };
  }

  /** A place for a file, which may be there or not; its folder is. */
  async place(path: string): Promise<ProjectFile> {
    const wanted = this.#inside(path);
    if ((await lstat(wanted).catch(() => undefined)) !== undefined) return this.existing(path);
    const folder = await realpath(dirname(wanted)).catch(() => {
      throw new Problem("not_found", `There is no folder ${dirname(path)} in the project.`);
    });
    const absolute = join(folder, basename(wanted));
    this.#requireInside(absolute, path);
    return { path, absolute };
  }

  async isThere({ absolute }: ProjectFile): Promise<boolean> {
    return (await stat(absolute).catch(() => undefined)) !== undefined;
  }

  /** The text of a file. One that is no UTF-8 is refused: saving it again would change what nobody saw. */
  async read({ path, absolute }: ProjectFile): Promise<string> {
    if ((await stat(absolute)).size > MOST_BYTES) throw new Problem("too_large", `${path} is too large.`);
    const bytes = await readFile(absolute);
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      throw new Problem("unreadable", `${path} is no text in UTF-8.`);
    }
  }

  /** Puts a text in place of a file in one go, so that nobody ever reads half of it. */
  async write({ absolute }: ProjectFile, text: string): Promise<void> {
    const draft = join(dirname(absolute), `.${basename(absolute)}.${process.pid}.draft`);
    const mode = (await stat(absolute).catch(() => undefined))?.mode;
    try {
      await writeFile(draft, text, { flag: "wx", ...(mode !== undefined && { mode }) });
      await rename(draft, absolute);
    } finally {
      await rm(draft, { force: true });
    }
  }

  /** The files whose names end with one of these, by path (3). */
  async list(endings: readonly string[]): Promise<readonly ProjectFile[]> {
    const found: ProjectFile[] = [];
    const open = [{ folder: this.#folder, depth: 0 }];
    for (const { folder, depth } of open) {
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
      for (const entry of entries) {
        if (isForeign(entry.name)) continue;
        const absolute = join(folder, entry.name);
        if (entry.isDirectory() && depth < DEEPEST) open.push({ folder: absolute, depth: depth + 1 });
        if (!entry.isFile() || !endings.some((ending) => entry.name.endsWith(ending))) continue;
        found.push({ path: relative(this.#folder, absolute).split(sep).join("/"), absolute });
        if (found.length === MOST_FILES) return byPath(found);
      }
    }
    return byPath(found);
  }

  /** Where a path leads before any link is followed (1, 2). */
  #inside(path: string): string {
    const parts = path.split("/");
    const isPlain = !/[\\\0:]/.test(path) && parts.every((part) => part !== "" && !isForeign(part));
    if (!isPlain) throw outside(path);
    const wanted = resolve(this.#folder, ...parts);
    this.#requireInside(wanted, path);
    return wanted;
  }

  #requireInside(absolute: string, path: string): void {
    const within = relative(this.#folder, absolute);
    if (within === "" || within.split(sep).some(isForeign)) throw outside(path);
  }
}

/** Hidden names begin with a dot, and so do the two that lead elsewhere. */
function isForeign(name: string): boolean {
  return name.startsWith(".") || FOREIGN.has(name);
}

function outside(path: string): Problem {
  return new Problem("not_found", `${JSON.stringify(path)} is no path of a file in the project.`);
}

function byPath(files: readonly ProjectFile[]): readonly ProjectFile[] {
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}
