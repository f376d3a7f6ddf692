/** A house is a folder in which `baton` itself runs with a real agent: in processes and terminals of its own. */

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { driverOf } from "../../src/cli/runs/seat.ts";
import type { Event } from "../../src/kernel/event.ts";
import type { ResultDocument } from "../../src/protocol/result.ts";
import type { Step } from "../fixtures/fake-model/script.ts";
import { BATON, CommandLine, type Going } from "../scenarios/cli-harness.ts";
import type { AgentName, Program } from "./install.ts";
import { Stand } from "./stand.ts";
import { Tty } from "./tty.ts";

export class House {
  readonly stand: Stand;
  readonly cli: CommandLine;
  readonly #env: NodeJS.ProcessEnv;

  private constructor(stand: Stand) {
    const { name, command, env, recipe } = stand;
    this.stand = stand;
    this.#env = { ...process.env, ...env, NO_COLOR: "1" };
    const entry = { is: name, command, env: Object.keys(env), ...recipe.settings };
    const { is: _, ...without } = entry;
    const agents = { coder: recipe.quirks === undefined ? without : entry };
    const allowing = { coder: { ...agents.coder, permissions: { edit: "allow" } } };
    const files = { "asks.json": { agents }, "allows.json": { agents: allowing } };
    this.cli = new CommandLine(files, this.#env);
    const git = (...args: string[]): void =>
      void execFileSync("git", args, { cwd: this.cwd, stdio: "ignore" });
    git("init", "-q"); // what a turn changes is compared by Git
    git("-c", "user.name=t", "-c", "user.email=t@t", "commit", "-q", "--allow-empty", "-m", "Begin");
  }

  static async open(name: AgentName, program: Program): Promise<House> {
    return new House(await Stand.open(name, program));
  }

  get cwd(): string {
    return this.cli.cwd;
  }

  /** Puts a definition into a file, and returns its name. */
  file(name: string, content: object): string {
    writeFileSync(join(this.cwd, name), JSON.stringify(content));
    return name;
  }

  has(name: string): boolean {
    return existsSync(join(this.cwd, name));
  }

  read(name: string): string {
    return readFileSync(join(this.cwd, name), "utf8");
  }

  /** The agent's own tool call that writes a file of the house. */
  write(name: string, content: string): Step {
    return this.stand.recipe.write(join(this.cwd, name), content);
  }

  start(...args: readonly string[]): Going {
    return this.cli.start(args);
  }

  /** Runs a command at a terminal. */
  sit(...args: readonly string[]): Tty {
    return new Tty([BATON, ...args], { cwd: this.cwd, env: this.#env });
  }

  /** Runs a command to its end and returns its document. */
  async told<T = ResultDocument>(...args: readonly string[]): Promise<T> {
    const { code, document } = await this.cli.json<T>(...args);
    if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${JSON.stringify(document)}`);
    return document;
  }

  async events(run: string): Promise<readonly Event[]> {
    return (await this.told<{ events: readonly Event[] }>("events", run)).events;
  }

  /** Waits until a run asks something; returns what. */
  async asked(run: string): Promise<ResultDocument["questions"][number]> {
    for (const end = performance.now() + 40_000; performance.now() < end; ) {
      const { code, document } = await this.cli.json("show", run);
      const [question] = code === 0 ? document.questions : [];
      if (question !== undefined) return question;
    }
    throw new Error(`${run} asked nothing.`);
  }

  /** Ends whoever drives a run, as nobody would in peace. */
  killDriver(run: string): void {
    const pid = driverOf(join(this.cwd, ".baton"), run);
    if (pid === undefined) throw new Error(`Nobody drives ${run}.`);
    process.kill(pid, "SIGKILL");
  }

  /** Ends what the driver of a run has started: its agent. */
  killAgent(run: string): void {
    const pid = driverOf(join(this.cwd, ".baton"), run);
    const pids = execFileSync("ps", ["-o", "pid=,args=", "--ppid", String(pid)], { encoding: "utf8" });
    const children = pids.split("\n").filter((line) => line.trim() !== "" && !/\bgit\b/.test(line));
    if (children.length === 0) throw new Error(`${run} has no agent:\n${pids}`);
    for (const line of children) process.kill(Number.parseInt(line, 10), "SIGKILL");
  }

  close(): Promise<void> {
    return this.stand.close();
  }
}
