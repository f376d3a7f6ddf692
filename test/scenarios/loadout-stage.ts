/** The stage on which loadouts are tried: a scripted agent, programs that are functions, and a journal to look into. */

import type { Agent, TurnRequest } from "../../src/agent/agent.ts";
import type { CommandRequest, CommandResult, Commands } from "../../src/agent/command.ts";
import { parseScript } from "../../src/agent/script.ts";
import { ScriptedAgent } from "../../src/agent/scripted.ts";
import { isJsonObject, type Json, type JsonObject } from "../../src/base/json.ts";
import { type RunId, runId } from "../../src/base/names.ts";
import { LocalRun } from "../../src/engines/local.ts";
import { MemoryJournal } from "../../src/journals/memory.ts";
import type { Event } from "../../src/kernel/event.ts";
import { openQuestions } from "../../src/kernel/state.ts";
import {
  compileLoadout,
  type LoadoutDefinition,
  type LoadoutResult,
  LoadoutView,
  loadoutResult,
  readLoadout,
  startLoadout,
} from "../../src/loadout.ts";
import type { Clock } from "../../src/run/clock.ts";
import type { Journal } from "../../src/run/journal.ts";

/** What a program of a utility does: it gets what stood on its standard input. */
export type Program = (input: JsonObject, request: CommandRequest) => Partial<CommandResult> | Json;

export interface StageOptions {
  readonly loadout: Json;
  readonly script?: Json;
  /** By the first word of the argv. */
  readonly programs?: Readonly<Record<string, Program>>;
  readonly journal?: Journal;
  readonly inputs?: JsonObject;
  readonly run?: string;
}

export const RUN: RunId = runId("r");

/** A clock that jumps: waiting takes no time. */
function jumpingClock(): Clock {
  let now = 1_000_000;
  return {
    now: () => now,
    sleep: async (milliseconds) => {
      now += Math.max(0, milliseconds);
    },
    breathe: async () => {},
  };
}

export class Stage {
  readonly journal: Journal;
  readonly prompts: { readonly node: string; readonly prompt: string }[] = [];
  readonly commands: CommandRequest[] = [];
  readonly written: string[] = [];
  readonly definition: LoadoutDefinition;
  readonly #options: StageOptions;
  #run: LocalRun | undefined;

  constructor(options: StageOptions) {
    this.#options = options;
    this.journal = options.journal ?? new MemoryJournal();
    const read = readLoadout(options.loadout);
    if (!read.ok)
      throw new Error(read.errors.map(({ pointer, message }) => `${pointer}: ${message}`).join("\n"));
    this.definition = read.definition;
  }

  /** Starts the run, drives it until it stops, and tells how it stands. */
  async play(request = "Do it."): Promise<Standing> {
    const run = await this.open();
    if (run.ledger.state.status === "new") {
      await run.send(startLoadout(this.definition, request, this.#options.inputs));
    }
    return this.drive();
  }

  async answer(value: Json): Promise<Standing> {
    await (await this.open()).send({ type: "answer", value });
    return this.drive();
  }

  async open(): Promise<LocalRun> {
    const program = compileLoadout(this.definition, {
      agent: () => this.#agent(),
      commands: this.#commands(),
      utility: (name) => ({ argv: [name] }),
      cwd: "/project",
      runDir: "/project/.baton/r",
    });
    this.#run ??= await LocalRun.open(program, this.journal, RUN, { clock: jumpingClock() });
    return this.#run;
  }

  async drive(): Promise<Standing> {
    const run = await this.open();
    await run.drive();
    return this.standing();
  }

  async standing(): Promise<Standing> {
    const { state } = (await this.open()).ledger;
    const events = await this.journal.read(RUN, 0);
    const view = new LoadoutView();
    for (const event of events) view.evolve(event);
    const questions = openQuestions(state).map(({ question }) => question);
    const status = state.status === "running" && questions.length > 0 ? "waiting" : state.status;
    const { failure, message } = state;
    return { ...loadoutResult(view, state), status, events, questions, view, failure, message };
  }

  /** The text of the artifact that a note names. */
  async artifact(note: JsonObject | undefined): Promise<string | undefined> {
    const artifact = note?.["artifact"];
    return isJsonObject(artifact) ? this.journal.text(String(artifact["ref"])) : undefined;
  }

  #agent(): Agent {
    const parsed = parseScript(this.#options.script ?? {});
    if (!parsed.ok) throw new Error(parsed.issues.map(({ message }) => message).join("\n"));
    const scripted = new ScriptedAgent({
      script: parsed.script,
      digest: "script",
      workspace: {
        root: "/project",
        write: async (path) => {
          this.written.push(path);
        },
      },
      sleep: async () => {},
    });
    return {
      session: (request) => scripted.session(request),
      turn: (request: TurnRequest) => {
        this.prompts.push({ node: request.node, prompt: request.prompt });
        return scripted.turn(request);
      },
    };
  }

  #commands(): Commands {
    return {
      run: async (request) => {
        this.commands.push(request);
        const program = this.#options.programs?.[request.argv[0] ?? ""];
        const result = program?.(JSON.parse(request.stdin) as JsonObject, request) ?? {};
        const isResult =
          isJsonObject(result as Json) &&
          ("ended" in (result as object) || "stderr" in (result as object) || "stdout" in (result as object));
        const given = isResult ? (result as Partial<CommandResult>) : { stdout: JSON.stringify(result) };
        return { ended: "exited", code: 0, stdout: "", stderr: "", ...given };
      },
    };
  }
}

export interface Standing extends LoadoutResult {
  readonly status: string;
  readonly events: readonly Event[];
  readonly questions: readonly { readonly id: string; readonly value: Json; readonly schema?: Json }[];
  readonly view: LoadoutView;
  readonly failure: { readonly code: string; readonly message: string; readonly detail?: Json } | undefined;
  readonly message: string | undefined;
}

/** The notes of one kind, in order. */
export function notes({ events }: Pick<Standing, "events">, kind: string): JsonObject[] {
  return events.flatMap((event) =>
    event.type === "task.noted" && event.kind === `loadout.${kind}` ? [event.data as JsonObject] : [],
  );
}

const agent = { prompt: "Work.", tools: "none" } as const;

/** Plan → loop [Build → Eval → Keep] → Tell. */
export function workshop(changes: { readonly [key: string]: Json } = {}): JsonObject {
  return {
    entry: "Socket-1",
    sockets: {
      "Socket-1": { materia: "Plan", edges: [{ when: "always", to: "Socket-2" }] },
      "Socket-2": { materia: "Build", edges: [{ when: "always", to: "Socket-3" }] },
      "Socket-3": {
        materia: "Eval",
        parse: "json",
        edges: [
          { when: "satisfied", to: "Socket-4" },
          { when: "not_satisfied", to: "Socket-2" },
        ],
      },
      "Socket-4": {
        materia: "Keep",
        parse: "json",
        advance: { cursor: "workItemIndex", items: "state.workItems", when: "satisfied" },
        edges: [{ when: "always", to: "Socket-2" }],
      },
      "Socket-5": { materia: "Tell" },
    },
    loops: {
      items: {
        sockets: ["Socket-2", "Socket-3", "Socket-4"],
        consumes: { from: "Socket-1" },
        exits: [{ id: "done", from: "Socket-4", condition: "satisfied", targetSocketId: "Socket-5" }],
      },
    },
    materia: { Plan: { ...agent, generator: true }, Build: agent, Eval: agent, Keep: agent, Tell: agent },
    ...changes,
  };
}

/** So many work items. */
export function items(count: number): JsonObject {
  return {
    workItems: Array.from({ length: count }, (_, index) => ({
      title: `Item ${index + 1}`,
      context: "Do it.",
    })),
  };
}

export const yes: JsonObject = { satisfied: true };
export function no(context: string): JsonObject {
  return { satisfied: false, context };
}
