/** An engine goes on with a run in this process: a program that stays as it is, or what follows one that is changed. */

import { LocalRun } from "../../engines/local.ts";
import type { Command } from "../../kernel/command.ts";
import type { ProgramName } from "../../kernel/event.ts";
import type { Program } from "../../kernel/program.ts";
import type { Host } from "../../run/host.ts";
import type { Ledger } from "../../run/ledger.ts";
import type { DriveOptions } from "../../run/loop.ts";

/** A run that was taken up. */
export interface Driven {
  readonly ledger: Ledger;
  readonly program: Program;
  /** Records a command. Throws a `Refusal` when it cannot be carried out now. */
  send(command: Command): Promise<void>;
  /** Drives the run until only a person or a command can move it on. */
  drive(options: DriveOptions): Promise<unknown>;
}

export interface Engine {
  readonly id: ProgramName;
  /** Takes up a run, which may be one that has to be started yet. */
  take(ledger: Ledger, host: Host): Promise<Driven>;
}

/** Takes up a run with an engine of its own, or else with its program. */
export async function takeUp(by: Program | Engine, ledger: Ledger, host: Host): Promise<Driven> {
  return "take" in by ? by.take(ledger, host) : new LocalRun(by, ledger, host);
}
