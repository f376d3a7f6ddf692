/**
 * A view of an inbox run: turns, deliveries and nodes as people follow them, folded from the events of its log.
 *
 * 1. A turn is there from its recorded beginning on; each try at the same inputs is a turn of its own.
 * 2. A turn that never ended is interrupted as soon as another one takes over its inputs.
 * 3. A node that stopped the run is blocked until the run goes on.
 * 4. In a cancelled run nobody is at work and nothing can be resolved: what was open is interrupted, and its node idle.
 */

import { addUsage, NO_USAGE, type Usage } from "../../agent/agent.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import type { TaskId } from "../../base/names.ts";
import type { Event, OpenedTask } from "../../kernel/event.ts";
import type { Plan } from "../../kernel/plan.ts";
import type { Task } from "../../kernel/state.ts";
import { inboxOf } from "./channels.ts";
import type { InboxDrawing } from "./draw.ts";
import { artifactsOf, messageOf } from "./envelope.ts";
import { type Letter, Mail } from "./mail.ts";
import { Remarks } from "./remarks.ts";
import type {
  DeliveryLine,
  InboxResult,
  NodeLine,
  NodeStatus,
  PromptLine,
  TurnLine,
  TurnStatus,
} from "./result.ts";
import { type Beginning, isBeginning } from "./turn-log.ts";

interface OpenTask {
  readonly node: string;
  readonly taken: readonly Letter[];
  /** The place of its latest turn among all turns. */
  line?: number;
}

/** What counts here of an open task in an archive. */
interface ArchivedTask extends Pick<Task, "id" | "node" | "taken" | "phase"> {
  readonly memory: readonly (readonly [string, Json])[];
}

export class InboxView {
  readonly #mail: Mail = new Mail();
  readonly #tasks: Map<TaskId, OpenTask> = new Map();
  readonly #statuses: Map<string, NodeStatus> = new Map();
  readonly #turns: TurnLine[] = [];
  readonly #prompts: PromptLine[] = [];
  readonly #deliveries: DeliveryLine[] = [];
  readonly #remarks: Remarks = new Remarks();
  #stoppers: readonly string[] = [];
  #usage: Usage = NO_USAGE;

  /** Folds the next event. */
  evolve(event: Event): void {
    for (const letter of this.#mail.evolve(event)) this.#deliver(letter);
    switch (event.type) {
      case "run.started":
        this.#tasks.clear();
        this.#remarks.goal = undefined;
        if (event.plan !== undefined) this.#adopt(event.plan);
        break;
      case "plan.amended":
        this.#adopt(event.plan);
        break;
      case "run.forked":
        this.#restore(event.state);
        break;
      case "run.paused":
        this.#stoppers = [...(event.nodes ?? []), ...nodeIn(event.detail)];
        break;
      case "run.resumed":
        this.#stoppers = [];
        break;
      case "run.cancelled":
        this.#stoppers = [];
        for (const open of this.#tasks.values()) this.#letGo(open); // (4)
        break;
      case "step.opened":
        for (const opened of event.tasks) this.#open(opened);
        break;
      case "step.committed":
        for (const task of event.ran) this.#move(task, "idle");
        break;
      case "task.asked":
        this.#move(event.task, "blocked", "blocked");
        break;
      case "task.answered":
      case "task.retried":
        this.#move(event.task, "running");
        break;
      case "task.failed":
        this.#move(event.task, event.retryAt === undefined ? "failed" : "running", "failed");
        break;
      case "task.remembered":
        // Beginnings are written by `TurnLog`.
        if (isBeginning(event.key)) this.#begin(event.task, event.value as unknown as Beginning);
        break;
      case "task.noted":
        if (!isJsonObject(event.data)) break;
        if (event.kind === "inbox.turn") this.#endTurn(event.task, event.data);
        else this.#remarks.note(event.kind, event.data);
        break;
    }
  }

  /** In the order in which they started. */
  get turns(): readonly TurnLine[] {
    return this.#turns;
  }

  /** In the order of their turns. */
  get prompts(): readonly PromptLine[] {
    return this.#prompts;
  }

  /** How the orchestrator finished the goal (`ok`, `summary`); nothing while it is open. */
  get goal(): JsonObject | undefined {
    return this.#remarks.goal;
  }

  get usage(): Usage {
    return this.#usage;
  }

  get nodes(): Readonly<Record<string, NodeLine>> {
    const lines = [...this.#statuses].map(([node, status]): [string, NodeLine] => {
      const isStopper = this.#stoppers.includes(node) && status !== "failed";
      return [node, { status: isStopper ? "blocked" : status, inbox: this.#mail.size(node) }];
    });
    return Object.fromEntries(lines);
  }

  get result(): InboxResult {
    const { rejections, warnings } = this.#remarks;
    return {
      ...{ turns: this.#turns, deliveries: this.#deliveries, rejections },
      ...{ nodes: this.nodes, warnings, usage: this.#usage },
    };
  }

  #adopt(plan: Plan): void {
    const { nodes } = plan.drawing as unknown as InboxDrawing; // compiling put it there
    const before = new Map(this.#statuses);
    this.#statuses.clear();
    for (const { id } of nodes) this.#statuses.set(id, before.get(id) ?? "idle");
  }

  /** Takes over the plan and the open tasks of the state that a fork begins with. */
  #restore(state: JsonObject): void {
    this.#adopt(state["plan"] as unknown as Plan); // the state is an archive of the kernel
    for (const task of state["tasks"] as unknown as readonly ArchivedTask[]) {
      const takes = Object.entries(task.taken).map(([channel, items]) => [channel, items.length]);
      this.#open({ task: task.id, node: task.node, takes: Object.fromEntries(takes) });
      for (const [key, value] of task.memory) {
        if (isBeginning(key)) this.#begin(task.id, value as unknown as Beginning);
      }
      if (task.phase === "asked") this.#move(task.id, "blocked", "blocked");
      if (task.phase === "failed") this.#move(task.id, "failed", "failed");
    }
  }

  #deliver({ seq, node, input }: Letter): void {
    if (input.type === "message") return;
    const { from, type } = input;
    const artifacts = artifactsOf(input);
    this.#deliveries.push({ seq, from, to: node, type, message: messageOf(input), artifacts });
  }

  #open({ task, node, takes }: OpenedTask): void {
    const taken = this.#mail.take(node, takes?.[inboxOf(node)] ?? 0);
    this.#tasks.set(task, { node, taken });
    this.#move(task, "running");
  }

  #begin(task: TaskId, { turn, why, form, session, full, sent }: Beginning): void {
    const open = this.#tasks.get(task);
    if (open === undefined) return;
    if (why === "answered") this.#end(open, "running");
    else {
      if (open.line !== undefined && this.#turns[open.line]?.status === "running") {
        this.#end(open, "interrupted"); // (2)
      }
      const { node } = open;
      this.#prompts.push({ node, turn, form, session, full, sent });
      this.#addTurn(open, turn, "running");
    }
  }

  #addTurn(open: OpenTask, turn: number, status: TurnStatus): void {
    open.line = this.#turns.length;
    const consumed = open.taken.map(({ seq, input }) => {
      return { seq, kind: input.type, from: input.from, message: messageOf(input) };
    });
    this.#turns.push({ node: open.node, turn, status, consumed });
  }

  #end({ line }: OpenTask, status: TurnStatus): void {
    const turn = line === undefined ? undefined : this.#turns[line];
    if (line !== undefined && turn !== undefined) this.#turns[line] = { ...turn, status };
  }

  #letGo(open: OpenTask): void {
    const { node, line } = open;
    if (this.#statuses.get(node) === "failed") return;
    if (this.#statuses.has(node)) this.#statuses.set(node, "idle");
    const status = line === undefined ? undefined : this.#turns[line]?.status;
    if (status === "running" || status === "blocked") this.#end(open, "interrupted");
  }

  #move(task: TaskId, status: NodeStatus, turn?: TurnStatus): void {
    const open = this.#tasks.get(task);
    if (open === undefined) return;
    if (this.#statuses.has(open.node)) this.#statuses.set(open.node, status);
    if (turn !== undefined) this.#end(open, turn);
    if (status === "idle") this.#tasks.delete(task);
  }

  #endTurn(task: TaskId, { turn, status, usage }: JsonObject): void {
    this.#usage = addUsage(this.#usage, usageOf(usage));
    const open = this.#tasks.get(task);
    if (open === undefined) return;
    // `conclude` and `turn` write one of the three.
    const ended = status as "completed" | "failed" | "interrupted";
    if (open.line === undefined) this.#addTurn(open, Number(turn), ended);
    else this.#end(open, ended);
  }
}

/** The dialect's part of the result of a run. */
export function inboxResult(view: InboxView): InboxResult {
  return view.result;
}

function nodeIn(detail: Json | undefined): string[] {
  return isJsonObject(detail) && typeof detail["node"] === "string" ? [detail["node"]] : [];
}

function usageOf(usage: Json | undefined): Usage {
  if (!isJsonObject(usage)) return NO_USAGE;
  const { tokens, costUsd } = usage;
  return {
    tokens: typeof tokens === "number" ? tokens : 0,
    costUsd: typeof costUsd === "number" ? costUsd : null,
  };
}
