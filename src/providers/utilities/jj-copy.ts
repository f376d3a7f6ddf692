/** The working copy of a jj repository: its changes are those of the commit `@`, and branches are bookmarks. */

import type { Sight, WorkingCopy } from "./bootstrap.ts";
import { jj } from "./programs.ts";
import { Declined } from "./request.ts";

export class JjCopy implements WorkingCopy {
  readonly kind = "jj" as const;
  readonly root: string;
  readonly #own: readonly string[];

  /** @param own Paths, relative to the root, whose changes are the run's own and nobody's work. */
  constructor(root: string, own: readonly string[]) {
    this.root = root;
    this.#own = own;
  }

  async look(branch: string): Promise<Sight> {
    if (/^-|[\s"\\]/.test(branch)) {
      throw new Declined(
        `${JSON.stringify(branch)} cannot name a jj bookmark: set params.branch to another name.`,
      );
    }
    const changes = await this.#changes();
    const bookmark = `bookmarks(exact:"${branch}")`;
    const branchExists = (await this.#commits(bookmark)).length > 0;
    const isOnBranch = (await this.#commits(`${bookmark} & ::@`)).length > 0;
    const [base = null] = await this.#commits(branchExists ? `${bookmark}-` : "@-");
    return { branchExists, isOnBranch, base, changes };
  }

  async create(branch: string): Promise<void> {
    await jj(this.root, "bookmark", "create", branch, "-r", "@");
  }

  async switchTo(branch: string): Promise<void> {
    await jj(this.root, "new", `bookmarks(exact:"${branch}")`);
  }

  async #changes(): Promise<string[]> {
    const others = this.#own.map((path) => `~root:${JSON.stringify(path)}`).join(" & ");
    return lines(await jj(this.root, "diff", "-r", "@", "--name-only", others || "all()"));
  }

  async #commits(revisions: string): Promise<string[]> {
    return lines(await jj(this.root, "log", "--no-graph", "-r", revisions, "-T", 'commit_id ++ "\\n"'));
  }
}

function lines(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}
