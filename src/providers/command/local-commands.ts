/**
 * Commands run as child processes of this machine.
 *
 * 1. No shell: what the arguments contain is never read as code.
 * 2. A command that must stop (time, size, signal) is ended with everything that it has started.
 * 3. A command is over when it has exited and its outputs are closed, so what its children still print is kept.
 *    One that holds an output open after KILL is not waited for.
 * 4. Output is never cut in silence: when standard output is cut, the result says `too_large`.
 */

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { statSync } from "node:fs";
import type { CommandRequest, CommandResult, Commands } from "../../agent/command.ts";
import { Head, Tail } from "./captured.ts";
import { type Environment, passedOn } from "./environment.ts";
import { ProcessGroup } from "./process-group.ts";

/** How much of the end of standard error is kept, in bytes. */
const STDERR_BYTES = 64 * 1024;
/** How long outputs may still drain after KILL, in milliseconds. */
const DRAIN_MS = 200;
/** The longest time that a timer keeps, in milliseconds. */
const LONGEST_MS = 2 ** 31 - 1;

type Ended = CommandResult["ended"];

export interface LocalCommandsOptions {
  /** The folder that commands run in. */
  readonly cwd: string;
  /** Where the variables come from that commands may see; default: the environment of this process. */
  readonly env?: Environment;
}

/**
 * Runs programs in a folder of this machine, without a shell, and with the environment variables of the allow-list only.
 * `run` never rejects: its result says how the program ended (`ended`), also when it could not be started.
 */
export class LocalCommands implements Commands {
  readonly #cwd: string;
  readonly #env: Environment;

  constructor({ cwd, env = process.env }: LocalCommandsOptions) {
    this.#cwd = cwd;
    this.#env = env;
  }

  run(request: CommandRequest): Promise<CommandResult> {
    if (request.signal.aborted) return Promise.resolve(without("stopped", ""));
    return new Promise((resolve) => {
      const fail = (error: unknown): void => {
        resolve(without("not_started", this.#whyNot(request, error)));
      };
      try {
        const child = this.#start(request);
        if (child.pid === undefined) child.once("error", fail);
        else new Running(child, request, resolve);
      } catch (error) {
        fail(error);
      }
    });
  }

  #start({ argv: [program = "", ...args], env, cwd }: CommandRequest): ChildProcessWithoutNullStreams {
    return spawn(program, args, {
      cwd: cwd ?? this.#cwd,
      env: passedOn(this.#env, env),
      stdio: "pipe",
      windowsHide: true,
      detached: process.platform !== "win32",
    });
  }

  #whyNot({ argv: [program = ""], cwd = this.#cwd }: CommandRequest, error: unknown): string {
    const { code, message } = error as NodeJS.ErrnoException; // what spawn throws is always one
    const name = JSON.stringify(program);
    if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) {
      return `${name} could not be started: the folder ${cwd} does not exist.`;
    }
    if (code === "ENOENT") return `${name} could not be started: there is no such program.`;
    if (code === "EACCES") return `${name} could not be started: it is not allowed to run.`;
    return `${name} could not be started: ${message}`;
  }
}

/** A child that was started, followed to its end. */
class Running {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #signal: CommandRequest["signal"];
  readonly #group: ProcessGroup;
  readonly #stdout: Head;
  readonly #stderr: Tail = new Tail(STDERR_BYTES);
  readonly #stopped: () => void = () => this.#stop("stopped");
  readonly #resolve: (result: CommandResult) => void;
  readonly #timer: NodeJS.Timeout | undefined;
  #ended: Ended = "exited";

  constructor(
    child: ChildProcessWithoutNullStreams,
    request: CommandRequest,
    resolve: (result: CommandResult) => void,
  ) {
    const { signal, timeoutMs, maxOutputBytes, stdin } = request;
    this.#child = child;
    this.#signal = signal;
    this.#group = new ProcessGroup(child);
    this.#stdout = new Head(maxOutputBytes);
    this.#resolve = resolve;
    this.#listen();
    child.stdin.end(stdin);
    signal.addEventListener("abort", this.#stopped);
    if (timeoutMs <= LONGEST_MS) this.#timer = setTimeout(() => this.#stop("timed_out"), timeoutMs);
  }

  #listen(): void {
    const child = this.#child;
    child.stdout.on("data", (chunk: Buffer) => {
      if (!this.#stdout.add(chunk)) this.#stop("too_large");
    });
    child.stderr.on("data", (chunk: Buffer) => this.#stderr.add(chunk));
    // A program need not read what it is given: when it ends early, the pipe breaks, and that is no error.
    child.stdin.on("error", () => {});
    // It has started, so this is a signal that could not be sent: the group is gone, or KILL comes next.
    child.on("error", () => {});
    child.once("close", () => {
      if (this.#ended === "exited" || !this.#group.isAlive) this.#finish();
    });
  }

  #stop(why: Ended): void {
    if (this.#ended !== "exited") return;
    this.#ended = why;
    this.#group.end(() => setTimeout(() => this.#finish(), DRAIN_MS));
  }

  #finish(): void {
    clearTimeout(this.#timer);
    this.#signal.removeEventListener("abort", this.#stopped);
    this.#group.release();
    const { stdin, stdout, stderr, exitCode } = this.#child;
    for (const stream of [stdin, stdout, stderr]) stream.destroy();
    const ended = this.#ended;
    const code = ended === "exited" ? exitCode : null;
    this.#resolve({ ended, code, stdout: this.#stdout.toString(), stderr: this.#stderr.toString() });
  }
}

function without(ended: Ended, stderr: string): CommandResult {
  return { ended, code: null, stdout: "", stderr };
}
