/**
 * An inbox run in this process, whose graph may be changed while it runs.
 *
 * 1. The definition that counts is the one that the log had last: at the start, or with the latest change.
 * 2. When it is changed under the driver, turns in hand end as they began, and the run goes on with the new one. What
 *    those turns send is held against the new edges.
 */

import type { Json } from "../base/json.ts";
import type { RunId } from "../base/names.ts";
import { Refusal } from "../base/refusal.ts";
import { amendCommands } from "../dialects/inbox/commands.ts";
import { compileInbox } from "../dialects/inbox/compile.ts";
import type { InboxDefinition } from "../dialects/inbox/definition.ts";
import { editInbox, type InboxEdit } from "../dialects/inbox/edit.ts";
import type { InboxServices } from "../dialects/inbox/ports.ts";
import type { ReadInbox } from "../dialects/inbox/read.ts";
import { type Command, decide } from "../kernel/command.ts";
import type { Event } from "../kernel/event.ts";
import type { Program } from "../kernel/program.ts";
import type { Host } from "../run/host.ts";
import type { Journal } from "../run/journal.ts";
import type { Ledger } from "../run/ledger.ts";
import { readEvents } from "../run/load.ts";
import { type DriveOptions, driveOn, type Stop } from "../run/loop.ts";
import { localHost } from "./local.ts";

export interface InboxRunOptions {
  readonly ledger: Ledger;
  readonly services: InboxServices;
  readonly host?: Host;
}

/** A definition with the name that the log has for it. */
interface Current {
  readonly definition: InboxDefinition;
  readonly revision: string;
}

export class InboxRun {
  readonly ledger: Ledger;
  readonly #services: InboxServices;
  readonly #host: Host;
  #current: Current;

  private constructor({ ledger, services, host = localHost() }: InboxRunOptions, current: Current) {
    this.ledger = ledger;
    this.#services = { ...services, latest: () => this.definition };
    this.#host = host;
    this.#current = current;
    ledger.subscribe((events) => {
      for (const event of events) this.#current = currentIn(event) ?? this.#current;
    });
  }

  /** Takes up a run that was started. Throws a `Refusal` when there is none. */
  static async open(options: InboxRunOptions): Promise<InboxRun> {
    const { run, journal, state } = options.ledger;
    const current = await currentAt(journal, run, state.seq); // the ledger tells of what comes later
    if (current === undefined) throw new Refusal("unknown_run", `There is no run ${run}.`);
    return new InboxRun(options, current);
  }

  /** The graph as it is now. */
  get definition(): InboxDefinition {
    return this.#current.definition;
  }

  /** Its program. */
  get program(): Program {
    return compileInbox(this.definition, this.#services);
  }

  /** Records a command. Throws a `Refusal` when it cannot be carried out now. */
  async send(command: Command): Promise<void> {
    const { program } = this;
    await this.ledger.command((state, emit) => {
      for (const fact of decide(program, state, command)) emit(fact);
    });
  }

  /**
   * Changes the graph, also under a driver in this or another process. What is wrong with the outcome is returned, and
   * nothing is recorded then. Throws a `Refusal` when the run is cancelled.
   */
  async edit(edits: readonly InboxEdit[]): Promise<ReadInbox> {
    for (;;) {
      const { definition, revision } = this.#current;
      const edited = editInbox(definition, edits);
      if (!edited.ok) return edited;
      const program = compileInbox(edited.definition, this.#services);
      const isDone = await this.ledger.command((state, emit) => {
        if (state.program?.revision !== revision) return false; // somebody else was faster
        if (state.status === "cancelled") {
          throw new Refusal("wrong_state", "The run is cancelled: its graph stays as it was.");
        }
        for (const command of amendCommands(state, edited.definition)) {
          for (const fact of decide(program, state, command)) emit(fact);
        }
        return true;
      });
      if (isDone) return { ...edited, definition: this.definition };
    }
  }

  /** Drives the run, through every change of its graph, until only a person or a command can move it on. */
  async drive(options: DriveOptions = {}): Promise<Exclude<Stop, { kind: "sleeping" | "amended" }>> {
    for (;;) {
      const stop = await driveOn(this.program, this.ledger, this.#host, options);
      if (stop.kind !== "amended") return { ...stop, kind: stop.kind };
    }
  }
}

/** What a log says of the graph, up to a sequence number; a fork goes on with what its origin had. */
async function currentAt(journal: Journal, run: RunId, upTo: number): Promise<Current | undefined> {
  let current: Current | undefined;
  for await (const event of readEvents(journal, run, 0)) {
    if (event.seq > upTo) break;
    if (event.type === "run.forked") current = await currentAt(journal, event.from.run, event.from.seq);
    current = currentIn(event) ?? current;
  }
  return current;
}

function currentIn(event: Event): Current | undefined {
  if (event.type !== "run.started" && event.type !== "plan.amended") return undefined;
  const { definition, program } = event;
  if (definition === undefined) return undefined;
  return { definition: asDefinition(definition), revision: program.revision };
}

/** The log has what `compileInbox` gave it. */
function asDefinition(definition: Json): InboxDefinition {
  return definition as unknown as InboxDefinition;
}
