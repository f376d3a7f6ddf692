/**
 * An inbox run in this process, whose graph may be changed while it runs.
 *
 * 1. The definition that counts is the one that the log had last: at the start, or with the latest change.
 * 2. When it is changed under the driver, turns in hand end as they began, and the run goes on with the new one. What
 *    those turns send is held against the new edges.
 */

import { invariant } from "../base/failure.ts";
import type { RunId } from "../base/names.ts";
import { Refusal } from "../base/refusal.ts";
import { Arrears } from "../dialects/inbox/arrears.ts";
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
import { tell } from "../run/tell.ts";
import { localHost } from "./local.ts";

export interface InboxRunOptions {
  readonly ledger: Ledger;
  readonly services: InboxServices;
  readonly host?: Host;
}

/** What the driver of a run knows of its log besides the state. */
class Known {
  /** The graph, once the run was started, and the name that the log has for it. */
  current: { readonly definition: InboxDefinition; readonly revision: string } | undefined;
  readonly arrears: Arrears = new Arrears();

  evolve(event: Event): void {
    this.arrears.evolve(event);
    if (event.type !== "run.started" && event.type !== "plan.amended") return;
    const { definition, program } = event;
    if (definition === undefined) return;
    // The log has what `compileInbox` gave it.
    this.current = { definition: definition as unknown as InboxDefinition, revision: program.revision };
  }
}

/**
 * A run of an inbox graph in this process: `open` one, `drive` it until only a person or a message moves it on, and `edit`
 * its graph meanwhile.
 */
export class InboxRun {
  readonly ledger: Ledger;
  readonly #services: InboxServices;
  readonly #host: Host;
  readonly #known: Known;
  /** The graph to start with, for as long as the log has none. */
  readonly #first: InboxDefinition | undefined;

  private constructor(options: InboxRunOptions, known: Known, first?: InboxDefinition) {
    const { ledger, services, host = localHost() } = options;
    this.ledger = ledger;
    this.#services = {
      ...services,
      latest: () => this.definition,
      arrears: () => known.arrears.total,
      refresh: () => ledger.refresh().catch(() => {}), // what keeps it from reading keeps it from recording, too
    };
    this.#host = host;
    this.#known = known;
    this.#first = first;
    ledger.subscribe((events) => {
      for (const event of events) known.evolve(event);
    });
  }

  /** Takes up a run that was started. Throws a `Refusal` when there is none. */
  static async open(options: InboxRunOptions): Promise<InboxRun> {
    const { run, journal, state } = options.ledger;
    const known = await knownAt(journal, run, state.seq); // the ledger tells of what comes later
    if (known.current === undefined) throw new Refusal("unknown_run", `There is no run ${run}.`);
    return new InboxRun(options, known);
  }

  /** A run that does not exist yet; a `start` command makes it one of this graph. */
  static create(options: InboxRunOptions, definition: InboxDefinition): InboxRun {
    return new InboxRun(options, new Known(), definition);
  }

  /** The graph as it is now. */
  get definition(): InboxDefinition {
    const definition = this.#known.current?.definition ?? this.#first;
    invariant(definition, "a run is opened with a log or created with a graph");
    return definition;
  }

  /** Its program. */
  get program(): Program {
    return compileInbox(this.definition, this.#services);
  }

  /** Records a command. Throws a `Refusal` when it cannot be carried out now. */
  async send(command: Command): Promise<void> {
    const { program } = this;
    await tell(this.ledger, () => program, command);
  }

  /**
   * Changes the graph, also under a driver in this or another process. What is wrong with the outcome is returned, and
   * nothing is recorded then. Throws a `Refusal` when the run is cancelled.
   */
  async edit(edits: readonly InboxEdit[]): Promise<ReadInbox> {
    for (;;) {
      const { definition } = this;
      const revision = this.#known.current?.revision;
      const edited = editInbox(definition, edits);
      if (!edited.ok) return edited;
      await this.#services.prepare?.(edited.definition);
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
      await this.#services.prepare?.(this.definition).catch(() => {}); // whose node has nobody fails its own turns
      const stop = await driveOn(this.program, this.ledger, this.#host, options);
      if (stop.kind !== "amended") return { ...stop, kind: stop.kind };
    }
  }
}

/** What a log says up to a sequence number; a fork goes on with what its origin had. */
async function knownAt(journal: Journal, run: RunId, upTo: number): Promise<Known> {
  let known = new Known();
  for await (const event of readEvents(journal, run, 0)) {
    if (event.seq > upTo) break;
    if (event.type === "run.forked") known = await knownAt(journal, event.from.run, event.from.seq);
    known.evolve(event);
  }
  return known;
}
