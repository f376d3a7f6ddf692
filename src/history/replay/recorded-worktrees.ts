/**
 * Recorded worktrees answer for Git from what a parallel loop's task remembered: what was committed, merged and landed.
 *
 * 1. Whether a merge went well is not recorded as such; it follows from what the loop did next.
 * 2. Where a sentence of Git's went into a message that nothing can be read back from, there is a gap.
 */

import type { Landed, Merged, Sealed, Worktree, Worktrees } from "../../agent/worktree.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { LANDED } from "../../dialects/loadout/lanes/integration.ts";
import { againKey, recordKey } from "../../dialects/loadout/lanes/lane-record.ts";
import { type Evidence, endIn, missing } from "./evidence.ts";

/** Stands for a commit that was made after a person had resolved a conflict, whose name nothing keeps. */
const RESOLVED = "resolved";

export function recordedWorktrees(current: () => Evidence): Worktrees {
  /** The records whose commits were told, by call. */
  const told: WeakMap<Evidence, Set<string>> = new WeakMap();
  return {
    begin: async () => {
      const base = current().remembered.get("lanes:base");
      if (typeof base === "string") return { ok: true, commit: base };
      throw missing(current(), "why there could be no worktrees");
    },
    open: async ({ folder }) => folder,
    seal: async (tree) => {
      const evidence = current();
      const before = told.get(evidence) ?? new Set();
      told.set(evidence, before);
      return sealed(evidence, tree, before);
    },
    merge: async (_into, commit, message) => merged(current(), { commit, item: itemIn(message) }),
    bring: async (tree) => brought(current(), itemOf(tree)),
    land: async () => landed(current()),
    close: async ({ branch }) =>
      !warnings(current()).some((message) => message.endsWith(`on branch ${branch}.`)),
  };
}

/** The item of a lane: the last part of its branch, which is its key. */
function itemOf({ branch }: Worktree): string {
  return branch.slice(branch.lastIndexOf("/") + 1);
}

/** `Merge WI-1: a title`. */
function itemIn(message: string): string {
  return message.slice("Merge ".length, message.indexOf(":"));
}

/** The commit of the record that this call made; the lane's own one comes before that of its rework. */
function sealed(evidence: Evidence, tree: Worktree, told: Set<string>): Sealed {
  const item = itemOf(tree);
  for (const key of [recordKey(item), recordKey(againKey(item))]) {
    const record = evidence.remembered.get(key);
    if (!isJsonObject(record) || evidence.memory.has(key) || told.has(key)) continue;
    told.add(key);
    return { kind: "sealed", commit: record["commit"] as string | null }; // written by the loop
  }
  if (mergeOf(evidence, item)?.["how"] === "merged") return { kind: "sealed", commit: RESOLVED };
  if (questionFiles(evidence, item) !== undefined) return { kind: "unresolved", files: [] };
  throw missing(evidence, `what became of the worktree of ${item}`);
}

/** Says whether a commit could be merged (1). */
function merged(
  evidence: Evidence,
  { commit, item }: { readonly commit: string; readonly item: string },
): Merged {
  const isMerged: Merged = { kind: "merged" };
  const isConflict: Merged = { kind: "conflict", files: [] };
  const merge = mergeOf(evidence, item);
  const again = evidence.remembered.get(recordKey(againKey(item)));
  if (commit === RESOLVED) return isMerged;
  if (isJsonObject(again) && commit === again["commit"]) {
    return merge?.["how"] === "merged" && merge["answers"] === answersBefore(evidence, item)
      ? isMerged
      : isConflict;
  }
  const wasReworked = again !== undefined || evidence.remembered.has(`gaveUp:${item}`);
  return merge !== undefined && !wasReworked ? isMerged : isConflict;
}

function mergeOf({ remembered }: Evidence, item: string): JsonObject | undefined {
  const merge = remembered.get(`merged:${item}`);
  return isJsonObject(merge) ? merge : undefined;
}

/** How many answers were used up by the items that were merged before this one. */
function answersBefore({ remembered }: Evidence, item: string): number {
  let answers = 0;
  for (const [key, merge] of remembered) {
    if (key === `merged:${item}`) break;
    if (key.startsWith("merged:") && isJsonObject(merge)) answers = Number(merge["answers"]);
  }
  return answers;
}

/** The files of a conflict, as the item was told of them, or a person was asked about them. */
function brought(evidence: Evidence, item: string): Merged {
  const asked = questionFiles(evidence, item);
  if (asked !== undefined) return { kind: "conflict", files: asked };
  for (const fact of evidence.facts) {
    if (fact.type !== "task.noted" || fact.kind !== "loadout.rework" || !isJsonObject(fact.data)) continue;
    const { item: about, reason } = fact.data;
    const [, files] = /stand in these files: (.*)\. Resolve them/.exec(String(reason)) ?? [];
    if (about !== item || files === undefined) continue;
    return files === "none that are left" ? { kind: "merged" } : { kind: "conflict", files: [files] };
  }
  throw missing(evidence, `which files of ${item} were in conflict`);
}

function questionFiles(evidence: Evidence, item: string): readonly string[] | undefined {
  const end = endIn(evidence);
  const value = end?.type === "task.asked" ? end.questions[0]?.value : undefined;
  const args = isJsonObject(value) ? value["args"] : undefined;
  if (!isJsonObject(args) || !Array.isArray(args["files"])) return undefined;
  const isOf = typeof args["branch"] === "string" && args["branch"].endsWith(`/${item}`);
  return isOf ? (args["files"] as readonly Json[]).map(String) : undefined;
}

function landed(evidence: Evidence): Landed {
  if (evidence.remembered.has(LANDED)) return { ok: true };
  const end = endIn(evidence);
  const message = end?.type === "run.paused" && end.reason === "not_landed" ? end.message : undefined;
  const [, why] = /your folder cannot take it\. (.*) Then resume the run\.$/s.exec(message ?? "") ?? [];
  if (why !== undefined) return { ok: false, why };
  throw missing(evidence, "whether your folder could take the work");
}

function warnings({ facts }: Evidence): readonly string[] {
  return facts.flatMap((fact) => {
    if (fact.type !== "task.noted" || fact.kind !== "loadout.warning" || !isJsonObject(fact.data)) return [];
    return typeof fact.data["message"] === "string" ? [fact.data["message"]] : [];
  });
}

/** The folder of the run in which its lanes lay, where anything in the log names it. */
export function runDirIn({ facts, remembered }: Evidence): string {
  const texts = JSON.stringify([facts, [...remembered]]);
  const [, folder = ""] =
    /(?:"|kept in )((?:\/|[A-Za-z]:)[^"]*?)\/lanes\/[^"/]+\/[^"/]+(?:"|, on branch)/.exec(texts) ?? [];
  return folder;
}
