/**
 * A recorded inbox graph is its program with agents, files and worktrees that answer from a log.
 *
 * 1. A turn is answered with what was recorded of it: its message, what it sent, what it cost, or why it failed.
 * 2. What a turn sent over an automatic edge is not sent again by it: the edge does that.
 * 3. What was undone in a person's folder, when a turn wrote what it may not and was interrupted, is not in the log.
 */

import type { Agent, Usage } from "../../agent/agent.ts";
import type { Changes, WorkingTree } from "../../agent/working-tree.ts";
import { isJsonObject, type JsonObject } from "../../base/json.ts";
import { Arrears } from "../../dialects/inbox/arrears.ts";
import { compileInbox } from "../../dialects/inbox/compile.ts";
import type { InboxDefinition, InboxNode } from "../../dialects/inbox/definition.ts";
import { Network } from "../../dialects/inbox/network.ts";
import type { Place } from "../../dialects/inbox/place.ts";
import type { WorktreeGround } from "../../dialects/inbox/ports.ts";
import { type Beginning, type FailedTurn, isBeginning } from "../../dialects/inbox/turn-log.ts";
import type { Plan } from "../../kernel/plan.ts";
import type { Program } from "../../kernel/program.ts";
import {
  type Evidence,
  endIn,
  missing,
  newlyRemembered,
  noteIn,
  type ReplayProgram,
  textAt,
  Unrecorded,
} from "./evidence.ts";
import { recordedTurn } from "./recorded-turn.ts";

/**
 * The program of a definition that `readInbox` accepted, or that the log of a run kept. What it leaves open is as it
 * was settled in the plan of the log.
 */
export function recordedInbox(definition: InboxDefinition, kept: Kept): ReplayProgram {
  let evidence: Evidence | undefined;
  let latest = settled(definition, kept);
  const arrears = new Arrears();
  const current = (): Evidence => {
    if (evidence !== undefined) return evidence;
    throw new Unrecorded("Nothing is replayed at this time.", { isKnownGap: false });
  };
  const compile = (next: InboxDefinition): Program => {
    latest = next;
    return compileInbox(next, {
      agent: () => recordedAgent(current, () => new Network(latest)),
      tree: recordedTree(current),
      latest: () => latest,
      arrears: () => arrearsIn(arrears, current()),
      get worktrees() {
        return recordedGround(current());
      },
    });
  };
  return {
    program: compile(latest),
    beginsCall: isBeginning,
    follow: (event) => arrears.evolve(event),
    // The log has what `compileInbox` gave it.
    amended: (next, plan) => compile(settled(next as unknown as InboxDefinition, { plan })),
    attend: (next) => {
      evidence = next;
    },
  };
}

/** What failed turns had cost before this one. */
function arrearsIn({ total }: Arrears, evidence: Evidence): Usage {
  const own = newlyRemembered(evidence, "failed:") as unknown as readonly FailedTurn[]; // what turns write
  return own.reduce(
    ({ tokens, costUsd }, { usage }) => ({
      tokens: tokens - usage.tokens,
      costUsd: costUsd === null || usage.costUsd === null ? null : costUsd - usage.costUsd,
    }),
    total,
  );
}

/** What the log has of a definition that was compiled. */
interface Kept {
  readonly plan: Plan;
}

/** With the workspaces that the run had: what the author left open was settled when it began. */
function settled(definition: InboxDefinition, { plan }: Kept): InboxDefinition {
  const nodes = Object.entries(definition.nodes).map(([id, node]): [string, InboxNode] => {
    const wasExclusive = Object.hasOwn(plan.nodes, id) && plan.nodes[id]?.exclusive !== undefined;
    return [id, { ...node, workspace: node.workspace ?? (wasExclusive ? "exclusive" : "shared") }];
  });
  return { ...definition, nodes: Object.fromEntries(nodes) };
}

function recordedAgent(current: () => Evidence, network: () => Network): Agent {
  return {
    session: () => begun(current())?.session ?? "recorded",
    mayWrite: () => {
      const { mark, unmarked } = placeIn(current()) ?? {};
      return mark !== undefined || unmarked !== undefined;
    },
    turn: (request) => recordedTurn(current(), request, network()),
  };
}

/** The turn that was begun in this call, or the one that it goes on with. */
function begun(evidence: Evidence): Beginning | undefined {
  const beginnings = newlyRemembered(evidence, "begin:") as unknown as readonly Beginning[]; // what turns write
  return beginnings.at(-1);
}

function placeIn(evidence: Evidence): Place | undefined {
  return begun(evidence)?.place;
}

function recordedTree(current: () => Evidence): WorkingTree {
  return {
    async mark() {
      const { mark, unmarked } = placeIn(current()) ?? {};
      if (unmarked !== undefined) throw new Error(unmarked);
      return mark;
    },
    changes: () => changesIn(current()),
    async restore() {},
  };
}

/** What a turn had changed, as its record has it. */
async function changesIn(evidence: Evidence): Promise<Changes | undefined> {
  const said = warningsIn(evidence);
  const unknown = said.find(({ code }) => code === "no_diff");
  if (unknown !== undefined) throw new Error(String(unknown["message"]));
  if (said.some(({ code }) => code === "forbidden_write")) {
    throw missing(evidence, "what the turn changed and may not"); // (3)
  }
  const note = noteIn(evidence, "inbox.turn");
  const [failed] = newlyRemembered(evidence, "failed:");
  const diff = (isJsonObject(failed) ? failed : note)?.["diff"];
  const ref = isJsonObject(diff) ? diff["ref"] : undefined;
  const after = note?.["files"];
  const ignored = said.flatMap(({ message }) => ignoredIn(String(message)));
  if (typeof ref !== "string" && after === undefined && ignored.length === 0) return undefined;
  return {
    ...{ diff: typeof ref === "string" ? await textAt(evidence, ref) : "", paths: [], ignored },
    ...(after !== undefined && { after }),
  };
}

/** The ignored files that a warning tells of: the first by its name, the others by their number. */
function ignoredIn(message: string): string[] {
  const [, first, more = "0"] = / changed (.*?)(?: and (\d+) more)?, which git ignores/.exec(message) ?? [];
  return first === undefined ? [] : [first, ...Array<string>(Number(more)).fill("")];
}

function warningsIn({ facts }: Evidence): readonly JsonObject[] {
  return facts.flatMap((fact) =>
    fact.type === "task.noted" && fact.kind === "inbox.warning" && isJsonObject(fact.data) ? [fact.data] : [],
  );
}

const NO_WORKTREE = " cannot have a worktree of its own. ";

/** The ground of worktrees, as far as the turn had one, or was told why it has none. */
function recordedGround(evidence: Evidence): WorktreeGround {
  const { worktree, folder } = placeIn(evidence) ?? {};
  const end = endIn(evidence);
  const [, why] = end?.type === "task.failed" ? end.failure.message.split(NO_WORKTREE, 2) : [];
  const refuse = (): Promise<never> =>
    Promise.reject(new Error("Bug in Baton: a replay wants Git. Please report it."));
  return {
    cwd: worktree?.cwd ?? "",
    folder: worktree?.folder.slice(0, worktree.folder.lastIndexOf("/")) ?? "",
    port: {
      begin: async () =>
        worktree === undefined ? { ok: false, why: why ?? "" } : { ok: true, commit: worktree.base },
      open: async () => {
        if (worktree === undefined) throw new Error(why);
        return folder ?? worktree.folder;
      },
      ...{ seal: refuse, merge: refuse, bring: refuse, land: refuse, close: refuse },
    },
  };
}
