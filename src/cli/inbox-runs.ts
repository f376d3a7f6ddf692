/** Runs of inbox graphs: how one is prepared, taken up again, and looked at. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Agent } from "../agent/agent.ts";
import { isJsonObject, type Json } from "../base/json.ts";
import type { RunId } from "../base/names.ts";
import { checkAnswer } from "../dialects/inbox/approval.ts";
import { budgetWrites } from "../dialects/inbox/budget.ts";
import { BUDGET, GOAL, NOTHING_SPENT, USAGE } from "../dialects/inbox/channels.ts";
import { resumeWrites } from "../dialects/inbox/commands.ts";
import { compileInbox } from "../dialects/inbox/compile.ts";
import { DEFAULT_TOOLS, type InboxDefinition } from "../dialects/inbox/definition.ts";
import { type ReadInbox, readInbox } from "../dialects/inbox/read.ts";
import { InboxView, inboxResult } from "../dialects/inbox/view.ts";
import type { Event } from "../kernel/event.ts";
import type { Program } from "../kernel/program.ts";
import { channelValue, type RunState } from "../kernel/state.ts";
import { GitWorkingTree } from "../providers/working-tree/git-working-tree.ts";
import { GitWorktrees } from "../providers/worktree/git-worktrees.ts";
import { NameBook } from "../views/nodes.ts";
import { agentsOf, type Cast, castAgain, startedBy, type Wanted } from "./agents.ts";
import type { Dialect, Glance, NodeRow, Watch } from "./dialect.ts";
import { Misuse } from "./misuse.ts";
import { recall } from "./recalled.ts";
import { unfit } from "./report.ts";
import { folderFor } from "./run-folder.ts";
import type { InboxSource } from "./source.ts";
import type { Store } from "./store.ts";
import type { Terminal } from "./terminal.ts";

/** The definition of a source that is fit to run; refuses one that is not, with all that is wrong in it. */
export function definitionOf(source: InboxSource): Extract<ReadInbox, { ok: true }> {
  const read = readInbox(source.json);
  if (read.ok) return read;
  throw unfit(source.named, [...read.errors, ...read.warnings]);
}

/** The program of a definition, at work in a folder. */
export async function inboxProgram(
  definition: InboxDefinition,
  { run, store, cwd, cast, terminal }: Setting,
): Promise<Program> {
  const folder = folderFor(run, store);
  const own = store.folder === undefined ? [] : [store.folder];
  const note = (sentence: string) => terminal.tell(`note: ${sentence}`);
  return compileInbox(definition, {
    agent: await agentsOf(cast, wantedBy(definition), cwd),
    tree: new GitWorkingTree({ cwd, store: join(folder, "tree"), own, note }),
    worktrees: { port: new GitWorktrees(), cwd, folder: join(folder, "worktrees"), own },
  });
}

/** Where a run works, and who takes its turns. */
export interface Setting {
  readonly run: RunId;
  readonly store: Store;
  readonly cwd: string;
  readonly cast: Cast;
  readonly terminal: Terminal;
}

/** The program of a definition with nobody behind its nodes: enough for the kernel to decide again. */
export function planOnly(definition: InboxDefinition): Program {
  const nobody: Agent = {
    session: ({ node }) => node,
    turn: () => Promise.reject(new Error("Bug in Baton: a replayed turn was taken. Please report it.")),
  };
  return { ...compileInbox(definition, { agent: () => nobody }), handlers: {} };
}

/** What a graph would do that a person may want to know of beforehand. */
export function powersOf(definition: InboxDefinition, cast: Cast): readonly string[] {
  if (cast.script !== undefined) return [];
  const powers = Object.entries(definition.nodes).flatMap(([id, { kind, tools = DEFAULT_TOOLS[kind] }]) =>
    tools === "none" ? [] : [`let ${id} use tools`],
  );
  return [...powers, ...startedBy(cast, wantedBy(definition))];
}

/** The agents that the nodes of a graph want. */
export function wantedBy({ nodes }: InboxDefinition): Wanted {
  return new Map(Object.entries(nodes).map(([id, { agent }]) => [id, agent]));
}

export const inboxRuns: Dialect = {
  read(events, state) {
    const view = new InboxView();
    for (const event of events) view.evolve(event);
    const goal = channelValue(state, GOAL);
    return { ...inboxResult(view), state: goal === undefined ? {} : { goal } };
  },
  watch: () => new InboxWatch(),
  checkAnswer,
  async reopen({ run, store, beginning: { request, definition }, options, terminal }) {
    const { cwd } = request;
    if (!existsSync(cwd)) throw new Misuse("not_found", `The working folder of run ${run} is gone: ${cwd}.`);
    const recalled = await recall(store.journal, run);
    const cast = { ...castAgain(options, request, terminal), recalled };
    // Reading made it complete before the log kept it.
    return inboxProgram(definition as unknown as InboxDefinition, { run, store, cwd, cast, terminal });
  },
  budgetWrites,
  resumeWrites,
};

/** Follows a run node by node. */
class InboxWatch implements Watch {
  readonly #view: InboxView = new InboxView();
  readonly #names: NameBook = new NameBook();
  readonly #tokens: Map<string, number> = new Map();

  evolve(event: Event): void {
    this.#view.evolve(event);
    if (event.type === "task.noted" && event.kind === "inbox.turn") {
      const node = this.#names.nodeOf(event.task);
      this.#tokens.set(node, (this.#tokens.get(node) ?? 0) + tokensIn(event.data));
    }
    this.#names.fold(event);
  }

  glance(state: RunState): Glance {
    const nodes = Object.entries(this.#view.nodes).map(([node, { status, inbox }]): NodeRow => {
      return { node, status, inbox, tokens: this.#tokens.get(node) ?? 0 };
    });
    return { usage: usageIn(state), budget: budgetIn(state), about: () => "", nodes };
  }
}

function tokensIn(data: Json): number {
  const usage = isJsonObject(data) ? data["usage"] : undefined;
  return isJsonObject(usage) && typeof usage["tokens"] === "number" ? usage["tokens"] : 0;
}

function usageIn(state: RunState): Glance["usage"] {
  const value = channelValue(state, USAGE);
  const { tokens, costUsd } = isJsonObject(value) ? value : { ...NOTHING_SPENT };
  return {
    tokens: typeof tokens === "number" ? tokens : 0,
    costUsd: typeof costUsd === "number" ? costUsd : null,
  };
}

function budgetIn(state: RunState): NonNullable<Glance["budget"]> {
  const value = channelValue(state, BUDGET);
  const { maxTokens, maxCostUsd } = isJsonObject(value) ? value : {};
  return {
    ...(typeof maxTokens === "number" && { maxTokens }),
    ...(typeof maxCostUsd === "number" && { maxCostUsd }),
  };
}
