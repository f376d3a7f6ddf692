/**
 * A wire is the way to one running pi: a child process with a JSON record on each line of its input and output.
 *
 * 1. Only a line feed ends a record: other line separators are legal inside of one.
 * 2. Closing it lets pi end by itself first; then its whole process tree is ended, and forced to.
 */

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { Tail } from "../command/captured.ts";
import { type Environment, passedOn } from "../command/environment.ts";
import { ProcessGroup } from "../command/process-group.ts";

export interface PiWire {
  readonly isOpen: boolean;
  /** The process, where there is one. */
  readonly pid?: number;
  send(record: JsonObject): void;
  /** Tells every record that comes, and once that nothing comes any more. Called once. */
  listen(hear: (record: JsonObject) => void, gone: () => void): void;
  /** Why it is down, once it is. */
  ended(): Promise<string>;
  close(): Promise<void>;
}

export interface PiStart {
  /** The working folder, absolute. */
  readonly cwd: string;
  /** The file of the session to go on with. */
  readonly session?: string;
}

/** Starts pi. It rejects with a sentence when that is not possible. */
export type PiConnect = (start: PiStart) => Promise<PiWire>;

export interface PiProcess {
  readonly command: readonly [program: string, ...args: string[]];
  /** Names of variables that are passed on to it besides the allow-list. */
  readonly passes: readonly string[];
  /** Set for it. */
  readonly env?: Readonly<Record<string, string>>;
  /** Where variables are passed on from; default: the environment of this process. */
  readonly from?: Environment;
}

const STDERR_BYTES = 8 * 1024;
const LEAVE_MS = 500;
/** A record that is longer than this is no record of pi's. */
const MAX_RECORD_BYTES = 64 * 1024 * 1024;

/** Connects by starting a process for each session. */
export function startPi({
  command: [program, ...args],
  passes,
  env,
  from = process.env,
}: PiProcess): PiConnect {
  return async ({ cwd, session }) => {
    const child = spawn(program, [...args, ...(session === undefined ? [] : ["--session", session])], {
      ...{ cwd, stdio: "pipe", windowsHide: true, detached: process.platform !== "win32" },
      env: { ...passedOn(from, passes), ...env },
    });
    try {
      await once(child, "spawn");
    } catch (error) {
      throw new Error(`${program} could not be started: ${(error as Error).message}`); // what spawn reports is one
    }
    return new ProcessWire(child, program);
  };
}

class ProcessWire implements PiWire {
  readonly pid: number;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #program: string;
  readonly #group: ProcessGroup;
  readonly #stderr: Tail = new Tail(STDERR_BYTES);
  readonly #exited: Promise<unknown>;

  constructor(child: ChildProcessWithoutNullStreams, program: string) {
    this.#child = child;
    this.pid = child.pid as number; // it has been spawned
    this.#program = program;
    this.#group = new ProcessGroup(child);
    this.#exited = once(child, "exit");
    child.stderr.on("data", (chunk: Buffer) => this.#stderr.add(chunk));
    // It may end at any time; that shows when its output closes.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on("error", () => {});
    child.on("error", () => {});
    void this.#exited.then(() => this.#group.kill()).then(() => this.#group.release());
  }

  get isOpen(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  send(record: JsonObject): void {
    this.#child.stdin.write(`${JSON.stringify(record)}\n`);
  }

  listen(hear: (record: JsonObject) => void, gone: () => void): void {
    let rest: Buffer = Buffer.alloc(0);
    this.#child.stdout.on("data", (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
        const record = recordOf(rest.subarray(0, end).toString("utf8")); // (1)
        rest = rest.subarray(end + 1);
        if (record !== undefined) hear(record);
      }
      if (rest.length > MAX_RECORD_BYTES) this.#group.end(() => {});
    });
    void this.#exited.then(gone);
  }

  async ended(): Promise<string> {
    await Promise.race([this.#exited, pause(LEAVE_MS)]);
    const { exitCode, signalCode } = this.#child;
    const how = signalCode ?? (exitCode === null ? "its output was closed" : `code ${exitCode}`);
    const last = this.#stderr.toString().trim().split("\n").slice(-5).join("\n");
    return `${this.#program} ended (${how}).${last === "" ? "" : ` Its last words: ${last}`}`;
  }

  async close(): Promise<void> {
    this.#child.stdin.end();
    if (this.isOpen) await Promise.race([this.#exited, pause(LEAVE_MS)]);
    if (this.isOpen) {
      this.#group.end(() => {});
      await this.#exited;
    }
    this.#group.kill(); // what it started may outlive it
    this.#group.release();
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream.destroy();
  }
}

function recordOf(line: string): JsonObject | undefined {
  try {
    const json = JSON.parse(line) as Json; // a carriage return at its end is white space
    return isJsonObject(json) ? json : undefined;
  } catch {
    return undefined; // an extension printed something
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
