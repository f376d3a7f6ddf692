/** Commands are what people and programs ask of a run; `decide` turns one into facts, or refuses it. */

import type { Json } from "../base/json.ts";
import type { ChannelName, NodeName, QuestionId, RunId, TaskId } from "../base/names.ts";
import { Refusal } from "../base/refusal.ts";
import { commit } from "./commit.ts";
import type { Fact, Send, Write } from "./event.ts";
import type { Patch } from "./patch.ts";
import type { Limits } from "./plan.ts";
import type { Program } from "./program.ts";
import { adoptPlan, findQuestion, openQuestions, type Question, type RunState } from "./state.ts";

export type Command =
  /** Starts a run, or with `again` starts one anew that has been started before; its channels keep their values. */
  | {
      readonly type: "start";
      readonly writes: readonly Write[];
      /** What to signal besides the plan's entry. */
      readonly route?: readonly ChannelName[];
      readonly sends?: readonly Send[];
      readonly limits?: Limits;
      readonly request?: Json;
      readonly parent?: { readonly run: RunId; readonly task: TaskId };
      readonly again?: boolean;
    }
  /** Goes on with a run that was paused, failed or left by its driver. Writes change its settings first. */
  | { readonly type: "resume"; readonly limits?: Limits; readonly writes?: readonly Write[] }
  /** Answers a question; without an id, the only open one. */
  | { readonly type: "answer"; readonly question?: QuestionId; readonly value: Json }
  | { readonly type: "pause"; readonly reason?: string }
  | { readonly type: "cancel"; readonly reason?: string }
  /** Writes to channels from outside, in the name of a node when one is given. */
  | {
      readonly type: "update";
      readonly writes: readonly Write[];
      readonly route?: readonly ChannelName[];
      readonly sends?: readonly Send[];
      readonly as?: NodeName;
    }
  /** Tells the running task of a node to stop. */
  | { readonly type: "interrupt"; readonly node: NodeName; readonly reason?: string }
  /** Tries the failed task of a node again. */
  | { readonly type: "retry"; readonly node: NodeName }
  /** Puts a changed plan in place of the one that the run has. */
  | { readonly type: "amend" };

/** The facts that a command amounts to. Throws a `Refusal` that says why when it cannot be carried out now. */
export function decide(program: Program, state: RunState, command: Command): Fact[] {
  return (rows[command.type] as Row<Command["type"]>)(program, state, command);
}

type Of<Type extends Command["type"]> = Extract<Command, { type: Type }>;
type Row<Type extends Command["type"]> = (program: Program, state: RunState, command: Of<Type>) => Fact[];
type Rows = { readonly [Type in Command["type"]]: Row<Type> };

const rows: Rows = {
  start(program, state, command) {
    if (state.status !== "new" && !command.again) {
      throw new Refusal(
        "already_exists",
        `Run ${state.run} was started before. Resume it, or take another id.`,
      );
    }
    const { limits, request, parent, sends } = command;
    return [
      {
        type: "run.started",
        program: program.id,
        ...(state.program?.revision !== program.id.revision && introduce(program)),
        ...(request !== undefined && { request }),
        ...(parent && { parent }),
        ...(limits && { limits }),
        ...(sends && { sends }),
        patches: patchesOf(program, state, command.writes),
        route: [...program.plan.entry, ...(command.route ?? [])],
      },
    ];
  },
  resume(program, state, command) {
    refuseUnstarted(state);
    if (
      state.status === "cancelled" ||
      (state.status !== "running" && state.status !== "paused" && !canGoOn(state))
    ) {
      throw new Refusal(
        "wrong_state",
        `Run ${state.run} is ${standing(state)}; nothing in it is left to resume.`,
      );
    }
    const { limits } = command;
    const patches = patchesOf(program, state, command.writes ?? []);
    return [...amendment(program, state), { type: "run.resumed", ...(limits && { limits }), patches }];
  },
  answer(_program, state, command) {
    refuseUnstarted(state);
    const { question, task } = questionFor(state, command.question);
    return [{ type: "task.answered", task: task.id, question: question.id, value: command.value }];
  },
  pause(_program, state, command) {
    refuseUnless(state, state.status === "running", "only a running one can be paused");
    return [{ type: "run.paused", reason: command.reason ?? "requested" }];
  },
  cancel(_program, state, command) {
    const over = state.status === "completed" || state.status === "cancelled";
    refuseUnstarted(state);
    refuseUnless(state, !over, "it is over");
    return [{ type: "run.cancelled", ...(command.reason !== undefined && { reason: command.reason }) }];
  },
  update(program, state, command) {
    refuseUnstarted(state);
    const { route = [], sends, as } = command;
    const patches = patchesOf(program, state, command.writes, as);
    return [
      { type: "state.updated", patches, route, ...(sends && { sends }), ...(as !== undefined && { as }) },
    ];
  },
  interrupt(_program, state, { node, reason = "requested" }) {
    refuseUnknownNode(state, node);
    const task = [...state.ready.values()].find((candidate) => candidate.node === node);
    if (task === undefined)
      throw new Refusal("wrong_state", `${node} is not running, so there is no turn to interrupt.`);
    return [{ type: "task.interrupted", task: task.id, reason }];
  },
  retry(_program, state, { node }) {
    refuseUnknownNode(state, node);
    const task = [...state.tasks.values()].find((open) => open.node === node && open.phase === "failed");
    if (task === undefined)
      throw new Refusal("wrong_state", `${node} has not failed, so there is nothing to retry.`);
    return [{ type: "task.retried", task: task.id }];
  },
  amend(program, state) {
    refuseUnstarted(state);
    return amendment(program, state);
  },
};

function introduce({ plan, definition }: Program): { plan: Program["plan"]; definition?: Json } {
  return definition === undefined ? { plan } : { plan, definition };
}

function amendment(program: Program, state: RunState): Fact[] {
  if (state.program?.revision === program.id.revision) return [];
  return [{ type: "plan.amended", program: program.id, ...introduce(program) }];
}

/** The patches of writes that no task made. Throws a refusal when they do not fit the channels. */
function patchesOf(
  program: Program,
  state: RunState,
  writes: readonly Write[],
  as = "the caller",
): readonly Patch[] {
  if (writes.length === 0) return [];
  const adopted = { plan: state.plan, cells: new Map(state.cells) };
  adoptPlan(adopted, program.plan);
  const made = commit(program, adopted, [{ node: as, result: { writes } }], { inLog: false });
  if (!made.ok) throw new Refusal("invalid_value", made.failure.message);
  return made.patches;
}

function standing({ status, reason }: RunState): string {
  return reason === undefined ? status : `${status} (${reason})`;
}

/** Says whether anything is left in a run that is over that a resume would run. */
function canGoOn(state: RunState): boolean {
  return state.tasks.size > 0 || state.runnable.size > 0 || state.sends.length > 0;
}

function questionFor(state: RunState, id: QuestionId | undefined): ReturnType<typeof openQuestions>[number] {
  if (id === undefined) {
    const open = openQuestions(state);
    if (open.length > 1) {
      const ids = open.map(({ question }) => question.id).join(", ");
      throw new Refusal("ambiguous_question", `${open.length} questions are open; say which one: ${ids}.`);
    }
    if (open[0] === undefined)
      throw new Refusal("unknown_question", `Run ${state.run} has no open question.`);
    return open[0];
  }
  const found = findQuestion(state, id);
  if (found === undefined) {
    const open = openQuestions(state).map(({ question }: { question: Question }) => question.id);
    const hint = open.length === 0 ? "No question is open." : `Open: ${open.join(", ")}.`;
    throw new Refusal("unknown_question", `Run ${state.run} has no question ${id}. ${hint}`);
  }
  if (found.question.answer !== undefined) {
    throw new Refusal("already_answered", `Question ${id} was answered before; an answer is not changed.`);
  }
  return found;
}

function refuseUnstarted(state: RunState): void {
  if (state.status === "new") throw new Refusal("unknown_run", `There is no run ${state.run}.`);
}

function refuseUnless(state: RunState, condition: boolean, why: string): void {
  refuseUnstarted(state);
  if (!condition) throw new Refusal("wrong_state", `Run ${state.run} is ${state.status}: ${why}.`);
}

function refuseUnknownNode(state: RunState, node: NodeName): void {
  refuseUnstarted(state);
  if (Object.hasOwn(state.plan.nodes, node)) return;
  const known = Object.keys(state.plan.nodes).join(", ");
  throw new Refusal("unknown_node", `Run ${state.run} has no node ${node}. It has: ${known}.`);
}
