/**
 * A shadow is a repository of our own beside a person's: it takes pictures of the person's files as git trees.
 *
 * 1. Nothing is written to the person's repository: neither to its index nor to HEAD, not even an object.
 * 2. What the person's repository ignores is not looked at, unless it is tracked all the same.
 * 3. A picture holds the bytes as they lie in the folder: no line endings are changed, no filters run.
 * 4. Contents that the person's repository has already are not stored again.
 */

import { randomUUID } from "node:crypto";
import { copyFile, lstat, mkdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type GitResult, git, tryGit } from "./git.ts";

/** Where a person's repository lies; all paths are absolute. */
export interface Repository {
  /** The top of its working tree. */
  readonly top: string;
  /** What its worktrees share. */
  readonly common: string;
  readonly objectFormat: string;
}

/** The place of a file in two trees: `before` or `after` is absent where it is not in one of them. */
interface Difference {
  readonly path: string;
  readonly isAdded: boolean;
  readonly isRepository: boolean;
}

/** The highest precedence that git has for attributes: no file of the working tree can say otherwise (3). */
const ATTRIBUTES = "* -text !eol -ident -filter -working-tree-encoding !diff !merge\n";
const CONFIG = ["core.bare=false", "core.quotePath=false", "advice.addEmbeddedRepo=false", "gc.auto=0"];
/** A longer diff is told as a list of files. */
const MOST_BYTES = 4 << 20;

export class Shadow {
  readonly #repository: Repository;
  /** The folder of the shadow itself. */
  readonly #folder: string;
  readonly #config: readonly string[];

  private constructor(repository: Repository, folder: string, config: readonly string[]) {
    this.#repository = repository;
    this.#folder = folder;
    this.#config = config.flatMap((setting) => ["-c", setting]);
  }

  /** Makes the shadow of a repository or finds it again. `own` are folders of ours that are not looked at. */
  static async open(repository: Repository, folder: string, own: readonly string[]): Promise<Shadow> {
    const { top, common } = repository;
    if ((await stat(join(folder, "HEAD")).catch(() => undefined)) === undefined)
      await make(repository, folder);
    const excluded = await readFile(join(common, "info", "exclude"), "utf8").catch(() => "");
    await put(join(folder, "info", "attributes"), ATTRIBUTES);
    await put(join(folder, "info", "exclude"), [excluded, ...own.map(pattern), ""].join("\n"));
    await put(join(folder, "objects", "info", "alternates"), `${join(common, "objects")}\n`); // (4)
    const found = await tryGit({ args: ["config", "--path", "--get", "core.excludesFile"], cwd: top });
    const global = found.code === 0 ? [`core.excludesFile=${found.stdout.trim()}`] : [];
    return new Shadow(repository, folder, [...CONFIG, ...global]);
  }

  /** Takes a picture; returns the name of its tree. */
  async picture(): Promise<string> {
    return this.#withIndex(async (index) => {
      const added = await this.#try(["add", "-A", "--ignore-errors", "--", "."], { index });
      if (added.code > 1) throw new Error(`git add failed: ${added.stderr.trim()}`); // 1: some file was unreadable
      const input = await this.#trackedThoughIgnored();
      if (input !== "")
        await this.#run(["update-index", "--add", "--remove", "-z", "--stdin"], { index, input });
      return (await this.#run(["write-tree"], { index })).trim();
    });
  }

  /** Says whether a picture is still there. */
  async has(tree: string): Promise<boolean> {
    return (await this.#try(["cat-file", "-e", `${tree}^{tree}`])).code === 0;
  }

  /** What has changed from one picture to another, for people to read. */
  async diff(before: string, after: string): Promise<string> {
    const shown = ["diff-tree", "-r", "-M", "--no-color", "--no-ext-diff", "--no-textconv"];
    const { code, stdout, stderr, isCut } = await this.#try([...shown, "-p", before, after], {
      mostBytes: MOST_BYTES,
    });
    if (isCut) {
      const list = await this.#run([...shown, "--stat=200", "--stat-count=1000", before, after]);
      return `The diff is longer than ${MOST_BYTES} bytes; these are its files.\n${list}`;
    }
    if (code !== 0) throw new Error(`git diff-tree failed: ${stderr.trim()}`);
    return stdout;
  }

  /** The paths that differ, relative to the top. */
  async paths(before: string, after: string): Promise<readonly string[]> {
    return (await this.#differences(before, after)).map(({ path }) => path);
  }

  /** Puts files back as they are in a picture. A repository within the repository is left alone. */
  async restore(tree: string, wanted: ReadonlySet<string>): Promise<void> {
    const changed = await this.#differences(tree, await this.picture());
    const files = changed.filter(({ path, isRepository }) => wanted.has(path) && !isRepository);
    for (const { path, isAdded } of files) if (isAdded) await removeFile(join(this.#repository.top, path));
    const input = files.flatMap(({ path, isAdded }) => (isAdded ? [] : [`${path}\0`])).join("");
    if (input === "") return;
    await this.#withIndex(async (index) => {
      await this.#run(["read-tree", tree], { index });
      await this.#run(["checkout-index", "-f", "-q", "-z", "--stdin"], { index, input });
    });
  }

  async #differences(before: string, after: string): Promise<Difference[]> {
    const raw = await this.#run(["diff-tree", "-r", "-z", "--raw", "--no-renames", before, after]);
    const parts = raw.split("\0");
    return Array.from({ length: Math.floor(parts.length / 2) }, (_, index): Difference => {
      const [modes = "", path = ""] = parts.slice(index * 2);
      const [from, to, , , kind] = modes.slice(1).split(" ");
      const isRepository = from === "160000" || to === "160000";
      return { path, isAdded: kind === "A", isRepository };
    });
  }

  /** Files that are tracked and ignored at once, separated by NUL (2). */
  async #trackedThoughIgnored(): Promise<string> {
    const args = ["ls-files", "-z", "-c", "-i", "--exclude-standard", "--full-name"];
    return git({ args, cwd: this.#repository.top });
  }

  /** Works on a copy of the index, whose knowledge of unchanged files saves reading them, and keeps the copy. */
  async #withIndex<T>(work: (index: string) => Promise<T>): Promise<T> {
    const kept = join(this.#folder, "index");
    const index = join(this.#folder, `index-${randomUUID()}`);
    await copyWithTime(kept, index);
    try {
      const result = await work(index);
      await rename(index, kept);
      return result;
    } finally {
      await rm(index, { force: true });
      await rm(`${index}.lock`, { force: true });
    }
  }

  async #run(args: readonly string[], how: Call = {}): Promise<string> {
    return git(this.#call(args, how));
  }

  async #try(args: readonly string[], how: Call = {}): Promise<GitResult> {
    return tryGit(this.#call(args, how));
  }

  #call(args: readonly string[], { index, ...rest }: Call): Parameters<typeof git>[0] {
    const { top } = this.#repository;
    const places = ["--git-dir", this.#folder, "--work-tree", top];
    const env = { ...ALONE, ...(index !== undefined && { GIT_INDEX_FILE: index }) };
    return { args: [...this.#config, ...places, ...args], cwd: top, env, ...rest };
  }
}

interface Call {
  readonly index?: string;
  readonly input?: string;
  readonly mostBytes?: number;
}

/** Nobody's settings count for a shadow, so that it shows the same bytes to everybody (3). */
const ALONE = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };

/** Makes an empty repository in one go: of several processes that do so at once, one gets the place and all use it. */
async function make({ top, objectFormat }: Repository, folder: string): Promise<void> {
  const draft = `${folder}-${randomUUID()}`;
  await mkdir(draft, { recursive: true });
  const init = ["init", "-q", "--bare", "--template=", `--object-format=${objectFormat}`, draft];
  await git({ args: init, cwd: top, env: ALONE });
  await rename(draft, folder).catch(async (error: unknown) => {
    await rm(draft, { recursive: true, force: true });
    if ((await stat(join(folder, "HEAD")).catch(() => undefined)) === undefined) throw error;
  });
}

/** Writes a file in one go, so that nobody reads half of it. */
async function put(path: string, text: string): Promise<void> {
  const draft = `${path}-${randomUUID()}`;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(draft, text);
  await rename(draft, path);
}

/** A path as a pattern that means nothing else. */
function pattern(path: string): string {
  return `/${path.replaceAll(/[\\*?[\] !#]/g, "\\$&")}`;
}

/** Removes a file or a link; a folder that has come in its place stays. */
async function removeFile(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found !== undefined && !found.isDirectory()) await rm(path, { force: true });
}

/**
 * Copies an index with its time, if there is one yet. Git looks again at files that are as young as the index; a copy
 * that is younger would hide a change that was made within the same second and kept the size.
 */
async function copyWithTime(from: string, to: string): Promise<void> {
  const found = await stat(from).catch(() => undefined);
  if (found === undefined) return;
  await copyFile(from, to);
  await utimes(to, found.atime, found.mtime);
}
