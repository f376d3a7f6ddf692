/**
 * A wire is the way to one running agent: a child process that speaks the protocol on its standard input and output.
 *
 * 1. Its environment is the allow-list, what the agent's record passes on, and what somebody set for it.
 * 2. Closing it lets the agent end by itself first; then its whole process tree is ended, and forced to.
 */

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { Readable, Writable } from "node:stream";
import { type ClientApp, type ClientConnection, ndJsonStream } from "@agentclientprotocol/sdk/unstable";
import { Tail } from "../command/captured.ts";
import { type Environment, passedOn } from "../command/environment.ts";
import { ProcessGroup } from "../command/process-group.ts";

export interface Wire {
  readonly connection: ClientConnection;
  /** The agent's process, where it has one of its own. */
  readonly pid?: number;
  /** Why it is down, once it is: a sentence, and what the agent said last on standard error. */
  ended(): Promise<string>;
  /** Ends the agent and everything that it has started. */
  close(): Promise<void>;
}

/** Connects an app to an agent. It rejects with a sentence when the agent cannot be started. */
export type Connect = (app: ClientApp) => Promise<Wire>;

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

/** Connects to an agent by starting it. */
export function startProcess(options: ProcessOptions): Connect {
  return async (app) => {
    const child = start(options);
    try {
      await once(child, "spawn");
    } catch (error) {
      const { message } = error as Error; // what spawn reports is always one
      throw new Error(`${options.command[0]} could not be started: ${message}`);
    }
    return new ProcessWire(child, app, options.command[0]);
  };
}

function start({
  command,
  cwd,
  env,
  passes,
  from = process.env,
}: ProcessOptions): ChildProcessWithoutNullStreams {
  const [program, ...args] = command;
  return spawn(program, args, {
    cwd,
    env: { ...passedOn(from, passes), ...env },
    stdio: "pipe",
    windowsHide: true,
    detached: process.platform !== "win32",
  });
}

class ProcessWire implements Wire {
  readonly connection: ClientConnection;
  readonly pid: number;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #group: ProcessGroup;
  readonly #stderr: Tail = new Tail(STDERR_BYTES);
  readonly #exited: Promise<unknown>;
  readonly #program: string;

  constructor(child: ChildProcessWithoutNullStreams, app: ClientApp, program: string) {
    this.#child = child;
    this.pid = child.pid as number; // it has been spawned
    this.#program = program;
    this.#group = new ProcessGroup(child);
    this.#exited = once(child, "exit");
    child.stderr.on("data", (chunk: Buffer) => this.#stderr.add(chunk));
    // The agent may end at any time; that shows on the connection, which closes.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on("error", () => {});
    child.on("error", () => {});
    void this.#exited.then(() => this.#group.kill()).then(() => this.#group.release());
    const input = Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>; // both are the platform's own
    this.connection = app.connect(ndJsonStream(Writable.toWeb(child.stdin), input));
  }

  async ended(): Promise<string> {
    await Promise.race([this.#exited, pause(LEAVE_MS)]);
    const { exitCode, signalCode } = this.#child;
    const how = signalCode ?? (exitCode === null ? undefined : `code ${exitCode}`);
    const last = this.#stderr.toString().trim().split("\n").slice(-5).join("\n");
    const sentence = `${this.#program} ended${how === undefined ? "" : ` (${how})`}.`;
    return last === "" ? sentence : `${sentence} Its last words: ${last}`;
  }

  async close(): Promise<void> {
    this.connection.close();
    this.#child.stdin.end();
    const isGone = (): boolean => this.#child.exitCode !== null || this.#child.signalCode !== null;
    if (!isGone()) await Promise.race([this.#exited, pause(LEAVE_MS)]);
    if (!isGone()) {
      this.#group.end(() => {});
      await this.#exited;
    }
    this.#group.kill(); // what it started may outlive it
    this.#group.release();
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream.destroy();
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
