/**
 * An agent process is a coding agent that runs on this machine, spoken with over its standard input and output.
 *
 * 1. Its environment is the allow-list, what is passed on to it by name, and what somebody set for it.
 * 2. Closing it lets it end by itself first; then its whole process tree is ended, and forced to.
 */

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { Tail } from "../command/captured.ts";
import { type Environment, passedOn } from "../command/environment.ts";
import { ProcessGroup } from "../command/process-group.ts";

export interface ProcessOptions {
  readonly command: readonly [program: string, ...args: string[]];
  /** The folder that it is started in. */
  readonly cwd: string;
  /** Set for it. */
  readonly env?: Readonly<Record<string, string>>;
  /** Names of variables that are passed on to it besides the allow-list. */
  readonly passes?: readonly string[];
  /** Where variables are passed on from; default: the environment of this process. */
  readonly from?: Environment;
}

/** How much of the end of standard error is kept, in bytes. */
const STDERR_BYTES = 8 * 1024;
/** How long an agent may take to end by itself once its input is closed, in milliseconds. */
const LEAVE_MS = 500;

/** An agent ended by itself before it answered; the message says how. */
export class Gone extends Error {}

export class AgentProcess {
  readonly pid: number;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #program: string;
  readonly #group: ProcessGroup;
  readonly #stderr: Tail = new Tail(STDERR_BYTES);
  /** Resolves when it has ended, however it did. */
  readonly exited: Promise<unknown>;

  private constructor(child: ChildProcessWithoutNullStreams, program: string) {
    this.#child = child;
    this.pid = child.pid as number; // it has been spawned
    this.#program = program;
    this.#group = new ProcessGroup(child);
    this.exited = once(child, "exit");
    child.stderr.on("data", (chunk: Buffer) => this.#stderr.add(chunk));
    // It may end at any time; that shows when its output closes.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on("error", () => {});
    child.on("error", () => {});
    void this.exited.then(() => this.#group.kill()).then(() => this.#group.release());
  }

  /** Starts an agent. Rejects with a sentence when that is not possible. */
  static async start({
    command: [program, ...args],
    cwd,
    env,
    passes,
    from = process.env,
  }: ProcessOptions): Promise<AgentProcess> {
    const child = spawn(program, args, {
      ...{ cwd, stdio: "pipe", windowsHide: true, detached: process.platform !== "win32" },
      env: { ...passedOn(from, passes), ...env }, // (1)
    });
    try {
      await once(child, "spawn");
    } catch (error) {
      throw new Error(`${program} could not be started: ${(error as Error).message}`); // what spawn reports is one
    }
    return new AgentProcess(child, program);
  }

  get stdin(): Writable {
    return this.#child.stdin;
  }

  get stdout(): Readable {
    return this.#child.stdout;
  }

  get isOpen(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** How it ended: a sentence, and what it said last on standard error. */
  async ended(): Promise<string> {
    await Promise.race([this.exited, pause(LEAVE_MS)]);
    const { exitCode, signalCode } = this.#child;
    const how = signalCode ?? (exitCode === null ? "its output was closed" : `code ${exitCode}`);
    const last = this.#stderr.toString().trim().split("\n").slice(-5).join("\n");
    return `${this.#program} ended (${how}).${last === "" ? "" : ` Its last words: ${last}`}`;
  }

  /** Makes it end, with everything that it has started. */
  end(): void {
    this.#group.end(() => {});
  }

  /** Lets it end by itself, then makes it (2). */
  async close(): Promise<void> {
    this.#child.stdin.end();
    if (this.isOpen) await Promise.race([this.exited, pause(LEAVE_MS)]);
    if (this.isOpen) {
      this.end();
      await this.exited;
    }
    this.#group.kill(); // what it started may outlive it
    this.#group.release();
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream.destroy();
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
