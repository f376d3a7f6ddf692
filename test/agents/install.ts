/**
 * The coding agents that tests drive, really installed: at exact versions, apart from the package, once per machine.
 *
 * 1. The cache is a folder named by the lock file's content, so another version is another folder.
 * 2. An installation counts once it is complete; one that was cut short is begun again.
 * 3. No install script runs: what is installed are the packages with the programs themselves. They are those of
 *    64-bit Linux; elsewhere the installation fails, and the tests are skipped aloud.
 */

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const SOURCE = fileURLToPath(new URL("install/", import.meta.url));
const FILES = ["package.json", "package-lock.json"];
const INSTALL_MS = 240_000;

const PROGRAMS = {
  goose: "@aaif/goose-binary-linux-x64/bin/goose",
  opencode: "opencode-linux-x64/bin/opencode",
};

/** Where the programs are, or why they cannot be had. */
export type Installed =
  | { readonly ok: true; readonly program: (name: keyof typeof PROGRAMS) => string }
  | { readonly ok: false; readonly why: string };

export async function installAgents(): Promise<Installed> {
  const digest = createHash("sha256");
  for (const file of FILES) digest.update(readFileSync(join(SOURCE, file)));
  const cache = process.env["BATON_AGENTS_CACHE"] ?? join(homedir(), ".cache", "baton-test-agents");
  const folder = join(cache, digest.digest("hex").slice(0, 16));
  try {
    if (!existsSync(folder)) await install(cache, folder);
    return { ok: true, program: (name) => join(folder, "node_modules", PROGRAMS[name]) };
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : String(error) };
  }
}

async function install(cache: string, folder: string): Promise<void> {
  const fresh = `${folder}.${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  for (const file of FILES) copyFileSync(join(SOURCE, file), join(fresh, file));
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
  try {
    await promisify(execFile)(npm, args, { cwd: fresh, timeout: INSTALL_MS });
    if (existsSync(folder)) rmSync(fresh, { recursive: true });
    else renameSync(fresh, folder); // (2)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    const why = String((error as Error).message)
      .split("\n")
      .slice(0, 6)
      .join("\n");
    throw new Error(`The agents could not be installed below ${cache}: ${why}`);
  }
}
