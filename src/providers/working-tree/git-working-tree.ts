/**
 * The working trees of git repositories, compared by pictures that a shadow repository takes.
 *
 * 1. It reads the person's files and repository, and writes only what it was asked to put back.
 * 2. Outside of a repository nothing is compared, and somebody is told once.
 */

import { createHash } from "node:crypto";
import { realpath } from "node:fs/promises";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import type { Changes, Marking, WorkingTree } from "../../agent/working-tree.ts";
import { isJsonObject, type Json } from "../../base/json.ts";
import { tryGit } from "./git.ts";
import { changedBetween, type Hashes, ignoredFiles } from "./ignored.ts";
import { type Repository, Shadow } from "./shadow.ts";

export interface GitWorkingTreeOptions {
  /** The folder of the run. */
  readonly cwd: string;
  /** Where the pictures are kept. Marks are good for as long as it is there; it may be deleted between runs. */
  readonly store: string;
  /** Folders that are not looked at, absolute: what the program itself writes there is nobody's change. */
  readonly own?: readonly string[];
  /** Told in one sentence, once, why nothing can be compared. */
  readonly note?: (sentence: string) => void;
}

interface Place {
  readonly shadow: Shadow;
  readonly top: string;
  /** The folder that paths are relative to. */
  readonly folder: string;
}

export class GitWorkingTree implements WorkingTree {
  readonly #options: GitWorkingTreeOptions;
  /** Each repository's shadow, by its top. */
  readonly #shadows: Map<string, Promise<Shadow>> = new Map();
  #hasNoted = false;

  constructor(options: GitWorkingTreeOptions) {
    this.#options = { ...options, cwd: resolve(options.cwd), store: resolve(options.store) };
  }

  async mark(folder?: string, { ignored = false }: Marking = {}): Promise<Json | undefined> {
    const place = await this.#place(folder);
    if (place === undefined) return undefined;
    const tree = await place.shadow.picture();
    return ignored ? { tree, ignored: await this.#ignoredIn(place) } : { tree };
  }

  async changes(mark: Json, folder?: string): Promise<Changes | undefined> {
    const place = await this.#marked(mark, folder);
    const { shadow, top, folder: from } = place;
    const before = treeOf(mark);
    const after = await shadow.picture();
    const hashes = ignoredIn(mark);
    const others = hashes === undefined ? [] : changedBetween(hashes, await this.#ignoredIn(place));
    if (after === before && others.length === 0) return undefined;
    const here = (path: string) => relative(from, join(top, path)).replaceAll(sep, "/");
    return {
      diff: after === before ? "" : await shadow.diff(before, after),
      paths: (await shadow.paths(before, after)).map(here),
      ...(others.length > 0 && { ignored: others.map(here) }),
      after: { tree: after },
    };
  }

  async restore(mark: Json, paths: readonly string[], folder?: string): Promise<void> {
    const { shadow, top, folder: from } = await this.#marked(mark, folder);
    const wanted = paths.map((path) => relative(top, join(from, path)).replaceAll(sep, "/"));
    await shadow.restore(treeOf(mark), new Set(wanted));
  }

  #ignoredIn({ top }: Place): Promise<Hashes> {
    return ignoredFiles(top, this.#ownIn(top));
  }

  async #marked(mark: Json, folder: string | undefined): Promise<Place> {
    const place = await this.#place(folder);
    if (place !== undefined && (await place.shadow.has(treeOf(mark)))) return place;
    const where = folder ?? this.#options.cwd;
    throw new Error(`What ${where} held before the turn is not known any more, so nothing can be compared.`);
  }

  async #place(at: string = this.#options.cwd): Promise<Place | undefined> {
    const repository = await findRepository(at);
    if (typeof repository === "string") {
      if (!this.#hasNoted) this.#options.note?.(repository);
      this.#hasNoted = true;
      return undefined;
    }
    const { top } = repository;
    let shadow = this.#shadows.get(top);
    if (shadow === undefined) {
      shadow = this.#open(repository);
      this.#shadows.set(top, shadow);
      shadow.catch(() => this.#shadows.delete(top)); // the next turn tries again
    }
    return { shadow: await shadow, top, folder: await realpath(at) };
  }

  async #open(repository: Repository): Promise<Shadow> {
    const name = createHash("sha256").update(repository.top).digest("hex").slice(0, 32);
    return Shadow.open(repository, join(this.#options.store, name), this.#ownIn(repository.top));
  }

  /** The folders of ours that lie in a working tree, relative to its top. */
  #ownIn(top: string): string[] {
    const { store, own = [] } = this.#options;
    return [store, ...own].flatMap((folder) => {
      const path = relative(top, resolve(folder));
      const isInside = path !== "" && path !== ".." && !path.startsWith(`..${sep}`) && !isAbsolute(path);
      return isInside ? [path.replaceAll(sep, "/")] : [];
    });
  }
}

/** The repository that a folder belongs to, or a sentence that says why there is none. */
async function findRepository(folder: string): Promise<Repository | string> {
  const facts = ["--show-toplevel", "--git-common-dir", "--show-object-format"];
  const { code, stdout } = await tryGit({
    args: ["rev-parse", "--path-format=absolute", ...facts],
    cwd: folder,
  });
  if (code === 127) return `git does not run in ${folder}, so turns get no diffs.`;
  const [top, common, objectFormat] = stdout.split(/\r?\n/);
  if (code !== 0 || top === undefined || common === undefined || objectFormat === undefined) {
    return `${folder} is in no git repository, so turns get no diffs.`;
  }
  return { top, common, objectFormat };
}

function ignoredIn(mark: Json): Hashes | undefined {
  const hashes = isJsonObject(mark) ? mark["ignored"] : undefined;
  return isJsonObject(hashes) ? (hashes as Hashes) : undefined; // `mark` wrote it
}

function treeOf(mark: Json): string {
  const tree = isJsonObject(mark) ? mark["tree"] : undefined;
  if (typeof tree === "string" && /^[0-9a-f]{40,64}$/.test(tree)) return tree;
  throw new Error("The mark of the working tree is none of git's.");
}
