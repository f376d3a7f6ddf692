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

interface Found {
  readonly repository: string;
  readonly picture: Picture;
}

/** Nobody in particular, at no particular time: the same picture always makes the same commit. */
const NOBODY = "Baton <baton@localhost> 0 +0000";

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
  async find(object: string): Promise<Found | undefined> {
    return (await this.#lookUp([object]))[0];
  }

  /** Those of the pictures that are there: git is asked once for each repository, and no longer than it has to be. */
  async #lookUp(objects: readonly string[]): Promise<readonly Found[]> {
    const found = new Map<string, Found>();
    for (const repository of this.#repositories) {
      const missing = objects.filter((object) => !found.has(object));
      if (missing.length === 0) break;
      for (const picture of await picturesIn(repository, missing)) {
        found.set(picture.object, { repository, picture });
      }
    }
    return objects.flatMap((object) => found.get(object) ?? []);
  }

  /** Those of the pictures that are there as one git bundle, if it is no larger than that. */
  async pack(objects: readonly string[], maxBytes: number): Promise<Packed | { readonly why: string }> {
    const found = await this.#lookUp([...new Set(objects)]);
    if (found.length === 0) return { why: "the pictures of its files are not on this machine any more" };
    const pictures = found.map(({ picture }) => picture);
    const home = await mkdtemp(join(tmpdir(), "baton-trees-"));
    try {
      const repository = join(home, "r");
      await initialize(
        repository,
        found.map((each) => each.repository),
        pictures[0]?.object ?? "",
      );
      await keep(repository, pictures);
      const file = join(home, "trees.bundle");
      await git({ args: ["--git-dir", repository, "bundle", "create", "--quiet", file, "--all"], cwd: home });
      const { size } = await stat(file);
      if (size > maxBytes)
        return { why: `the pictures of its files take ${size} bytes, and at most ${maxBytes} are carried` };
      return { pictures, bytes: await readFile(file) };
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
    const arrived = await picturesIn(
      repository,
      pictures.map(({ object }) => object),
    );
    const treeOf = new Map(arrived.map(({ object, tree }) => [object, tree]));
    for (const { object, tree } of pictures) {
      // What is itself a tree is known by its name; a commit did not travel, and is looked up by reference.
      if (treeOf.get(object) !== tree) throw new Error(`The picture ${object} did not arrive as it was.`);
    }
  } catch (error) {
    await rm(repository, { recursive: true, force: true });
    throw error;
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** Those of the pictures that a repository has, by their own name or by reference. */
async function picturesIn(repository: string, objects: readonly string[]): Promise<readonly Picture[]> {
  const names = objects.flatMap((object) => [`${object}^{tree}`, `refs/baton/${object}^{tree}`]);
  const { code, stdout } = await tryGit({
    args: ["--git-dir", repository, "cat-file", "--batch-check=%(objectname) %(objecttype)"],
    cwd: "/",
    input: names.map((name) => `${name}\n`).join(""),
  });
  if (code !== 0) return [];
  const answers = stdout.split("\n");
  return objects.flatMap((object, index) => {
    const [own, referred] = [answers[2 * index], answers[2 * index + 1]];
    const [, tree] = [own, referred].flatMap((answer) => TREE.exec(answer ?? "") ?? []);
    return tree === undefined ? [] : [{ object, tree }];
  });
}

const TREE = /^([0-9a-f]{40}|[0-9a-f]{64}) tree$/;

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

/** Makes a commit without a past of each picture, and a reference to it (2). */
async function keep(repository: string, pictures: readonly Picture[]): Promise<void> {
  const commits = pictures.map(({ object, tree }) => {
    const message = `Picture ${object}\n`;
    const head = [`commit refs/baton/${object}`, `committer ${NOBODY}`, `data ${message.length}`];
    return `${head.join("\n")}\n${message}M 040000 ${tree} \n\n`;
  });
  const args = ["--git-dir", repository, "fast-import", "--quiet", "--done"];
  await git({ args, cwd: repository, input: `${commits.join("")}done\n` });
}

async function repositoryOf(cwd: string | undefined): Promise<string[]> {
  if (cwd === undefined || (await stat(cwd).catch(() => undefined)) === undefined) return [];
  const args = ["rev-parse", "--path-format=absolute", "--git-common-dir"];
  const { code, stdout } = await tryGit({ args, cwd });
  return code === 0 ? [stdout.replace(/\r?\n$/, "")] : [];
}
