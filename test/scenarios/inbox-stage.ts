/** The stage on which inbox graphs are tried: a scripted agent whose turns end when the test says so, and a journal. */

import { setTimeout } from "node:timers/promises";
import type { Agent, TurnRequest } from "../../src/agent/agent.ts";
import { parseScript } from "../../src/agent/script.ts";
import { ScriptedAgent } from "../../src/agent/scripted.ts";
import type { Json, JsonObject } from "../../src/base/json.ts";
import { type RunId, runId } from "../../src/base/names.ts";
import type { Beginning } from "../../src/dialects/inbox/turn-log.ts";
import { LocalRun } from "../../src/engines/local.ts";
import {
  compileInbox,
  type InboxDefinition,
  type InboxResult,
  InboxRun,
  type InboxServices,
  InboxView,
  inboxResult,
  messageInbox,
  readInbox,
  startInbox,
} from "../../src/inbox.ts";
import { MemoryJournal } from "../../src/journals/memory.ts";
import { SqliteJournal } from "../../src/journals/sqlite/sqlite-journal.ts";
import type { Command } from "../../src/kernel/command.ts";
import type { Event } from "../../src/kernel/event.ts";
import type { Program } from "../../src/kernel/program.ts";
import { replay } from "../../src/kernel/replay.ts";
import { openQuestions } from "../../src/kernel/state.ts";
import { LocalWorkspace } from "../../src/providers/workspace/local-workspace.ts";
import type { Journal } from "../../src/run/journal.ts";
import { virtualClock } from "../kit.ts";

export const RUN: RunId = runId("r");

export const JOURNALS: readonly (readonly [string, () => MemoryJournal | SqliteJournal])[] = [
  ["memory", () => new MemoryJournal()],
  ["sqlite", () => new SqliteJournal(":memory:")],
];

export interface StageOptions {
  readonly graph: Json;
  readonly script?: Json;
  readonly journal?: Journal;
  /** Told of every turn before it is played; the turn waits for it. */
  readonly before?: (request: TurnRequest) => Promise<void> | void;
  readonly services?: Partial<InboxServices>;
  readonly digest?: string;
  /** True for scripts whose delays take their time; they take none by default. */
  readonly inRealTime?: boolean;
  /** Where the script writes. */
  readonly folder?: string;
  /** Whether the agent may change files as far as anybody knows; by default that is up to the script. */
  readonly mayWrite?: boolean;
}

export interface Standing extends InboxResult {
  readonly status: string;
  readonly reason: string | undefined;
  readonly message: string | undefined;
  readonly detail: Json | undefined;
  readonly events: readonly Event[];
  readonly questions: readonly { readonly id: string; readonly value: Json }[];
  readonly view: InboxView;
}

export class Stage {
  readonly journal: Journal;
  readonly definition: InboxDefinition;
  readonly requests: TurnRequest[] = [];
  readonly program: Program;
  readonly #options: StageOptions;
  #run: LocalRun | undefined;

  constructor(options: StageOptions) {
    this.#options = options;
    this.journal = options.journal ?? new MemoryJournal();
    const read = readInbox(options.graph);
    if (!read.ok) throw new Error(JSON.stringify(read.errors));
    this.definition = read.definition;
    this.program = compileInbox(this.definition, this.services());
  }

  services(): InboxServices {
    const agent = this.#agent();
    return { agent: () => agent, ...this.#options.services };
  }

  async open(): Promise<LocalRun> {
    this.#run ??= await LocalRun.open(this.program, this.journal, RUN, { clock: virtualClock() });
    return this.#run;
  }

  /** Starts the run with messages (`"node: text"`), drives it until it stops, and tells how it stands. */
  async play(...messages: readonly string[]): Promise<Standing> {
    await this.start(...messages);
    return this.drive();
  }

  async start(...messages: readonly string[]): Promise<void> {
    await this.tell(startInbox(this.definition, messages.map(messageOf)));
  }

  async send(message: string): Promise<void> {
    const run = await this.open();
    await this.tell(messageInbox(this.definition, messageOf(message), run.ledger.state.status));
  }

  async tell(command: Command): Promise<void> {
    await (await this.open()).send(command);
  }

  async drive(signal?: AbortSignal): Promise<Standing> {
    await (await this.open()).drive({ grace: 0, ...(signal && { signal }) });
    return this.standing();
  }

  async standing(): Promise<Standing> {
    const { state } = (await this.open()).ledger;
    const events = await this.journal.read(RUN, 0);
    const view = viewOf(events);
    const questions = openQuestions(state).map(({ question }) => question);
    const status = state.status === "running" && questions.length > 0 ? "waiting" : state.status;
    const { reason, message, detail } = state;
    return { ...inboxResult(view), status, reason, message, detail, events, questions, view };
  }

  /** The run as something that follows changes of its graph. */
  async inbox(): Promise<InboxRun> {
    const { ledger } = await this.open();
    return InboxRun.open({ ledger, services: this.services() });
  }

  /** The beginnings of turns, as the log has them. */
  async beginnings(): Promise<readonly Beginning[]> {
    return (await this.journal.read(RUN, 0)).flatMap((event) =>
      event.type === "task.remembered" && event.key.startsWith("begin:")
        ? [event.value as unknown as Beginning]
        : [],
    );
  }

  /** What the log notes of one kind. */
  async notes(kind: string): Promise<readonly JsonObject[]> {
    return (await this.journal.read(RUN, 0)).flatMap((event) =>
      event.type === "task.noted" && event.kind === kind ? [event.data as JsonObject] : [],
    );
  }

  /** Says whether the kernel would decide the same again over the recorded log. */
  async replays(): Promise<boolean> {
    return replay(this.program, RUN, await this.journal.read(RUN, 0)).ok;
  }

  async text(ref: string | undefined): Promise<string> {
    return (ref !== undefined && (await this.journal.text(ref))) || "";
  }

  #agent(): Agent {
    const parsed = parseScript(this.#options.script ?? {});
    if (!parsed.ok) throw new Error(parsed.issues.map(({ message }) => message).join("\n"));
    const { digest = "script", mayWrite, folder, inRealTime = false } = this.#options;
    const workspaceAt = (cwd: string) => new LocalWorkspace(cwd);
    const scripted = new ScriptedAgent({
      ...{ script: parsed.script, digest, workspaceAt },
      sleep: async (milliseconds) => {
        if (inRealTime) await setTimeout(milliseconds);
      },
      ...(folder !== undefined && { workspace: workspaceAt(folder) }),
    });
    return {
      mayWrite: (request) => mayWrite ?? scripted.mayWrite(request),
      session: (request) => scripted.session(request),
      turn: async (request) => {
        this.requests.push(request);
        await this.#options.before?.(request);
        return scripted.turn(request);
      },
    };
  }
}

export function viewOf(events: readonly Event[]): InboxView {
  const view = new InboxView();
  for (const event of events) view.evolve(event);
  return view;
}

function messageOf(text: string): { node: string; text: string } {
  const colon = text.indexOf(":");
  return { node: text.slice(0, colon), text: text.slice(colon + 1).trim() };
}

/** Holds turns back until the test lets them end, so that a test chooses the order in which they do. */
export class Gates {
  readonly #open: Map<string, () => void> = new Map();
  readonly #arrived: Map<string, () => void> = new Map();

  readonly hold = async ({ node, signal }: TurnRequest): Promise<void> => {
    const passed = new Promise<void>((resolve) => this.#open.set(node, resolve));
    signal.addEventListener("abort", () => this.#open.get(node)?.());
    this.#arrived.get(node)?.();
    await passed;
  };

  /** Waits until a turn of this node has begun. */
  async begun(node: string): Promise<void> {
    if (!this.#open.has(node)) await new Promise<void>((resolve) => this.#arrived.set(node, resolve));
    this.#arrived.delete(node);
  }

  /** Lets the node's turn end, once it has begun. */
  async pass(node: string): Promise<void> {
    await this.begun(node);
    const open = this.#open.get(node);
    this.#open.delete(node);
    open?.();
    await settled();
  }
}

/** Waits until everything that can happen by itself has happened. */
export async function settled(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
}

/** A turn in a script. */
export function turn(
  text: string,
  sends: Readonly<Record<string, string>> = {},
  more: JsonObject = {},
): Json {
  const staged = Object.entries(sends).map(([to, message]) => ({ to, message }));
  return { $: "turn", text, ...(staged.length > 0 && { sends: staged }), ...more };
}

/** A graph of task nodes, with edges written as `a>b` (directional) or `a-b`; changes are laid over it. */
export function graph(
  names: string,
  edges: readonly (string | JsonObject)[],
  changes: JsonObject = {},
): JsonObject {
  const nodes = Object.fromEntries(names.split(" ").map((name) => [name, { kind: "task" }]));
  return {
    nodes,
    edges: edges.map((edge) => {
      if (typeof edge !== "string") return edge;
      const [from = "", to = ""] = edge.split(/[->]/);
      return { from, to, direction: edge.includes(">") ? "directional" : "bidirectional" };
    }),
    ...changes,
  };
}

/** The turns as short texts: `coder 1 completed: handoff from lead: do it`. */
export function told({ turns }: Pick<InboxResult, "turns">): string[] {
  return turns.map(({ node, turn: number, status, consumed }) => {
    const mail = consumed.map(({ seq, kind, from, message }) => `${seq} ${kind} ${from}: ${message}`);
    return `${node} ${number} ${status} [${mail.join(" | ")}]`;
  });
}
