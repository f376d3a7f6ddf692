/**
 * A wire is the way to one running pi: a process with a JSON record on each line of its input and output.
 *
 * 1. Only a line feed ends a record: other line separators are legal inside of one.
 * 2. What its gate is to offer to its model stands in its environment, before anything is said.
 */

import type { Offer } from "../../agent/tool-desk.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { AgentProcess, type ProcessOptions } from "../agent-process/agent-process.ts";
import { GRAPH_TOOLS } from "../tool-desk/graph-tools.ts";

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
  /** The tools of the graph that its model is offered. */
  readonly tools: readonly (keyof Offer)[];
}

/** Starts pi. It rejects with a sentence when that is not possible. */
export type PiConnect = (start: PiStart) => Promise<PiWire>;

export type PiProcess = Omit<ProcessOptions, "cwd">;

/** The variable in which the gate finds the tools of the graph (2). It is repeated in `gate.ts`: pi loads that file alone. */
const TOOLS = "BATON_GRAPH_TOOLS";
/** A record that is longer than this is no record of pi's. */
const MAX_RECORD_BYTES = 64 * 1024 * 1024;

/** Connects by starting a process for each session. */
export function startPi({ command, env, ...more }: PiProcess): PiConnect {
  return async ({ cwd, session, tools }) => {
    const process = await AgentProcess.start({
      ...{ ...more, cwd, env: { ...env, [TOOLS]: JSON.stringify(described(tools)) } },
      command: [...command, ...(session === undefined ? [] : ["--session", session])],
    });
    return {
      pid: process.pid,
      get isOpen() {
        return process.isOpen;
      },
      send: (record) => void process.stdin.write(`${JSON.stringify(record)}\n`),
      listen: (hear, gone) => listenTo(process, hear, gone),
      ended: () => process.ended(),
      close: () => process.close(),
    };
  };
}

/** What a model has to know of tools of the graph. */
export function described(tools: readonly (keyof Offer)[]): readonly JsonObject[] {
  return GRAPH_TOOLS.filter(({ name }) => tools.includes(name)).map(({ name, description, shape }) => ({
    ...{ name, description, parameters: shape.schema },
  }));
}

function listenTo(process: AgentProcess, hear: (record: JsonObject) => void, gone: () => void): void {
  let rest: Buffer = Buffer.alloc(0);
  process.stdout.on("data", (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      const record = recordOf(rest.subarray(0, end).toString("utf8")); // (1)
      rest = rest.subarray(end + 1);
      if (record !== undefined) hear(record);
    }
    if (rest.length > MAX_RECORD_BYTES) process.end();
  });
  void process.exited.then(gone);
}

function recordOf(line: string): JsonObject | undefined {
  try {
    const json = JSON.parse(line) as Json; // a carriage return at its end is white space
    return isJsonObject(json) ? json : undefined;
  } catch {
    return undefined; // an extension printed something
  }
}
