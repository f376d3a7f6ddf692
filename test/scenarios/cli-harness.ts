/** Calls the command line as a person would: `bin/baton` in a folder of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";
import type { ResultDocument } from "../../src/protocol/result.ts";

export const ROOT: string = fileURLToPath(new URL("../..", import.meta.url));
export const BATON: string = join(ROOT, "bin", "baton");
const BATCH = join(ROOT, "test", "scenarios", "cli-batch.ts");

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Going {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** What it has printed so far. */
  readonly said: { stdout: string; stderr: string };
  /** Resolves once something stands on stdout or stderr. */
  until(text: string): Promise<void>;
}

const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A folder for one test, outside of any repository, with these files in it. */
export function folderWith(files: Readonly<Record<string, unknown>> = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "baton-cli-")));
  folders.push(folder);
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
  }
  return folder;
}

export class CommandLine {
  readonly cwd: string;
  readonly #env: NodeJS.ProcessEnv;

  /** What the person keeps at home stays out of it. */
  constructor(files: Readonly<Record<string, unknown>> = {}, env: NodeJS.ProcessEnv = {}) {
    this.cwd = folderWith(files);
    this.#env = { ...process.env, XDG_CONFIG_HOME: join(this.cwd, "home"), NO_COLOR: "1", ...env };
  }

  start(args: readonly string[], input = ""): Going {
    return this.#start(BATON, args, input);
  }

  #start(command: string, args: readonly string[], input = ""): Going {
    const child = spawn(command, args, { cwd: this.cwd, env: this.#env });
    const said = { stdout: "", stderr: "" };
    const waiting = new Set<() => void>();
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (chunk: string) => {
        said[name] += chunk;
        for (const look of waiting) look();
      });
    }
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    const ended = new Promise<Ended>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code, signal) => resolve({ code, signal, ...said }));
    });
    const until = (text: string) =>
      new Promise<void>((resolve, reject) => {
        const look = () => {
          if (!said.stdout.includes(text) && !said.stderr.includes(text)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
        void ended.then((end) => reject(new Error(`ended without ${text}: ${JSON.stringify(end)}`)));
      });
    return { child, ended, said, until };
  }

  /** Runs commands one after the other in one process, which saves the start of the others. */
  async all(...calls: readonly (readonly string[])[]): Promise<readonly Omit<Ended, "signal">[]> {
    const args = ["--disable-warning=ExperimentalWarning", BATCH, JSON.stringify(calls)];
    const { stdout, stderr } = await this.#start(process.execPath, args).ended;
    try {
      return JSON.parse(stdout) as readonly Omit<Ended, "signal">[];
    } catch {
      throw new Error(`the commands did not come to an end: ${stdout}\n${stderr}`);
    }
  }

  /** Runs a command to its end. */
  run(...args: readonly string[]): Promise<Ended> {
    return this.start(args).ended;
  }

  /** Runs a command with `--json`; the document is all that stands on stdout. */
  async json<T = ResultDocument>(...args: readonly string[]): Promise<{ code: number | null; document: T }> {
    const { code, stdout, stderr } = await this.run(...args, "--json");
    try {
      return { code, document: JSON.parse(stdout) as T };
    } catch {
      throw new Error(`not one JSON document: ${stdout}\n${stderr}`);
    }
  }
}

/** A loadout of sockets in a row, each with a materia of its own. */
export function inARow(materia: Readonly<Record<string, object>>, parse: "text" | "json" = "text"): object {
  const names = Object.keys(materia);
  const sockets = names.map((name, index) => {
    const last = index === names.length - 1;
    const edges = last ? [] : [{ when: "always", to: `Socket-${index + 2}` }];
    return [`Socket-${index + 1}`, { materia: name, parse, edges }];
  });
  return { name: "row", entry: "Socket-1", sockets: Object.fromEntries(sockets), materia };
}

/** A utility that runs a Node program. */
export function program(code: string): object {
  return { type: "utility", command: [process.execPath, "-e", code] };
}

export const AGENT = { prompt: "Do it.", tools: "none" };
