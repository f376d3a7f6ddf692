/**
 * A tree store finds the pictures of files that logs name in the git repositories that may have them, carries them from
 * one machine to another, and lays them out in a folder.
 *
 * 1. A repository that it looks into is not written to.
 * 2. A picture travels as a commit without a past, under `refs/baton/<picture>`; what arrives is held against its name.
 */

import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { git, tryGit } from "../providers/working-tree/git.ts";

/** A picture, and the tree that it is or, when it is a commit, has. */
export interface Picture {
  readonly object: string;
  readonly tree: string;
}

export interface Packed {
  readonly pictures: readonly Picture[];
  /** A git bundle. */
  readonly bytes: Uint8Array;
}

/** Nobody in particular, at no particular time: the same picture always makes the same commit. */
const NOBODY = {
  ...{ GIT_AUTHOR_NAME: "Baton", GIT_AUTHOR_EMAIL: "baton@localhost", GIT_AUTHOR_DATE: "@0 +0000" },
  ...{ GIT_COMMITTER_NAME: "Baton", GIT_COMMITTER_EMAIL: "baton@localhost", GIT_COMMITTER_DATE: "@0 +0000" },
};

export class TreeStore {
  readonly #repositories: readonly string[];

  /** Looks into these repositories, by their git folders, absolute. */
  constructor(repositories: readonly string[]) {
    this.#repositories = repositories;
  }

  /** The store of the shadows in these folders, and of the repository that a working folder belongs to. */
  static async of(folders: readonly string[], cwd: string | undefined): Promise<TreeStore> {
    const shadows: string[] = [];
    for (const folder of folders) {
      for (const name of await readdir(folder).catch(() => [])) shadows.push(join(folder, name));
    }
    return new TreeStore([...shadows, ...(await repositoryOf(cwd))]);
  }

  /** The repository that has a picture. */
  async find(
    object: string,
  ): Promise<{ readonly repository: string; readonly picture: Picture } | undefined> {
    for (const repository of this.#repositories) {
      for (const name of [object, `refs/baton/${object}`]) {
        const args = ["--git-dir", repository, "rev-parse", "--verify", "--quiet", `${name}^{tree}`];
        const { code, stdout } = await tryGit({ args, cwd: "/" });
        if (code === 0) return { repository, picture: { object, tree: stdout.trim() } };
      }
    }
    return undefined;
  }

  /** Those of the pictures that are there as one git bundle, if it is no larger than that. */
  async pack(objects: readonly string[], maxBytes: number): Promise<Packed | { readonly why: string }> {
    const looked = await Promise.all([...new Set(objects)].map((object) => this.find(object)));
    const found = looked.flatMap((each) => each ?? []);
    if (found.length === 0) return { why: "the pictures of its files are not on this machine any more" };
    const home = await mkdtemp(join(tmpdir(), "baton-trees-"));
    try {
      const repository = join(home, "r");
      await initialize(
        repository,
        found.map((each) => each.repository),
        found[0]?.picture.object ?? "",
      );
      for (const { picture } of found) await keep(repository, picture);
      const file = join(home, "trees.bundle");
      await git({ args: ["--git-dir", repository, "bundle", "create", "--quiet", file, "--all"], cwd: home });
      const { size } = await stat(file);
      if (size > maxBytes)
        return { why: `the pictures of its files take ${size} bytes, and at most ${maxBytes} are carried` };
      return { pictures: found.map(({ picture }) => picture), bytes: await readFile(file) };
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  }

  /** Puts a file's worth of every path of a picture into a folder, which must be empty. */
  async checkOut(object: string, folder: string): Promise<void> {
    const found = await this.find(object);
    if (found === undefined) throw new Error(`The picture ${object} is not on this machine any more.`);
    const home = await mkdtemp(join(tmpdir(), "baton-index-"));
    const env = { GIT_INDEX_FILE: join(home, "index") };
    try {
      // Bytes as they were: no attribute of the files may turn line endings or run filters.
      const bare = join(home, "r");
      await initialize(bare, [found.repository], object);
      const at = ["--git-dir", bare, "--work-tree", folder];
      await git({ args: [...at, "read-tree", found.picture.tree], cwd: folder, env });
      await git({ args: [...at, "checkout-index", "--all", "--force", "--quiet"], cwd: folder, env });
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  }
}

/** Unpacks pictures into a repository of their own. Rejects when one is not what its name says (2). */
export async function unpackTrees({ pictures, bytes }: Packed, repository: string): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), "baton-trees-"));
  try {
    const file = join(home, "trees.bundle");
    await writeFile(file, bytes);
    await initialize(repository, [], pictures[0]?.object ?? "");
    const args = ["--git-dir", repository, "-c", "transfer.fsckObjects=true", "fetch", "--quiet", file];
    await git({ args: [...args, "refs/baton/*:refs/baton/*"], cwd: home });
    const store = new TreeStore([repository]);
    for (const { object, tree } of pictures) {
      const found = await store.find(object);
      const isWhole = found?.picture.tree === tree && (await isItself(repository, object, tree));
      if (!isWhole) throw new Error(`The picture ${object} did not arrive as it was.`);
    }
  } catch (error) {
    await rm(repository, { recursive: true, force: true });
    throw error;
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** A tree is known by its name; a commit did not travel, and its picture is looked up by reference. */
async function isItself(repository: string, object: string, tree: string): Promise<boolean> {
  if (object === tree) return true;
  const args = ["--git-dir", repository, "cat-file", "-e", tree];
  return (await tryGit({ args, cwd: "/" })).code === 0;
}

/** An empty repository that borrows the objects of others. */
async function initialize(folder: string, from: readonly string[], object: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const format = object.length === 64 ? "sha256" : "sha1";
  await git({
    args: ["init", "-q", "--bare", "--template=", `--object-format=${format}`, folder],
    cwd: folder,
  });
  await mkdir(join(folder, "info"), { recursive: true });
  await writeFile(join(folder, "info", "attributes"), "* -text !eol -ident -filter -working-tree-encoding\n");
  const borrowed = [...new Set(from)].map((repository) => `${join(repository, "objects")}\n`);
  await mkdir(join(folder, "objects", "info"), { recursive: true });
  await writeFile(join(folder, "objects", "info", "alternates"), borrowed.join(""));
}

async function keep(repository: string, { object, tree }: Picture): Promise<void> {
  const at = ["--git-dir", repository];
  const made = await git({
    args: [...at, "commit-tree", "-m", `Picture ${object}`, tree],
    cwd: repository,
    env: NOBODY,
  });
  await git({ args: [...at, "update-ref", `refs/baton/${object}`, made.trim()], cwd: repository });
}

async function repositoryOf(cwd: string | undefined): Promise<string[]> {
  if (cwd === undefined || (await stat(cwd).catch(() => undefined)) === undefined) return [];
  const args = ["rev-parse", "--path-format=absolute", "--git-common-dir"];
  const { code, stdout } = await tryGit({ args, cwd });
  return code === 0 ? [stdout.replace(/\r?\n$/, "")] : [];
}
