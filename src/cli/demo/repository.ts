/** The repository of the demo: a small project under git in a temporary folder, with one commit. */

import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { Misuse } from "../misuse.ts";

const FILES: Readonly<Record<string, string>> = {
  "README.md": "# Visitors\n\nA small project that welcomes people.\n",
  "package.json": '{ "name": "visitors", "private": true, "type": "module" }\n',
  "src/index.js": 'console.log("Nobody is greeted yet.");\n',
};

/** What the person has configured stays out of it: neither names, nor signatures, nor hooks. */
const NEUTRAL = [
  "user.name=Baton demo",
  "user.email=demo@baton.invalid",
  "commit.gpgsign=false",
  "init.defaultBranch=main",
  "core.hooksPath=/dev/null",
].flatMap((setting) => ["-c", setting]);

/** Makes the repository with copies of these files in it; returns its folder. */
export function makeRepository(copies: readonly string[]): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "baton-demo-")));
  for (const [path, content] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  for (const path of copies) copyFileSync(path, join(folder, basename(path)));
  git(folder, ["init", "--quiet"]);
  git(folder, ["add", "--all"]);
  git(folder, ["commit", "--quiet", "--message", "Begin"]);
  return folder;
}

/** Everything that has changed since the commit, new files too. */
export function diffOf(folder: string, { color }: { readonly color: boolean }): string {
  git(folder, ["add", "--intent-to-add", "--all"]);
  return git(folder, ["diff", color ? "--color=always" : "--no-color"]).stdout;
}

function git(folder: string, args: readonly string[]): SpawnSyncReturns<string> {
  const foreign = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"));
  const env = Object.fromEntries(foreign);
  const done = spawnSync("git", [...NEUTRAL, ...args], { cwd: folder, env, encoding: "utf8" });
  if (done.error)
    throw new Misuse("not_found", "The demo makes a small git repository, and git does not run here.");
  if (done.status !== 0) throw new Error(`git ${args.join(" ")} failed: ${done.stderr}`);
  return done;
}
