/**
 * Blackbelt-Bootstrap: brings a clean working copy to a branch (in jj: a bookmark) of the run's own.
 *
 * Parameters: `branch` (default: derived from the request and the run's id) and `allowDirty`, which lets
 * uncommitted changes come along.
 */

import { bootstrap } from "../bootstrap.ts";
import { branchName } from "../branch-name.ts";
import { GitCopy } from "../git-copy.ts";
import { JjCopy } from "../jj-copy.ts";
import { main } from "../main.ts";
import { ownPaths } from "../own-paths.ts";
import { Declined, readParams } from "../request.ts";
import { detectVcs } from "../vcs.ts";

await main(async (request) => {
  const { cwd, runId, params } = request;
  const known = readParams(params, { branch: "text", allowDirty: "truth" });
  const { branch = branchName(request.request, runId), allowDirty = false } = known;
  const { kind, root, available } = await detectVcs(cwd);
  if (root === null) {
    throw new Declined(
      `There is no git or jj repository at ${cwd}: make one first, for example with git init.`,
    );
  }
  if (!available)
    throw new Declined(`${root} is a ${kind} repository, and the program ${kind} does not run here.`);
  const Copy = kind === "jj" ? JjCopy : GitCopy;
  const done = await bootstrap(new Copy(root, ownPaths(request, root)), branch, allowDirty);
  return { state: { blackbeltBootstrap: { ...done } } };
});
