/** The local engine runs programs in this process, on any journal. */

import { createHash } from "node:crypto";
import type { RunId } from "../base/names.ts";
import type { Command } from "../kernel/command.ts";
import type { Program } from "../kernel/program.ts";
import { runChild } from "../run/child.ts";
import type { Host } from "../run/host.ts";
import type { Journal } from "../run/journal.ts";
import { Ledger, type LedgerOptions } from "../run/ledger.ts";
import { type DriveOptions, driveOn, type Stop } from "../run/loop.ts";
import { tell } from "../run/tell.ts";

/** The address of a text by its content. */
export function sha256(text: string): string {
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}

/** The host of a run in this process; `progress` is told what tasks show while they work. */
export function localHost(progress?: Host["progress"]): Host {
  const host: Host = {
    digest: sha256,
    child: (request, origin) => runChild(host, request, origin),
    ...(progress && { progress }),
  };
  return host;
}

/** One run in this process: commands go in, and `drive` moves it on until only a person or a command can. */
export class LocalRun {
  readonly program: Program;
  readonly ledger: Ledger;
  readonly #host: Host;

  constructor(program: Program, ledger: Ledger, host: Host = localHost()) {
    this.program = program;
    this.ledger = ledger;
    this.#host = host;
  }

  /** Opens a run as the journal has it, which may be not at all. */
  static async open(
    program: Program,
    journal: Journal,
    run: RunId,
    options: LocalRunOptions = {},
  ): Promise<LocalRun> {
    return new LocalRun(program, await Ledger.open(journal, run, options), options.host);
  }

  /** Records a command. Throws a `Refusal` when it cannot be carried out now. */
  async send(command: Command): Promise<void> {
    await tell(this.ledger, () => this.program, command);
  }

  /** Drives the run until only a person or a command can move it on. */
  drive(options: DriveOptions = {}): Promise<Exclude<Stop, { kind: "sleeping" }>> {
    return driveOn(this.program, this.ledger, this.#host, options);
  }
}

export interface LocalRunOptions extends LedgerOptions {
  readonly host?: Host;
}
