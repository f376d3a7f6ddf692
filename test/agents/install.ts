/**
 * The coding agents that tests drive, really installed: at exact versions, apart from the package, once per machine.
 *
 * 1. The cache is a folder named by the lock file's content, so another version is another folder.
 * 2. An installation counts once it is complete; one that was cut short is begun again.
 * 3. No install script runs: native programs come from the packages of their platform. Those of goose and opencode are
 *    named for 64-bit Linux; elsewhere their installation fails, and the tests are skipped aloud.
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

interface Recipe {
  /** The folder below `install/` with its lock file; that folder itself when absent. */
  readonly lock?: string;
  /** Its program below `node_modules`. */
  readonly program: string;
  /** Whether Node has to run the program. */
  readonly isScript?: true;
  /** Whether its lock file lacks optional packages that no registry has, so that `npm ci` refuses it. */
  readonly isLoose?: true;
}

const AGENTS = {
  goose: { program: "@aaif/goose-binary-linux-x64/bin/goose" },
  opencode: { program: "opencode-linux-x64/bin/opencode" },
  codex: {
    ...{ lock: "codex", program: "@agentclientprotocol/codex-acp/dist/index.js" },
    isScript: true,
  },
  claude: {
    ...{ lock: "claude", program: "@agentclientprotocol/claude-agent-acp/dist/index.js" },
    isScript: true,
  },
  gemini: { lock: "gemini", program: "@google/gemini-cli/bundle/gemini.js", isScript: true },
  qwen: { lock: "qwen", program: "@qwen-code/qwen-code/cli.js", isScript: true, isLoose: true },
  pi: { lock: "pi", program: "@earendil-works/pi-coding-agent/dist/cli.js", isScript: true },
} satisfies Readonly<Record<string, Recipe>>;

export type AgentName = keyof typeof AGENTS;

/** The beginning of a command line that starts an agent. */
export type Program = readonly [program: string, ...args: string[]];

/** The programs of some agents by name, or why they cannot be had. */
export type Installed<Name extends AgentName> =
  | { readonly ok: true; readonly programs: Readonly<Record<Name, Program>> }
  | { readonly ok: false; readonly why: string };

export async function installAgents<Name extends AgentName>(
  ...names: readonly Name[]
): Promise<Installed<Name>> {
  const programs: Partial<Record<Name, Program>> = {};
  try {
    for (const name of names) programs[name] = await installed(AGENTS[name]);
    return { ok: true, programs: programs as Record<Name, Program> }; // all of them are there
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : String(error) };
  }
}

/** The agents of every test run: left out, aloud, where they cannot be had or nobody wants them; not where CI runs. */
export async function installWanted<Name extends AgentName>(
  ...names: readonly Name[]
): Promise<Installed<Name>> {
  const isWanted = process.env["BATON_SKIP_AGENTS"] !== "1";
  const found = isWanted
    ? await installAgents(...names)
    : { ok: false as const, why: "BATON_SKIP_AGENTS is set." };
  if (!found.ok && isWanted && process.env["CI"]) throw new Error(found.why);
  if (!found.ok) console.warn(`The tests with ${names.join(" and ")} are skipped. ${found.why}`);
  return found;
}

async function installed({ lock = "", program, isScript, isLoose }: Recipe): Promise<Program> {
  const source = join(SOURCE, lock);
  const digest = createHash("sha256");
  for (const file of FILES) digest.update(readFileSync(join(source, file)));
  const cache = process.env["BATON_AGENTS_CACHE"] ?? join(homedir(), ".cache", "baton-test-agents");
  const folder = join(cache, digest.digest("hex").slice(0, 16)); // (1)
  if (!existsSync(folder)) await install({ source, cache, folder, how: isLoose ? "install" : "ci" });
  const path = join(folder, "node_modules", program);
  if (!existsSync(path)) throw new Error(`The agents were installed, but there is no ${path}.`);
  return isScript ? [process.execPath, path] : [path];
}

interface Places {
  readonly source: string;
  readonly cache: string;
  readonly folder: string;
  readonly how: "ci" | "install";
}

async function install({ source, cache, folder, how }: Places): Promise<void> {
  const fresh = `${folder}.${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  for (const file of FILES) copyFileSync(join(source, file), join(fresh, file));
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const args = [how, "--ignore-scripts", "--no-audit", "--no-fund"]; // (3)
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
