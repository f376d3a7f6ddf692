/** The working copy of a git repository. */

import type { Sight, WorkingCopy } from "./bootstrap.ts";
import { uncommitted } from "./git-changes.ts";
import { git, tryGit } from "./programs.ts";
import { Declined } from "./request.ts";

export class GitCopy implements WorkingCopy {
  readonly kind = "git" as const;
  readonly root: string;
  readonly #own: readonly string[];

  /** @param own Paths, relative to the root, whose changes are the run's own and nobody's work. */
  constructor(root: string, own: readonly string[]) {
    this.root = root;
    this.#own = own;
  }

  async look(branch: string): Promise<Sight> {
    const { code } = await tryGit(this.root, "check-ref-format", `refs/heads/${branch}`);
    if (code !== 0 || branch.startsWith("-")) {
      throw new Declined(
        `${JSON.stringify(branch)} cannot name a git branch: set params.branch to another name.`,
      );
    }
    const current = await tryGit(this.root, "symbolic-ref", "--quiet", "HEAD");
    const isOnBranch = current.stdout.trim() === `refs/heads/${branch}`;
    const branchExists = isOnBranch || (await this.#commit(`refs/heads/${branch}`)) !== null;
    const base = branchExists ? await this.#beginning(branch) : await this.#commit("HEAD");
    return { branchExists, isOnBranch, base, changes: await uncommitted(this.root, this.#own, git) };
  }

  async create(branch: string): Promise<void> {
    await git(this.root, "switch", "--quiet", "--no-track", "--create", branch);
  }

  async switchTo(branch: string): Promise<void> {
    await git(this.root, "switch", "--quiet", "--no-guess", branch);
  }

  async #commit(name: string): Promise<string | null> {
    const { code, stdout } = await tryGit(this.root, "rev-parse", "--verify", "--quiet", `${name}^{commit}`);
    return code === 0 ? stdout.trim() : null;
  }

  /** The branch's reflog begins where the branch does; a branch without one begins where it stands. */
  async #beginning(branch: string): Promise<string | null> {
    const { stdout } = await tryGit(this.root, "reflog", "show", "--format=%H", `refs/heads/${branch}`, "--");
    return stdout.trim().split("\n").at(-1) || this.#commit(`refs/heads/${branch}`);
  }
}
