/** The changes of a git working copy that are not committed. */

/** Runs git in a folder, and gives what it printed. */
type Git = (cwd: string, ...args: readonly string[]) => Promise<string>;

/** Their paths from the root, besides some that are nobody's work; whole folders that git does not know as one path. */
export async function uncommitted(root: string, own: readonly string[], git: Git): Promise<string[]> {
  const others = own.map((path) => `:(exclude,literal)${path}`);
  const flags = ["--porcelain=v1", "-z", "--no-renames", "--untracked-files=normal"];
  const status = await git(root, "status", ...flags, "--", ".", ...others);
  // Two letters of status and a blank stand before each path.
  return status.split("\0").flatMap((entry) => (entry === "" ? [] : [entry.slice(3)]));
}
