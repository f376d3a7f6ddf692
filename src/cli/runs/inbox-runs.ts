/** Runs of inbox graphs: how one is prepared, taken up again, and looked at. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject, type Json } from "../../base/json.ts";
import type { RunId } from "../../base/names.ts";
import { checkAnswer } from "../../dialects/inbox/approval.ts";
import { budgetWrites } from "../../dialects/inbox/budget.ts";
import { BUDGET, GOAL, NOTHING_SPENT, USAGE } from "../../dialects/inbox/channels.ts";
import { resumeWrites } from "../../dialects/inbox/commands.ts";
import { compileInbox } from "../../dialects/inbox/compile.ts";
import { DEFAULT_TOOLS, type InboxDefinition } from "../../dialects/inbox/definition.ts";
import type { InboxServices } from "../../dialects/inbox/ports.ts";
import { type ReadInbox, readInbox } from "../../dialects/inbox/read.ts";
import { InboxView, inboxResult } from "../../dialects/inbox/view.ts";
import { InboxRun } from "../../engines/inbox.ts";
import type { Event } from "../../kernel/event.ts";
import { channelValue, type RunState } from "../../kernel/state.ts";
import { GitWorkingTree } from "../../providers/working-tree/git-working-tree.ts";
import { GitWorktrees } from "../../providers/worktree/git-worktrees.ts";
import { NameBook } from "../../views/nodes.ts";
import { type Cast, castAgain, startedBy, type Wanted } from "../agents/agents.ts";
import { Roster } from "../agents/roster.ts";
import { Misuse } from "../misuse.ts";
import { unfit } from "../terminal/report.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Dialect, Glance, NodeRow, Reopening, Watch } from "./dialect.ts";
import type { Engine } from "./engine.ts";
import { folderFor } from "./run-folder.ts";
import type { InboxSource } from "./source.ts";
import type { Store } from "./store.ts";
import { treeFolder } from "./trees.ts";
import { requireTrustAgain } from "./trust-again.ts";

/** The definition of a source that is fit to run; refuses one that is not, with all that is wrong in it. */
export function definitionOf(source: InboxSource): Extract<ReadInbox, { ok: true }> {
  const read = readInbox(source.json);
  if (read.ok) return read;
  throw unfit(source.named, [...read.errors, ...read.warnings]);
}

/** What goes on with a run of a graph at work in a folder, whatever becomes of the graph meanwhile. */
export async function inboxEngine(definition: InboxDefinition, setting: Setting): Promise<Engine> {
  const services = await servicesIn(setting, definition);
  return {
    id: compileInbox(definition, services).id,
    async take(ledger, host) {
      const options = { ledger, services, host };
      const isNew = ledger.state.status === "new";
      return isNew ? InboxRun.create(options, definition) : InboxRun.open(options);
    },
  };
}

/** Everything outside of a run that the turns of a graph reach. */
export async function servicesIn(setting: Setting, definition: InboxDefinition): Promise<InboxServices> {
  const { run, store, cwd, cast, terminal } = setting;
  const note = (sentence: string) => terminal.tell(`note: ${sentence}`);
  const roster = new Roster(cast, cwd);
  await roster.open(wantedBy(definition));
  return {
    agent: (name) => roster.agent(name),
    prepare: (changed) => roster.open(wantedBy(changed)),
    tree: new GitWorkingTree({ cwd, store: treeFolder(run, store), own: store.own, note }),
    worktrees: {
      port: new GitWorktrees(),
      cwd,
      folder: join(folderFor(run, store), "worktrees"),
      own: store.own,
    },
  };
}

/** Where a run works, and who takes its turns. */
export interface Setting {
  readonly run: RunId;
  readonly store: Store;
  readonly cwd: string;
  readonly cast: Cast;
  readonly terminal: Terminal;
}

/** The graph that a run goes on with: reading made it complete before the log kept it. */
export function definitionIn({ beginning: { definition } }: Pick<Reopening, "beginning">): InboxDefinition {
  return definition as unknown as InboxDefinition;
}

/** Where a run goes on, and with whom. Throws a `Misuse` when its folder is gone. */
export function settingOf({ run, store, beginning: { request }, options, terminal }: Reopening): Setting {
  const { cwd } = request;
  if (!existsSync(cwd)) throw new Misuse("not_found", `The working folder of run ${run} is gone: ${cwd}.`);
  return { run, store, cwd, cast: castAgain(options, request, terminal), terminal };
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
  async reopen(reopening) {
    const [definition, setting] = [definitionIn(reopening), settingOf(reopening)];
    const { cast } = setting;
    const started = startedBy(cast, wantedBy(definition));
    await requireTrustAgain(reopening, { powers: powersOf(definition, cast), started, cast });
    return inboxEngine(definition, setting);
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
