/** A wire is the way to one running agent: a process that speaks the protocol on its standard input and output. */

import { Readable, Writable } from "node:stream";
import { type ClientApp, type ClientConnection, ndJsonStream } from "@agentclientprotocol/sdk/unstable";
import { AgentProcess, type ProcessOptions } from "../agent-process/agent-process.ts";

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

/** Connects by starting a process. */
export function startProcess(options: ProcessOptions): Connect {
  return async (app) => {
    const process = await AgentProcess.start(options);
    const input = Readable.toWeb(process.stdout) as ReadableStream<Uint8Array>; // both are the platform's own
    const connection = app.connect(ndJsonStream(Writable.toWeb(process.stdin), input));
    return {
      ...{ connection, pid: process.pid },
      ended: () => process.ended(),
      close() {
        connection.close();
        return process.close();
      },
    };
  };
}
