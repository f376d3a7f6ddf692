/** Runs of loadouts: how one is prepared, taken up again, and looked at. */

import { existsSync } from "node:fs";
import { isAbsolute, normalize, resolve, sep } from "node:path";
import { isJsonObject, type Json } from "../../base/json.ts";
import type { RunId } from "../../base/names.ts";
import { budgetWrites } from "../../dialects/loadout/budget.ts";
import { BUDGET, STATE, USAGE } from "../../dialects/loadout/channels.ts";
import { compileLoadout } from "../../dialects/loadout/compile.ts";
import { type LoadoutDefinition, type Materia, WORK_ITEMS } from "../../dialects/loadout/definition.ts";
import type { LoadoutDrawing } from "../../dialects/loadout/draw.ts";
import { checkAnswer } from "../../dialects/loadout/human-socket.ts";
import { type ReadLoadout, readLoadout } from "../../dialects/loadout/read.ts";
import { LoadoutView, loadoutResult } from "../../dialects/loadout/view.ts";
import type { Program } from "../../kernel/program.ts";
import { channelValue, type RunState } from "../../kernel/state.ts";
import { LocalCommands } from "../../providers/command/local-commands.ts";
import { bundledUtility } from "../../providers/utilities/bundled.ts";
import { GitWorkingTree } from "../../providers/working-tree/git-working-tree.ts";
import { GitWorktrees } from "../../providers/worktree/git-worktrees.ts";
import { agentsOf, type Cast, castAgain, startedBy, type Wanted } from "../agents/agents.ts";
import { Misuse } from "../misuse.ts";
import { decisionOf } from "../terminal/decision.ts";
import { unfit } from "../terminal/report.ts";
import type { Dialect, Glance } from "./dialect.ts";
import { folderFor } from "./run-folder.ts";
import type { LoadoutSource } from "./source.ts";
import type { Store } from "./store.ts";
import { treeFolder } from "./trees.ts";
import { requireTrustAgain } from "./trust-again.ts";

/** Where a run works, and who takes its turns. */
export interface Setting {
  readonly run: RunId;
  readonly store: Store;
  readonly cwd: string;
  readonly cast: Cast;
}

/** The definition of a source that is fit to run; refuses one that is not, with all that is wrong in it. */
export function definitionOf(source: LoadoutSource): Extract<ReadLoadout, { ok: true }> {
  const read = readLoadout(source.json, { below: source.below });
  if (read.ok) return read;
  throw unfit(source.named, [...read.errors, ...read.warnings]);
}

/** The program of a definition in its setting. */
export async function programOf(
  definition: LoadoutDefinition,
  { run, store, cwd, cast }: Setting,
): Promise<Program> {
  const { artifactDir } = definition;
  const runDir = folderFor(run, store, artifactDir === undefined ? undefined : resolve(cwd, artifactDir));
  return compileLoadout(definition, {
    agent: await agentsOf(cast, wantedBy(definition), cwd),
    commands: new LocalCommands({ cwd }),
    utility: bundledUtility,
    cwd,
    runDir,
    worktrees: new GitWorktrees(),
    tree: new GitWorkingTree({ cwd, store: treeFolder(run, store), own: [...store.own, runDir] }),
  });
}

/** What a loadout would do that a person may want to know of beforehand. */
export function powersOf(definition: LoadoutDefinition, cast: Cast): readonly string[] {
  const powers = allMateria(definition).flatMap(([id, { command, type = "agent", tools = "none" }]) => {
    if (type === "utility" && command !== undefined) return [`run \`${command.join(" ")}\``];
    const mayAct = type === "agent" && tools !== "none" && cast.script === undefined;
    return mayAct ? [`let ${id} use tools`] : [];
  });
  return [...new Set([...powers, ...startedBy(cast, wantedBy(definition)), ...keptOutside(definition)])];
}

/** That it keeps its files in a place outside of the working folder. */
function keptOutside({ artifactDir = "" }: LoadoutDefinition): readonly string[] {
  const isOutside = isAbsolute(artifactDir) || normalize(artifactDir).split(sep)[0] === "..";
  return isOutside ? [`keep files in ${artifactDir}`] : [];
}

/** The agents that the materia of a loadout want. */
export function wantedBy(definition: LoadoutDefinition): Wanted {
  const agents = allMateria(definition).filter(([, { type = "agent" }]) => type === "agent");
  return new Map(agents.map(([id, { agent }]) => [id, agent]));
}

/** The materia of a loadout and of those inside it. */
function allMateria({ materia, loadouts = {} }: LoadoutDefinition): (readonly [string, Materia])[] {
  const inner = Object.values(loadouts) as readonly LoadoutDefinition[]; // reading made them complete
  return [...Object.entries(materia), ...inner.flatMap(allMateria)];
}

export const loadoutRuns: Dialect = {
  read(events, state) {
    const view = new LoadoutView();
    for (const event of events) view.evolve(event);
    return loadoutResult(view, state);
  },
  decision(events) {
    const view = new LoadoutView();
    for (const event of events) view.evolve(event);
    return view.lastRoute && decisionOf(view.lastRoute);
  },
  changed(events) {
    const view = new LoadoutView();
    for (const event of events) view.evolve(event);
    return view.changes.map(({ socket, item, paths, more }) => {
      const others = more === 0 ? "" : ` and ${more} more`;
      return `${item === undefined ? socket : `${socket}@${item}`}: ${paths.join(", ")}${others}`;
    });
  },
  watch() {
    const view = new LoadoutView();
    return {
      evolve: (event) => view.evolve(event),
      glance: (state) => ({ usage: usageIn(state), budget: budgetIn(state), about: aboutIn(view, state) }),
    };
  },
  checkAnswer,
  async reopen(reopening) {
    const { run, beginning, store, options, terminal } = reopening;
    const { request } = beginning;
    const { cwd } = request;
    if (!existsSync(cwd)) throw new Misuse("not_found", `The working folder of run ${run} is gone: ${cwd}.`);
    const cast = castAgain(options, request, terminal);
    // Reading made it complete before the log kept it.
    const definition = beginning.definition as unknown as LoadoutDefinition;
    const started = startedBy(cast, wantedBy(definition));
    await requireTrustAgain(reopening, { powers: powersOf(definition, cast), started, cast });
    return programOf(definition, { run, store, cwd, cast });
  },
  budgetWrites,
  resumeWrites: () => [],
};

/** The label of a socket, and of the last one entered the item that it works on. */
function aboutIn(view: LoadoutView, state: RunState): Glance["about"] {
  const { nodes } = state.plan.drawing as unknown as LoadoutDrawing; // compiling put it there
  const { socket, item } = view.visits.at(-1) ?? {};
  return (node) => {
    const label = nodes.find(({ id }) => id === node)?.label ?? "";
    return socket === node && item !== undefined
      ? `${label} on ${item} ${titleOf(item, state)}`.trim()
      : label;
  };
}

/** The title of `WI-<n>`, where the items lie where they lie by default. */
function titleOf(item: string, state: RunState): string {
  const items = objectIn(state, STATE)[WORK_ITEMS];
  const value = Array.isArray(items)
    ? (items as readonly Json[])[Number(item.slice("WI-".length)) - 1]
    : undefined;
  const title = isJsonObject(value) ? value["title"] : value;
  return typeof title === "string" ? title : "";
}

function usageIn(state: RunState): Glance["usage"] {
  const { tokens, costUsd } = objectIn(state, USAGE);
  return {
    tokens: typeof tokens === "number" ? tokens : 0,
    costUsd: typeof costUsd === "number" ? costUsd : costUsd === null ? null : 0,
  };
}

function budgetIn(state: RunState): NonNullable<Glance["budget"]> {
  const { maxTokens, maxCostUsd } = objectIn(state, BUDGET);
  return {
    ...(typeof maxTokens === "number" && { maxTokens }),
    ...(typeof maxCostUsd === "number" && { maxCostUsd }),
  };
}

function objectIn(state: RunState, channel: string): Readonly<Record<string, Json>> {
  const value = channelValue(state, channel);
  return isJsonObject(value) ? value : {};
}
