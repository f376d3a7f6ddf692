/** The difference of two runs as text: `-` is the first run, `+` the second. */

import type { Usage } from "../../agent/agent.ts";
import type { Json } from "../../base/json.ts";
import { type Difference, differences } from "../difference.ts";
import type { RunSide, RunsDiff, TextDiff, VisitDiff } from "./diff.ts";
import { lineDiff } from "./line-diff.ts";

/** How many unchanged lines are shown around a change. */
const AROUND = 2;

/** Prints a difference for people. */
export function diffText({ runs: [left, right], identical, diverges, visits, state }: RunsDiff): string {
  const head = [`- ${sideText(left)}`, `+ ${sideText(right)}`];
  if (identical) return [...head, `The runs are the same in ${visits.same} visits.`].join("\n");
  const first = diverges && [
    `They go apart at ${diverges.key || "their end"} (${diverges.what}):`,
    ...(diverges.what === "writes"
      ? [...differences(diverges.left, diverges.right)].flatMap((found) =>
          differenceLines(`  ${found.path}`, found),
        )
      : [`  - ${print(diverges.left)}`, `  + ${print(diverges.right)}`]),
  ];
  const shown = state.filter(({ left: before, right: after }) => !isReference(before) && !isReference(after));
  const changed = shown.flatMap((found) => differenceLines(`state ${found.channel}${found.path}`, found));
  if (shown.length < state.length) {
    changed.push(`state: ${state.length - shown.length} more, which are references to texts`);
  }
  const counted = `${countOf(visits.same)} the same, ${visits.differing.length} ${visits.differing.length === 1 ? "differs" : "differ"}.`;
  return [...head, ...(first ?? []), counted, ...visits.differing.flatMap(visitText), ...changed].join("\n");
}

function countOf(visits: number): string {
  return visits === 1 ? "1 visit is" : `${visits} visits are`;
}

function sideText({ run, status, reason, visits, usage }: RunSide): string {
  return `${run}: ${status}${reason === null ? "" : ` (${reason})`}, ${visits} visits, ${usageText(usage)}`;
}

function usageText({ tokens, costUsd }: Usage): string {
  return `${tokens} tokens, ${costUsd === null ? "cost unknown" : `$${costUsd.toFixed(4)}`}`;
}

const REFERENCE = /^sha256:[0-9a-f]{64}$/;

/** References differ when texts do, and say nothing to people. */
function isReference(value: Json | undefined): boolean {
  return typeof value === "string" && REFERENCE.test(value);
}

function differenceLines(where: string, { left, right }: Difference): string[] {
  return [
    where,
    ...(left === undefined ? [] : [`  - ${print(left)}`]),
    ...(right === undefined ? [] : [`  + ${print(right)}`]),
  ];
}

function visitText({ key, seq, differs, writes, texts, usage: [before, after] }: VisitDiff): string[] {
  if (differs.includes("visit")) return [`${seq[0] === null ? "+" : "-"} ${key}`];
  const spent = differs.includes("usage") && before && after;
  return [
    `~ ${key}: ${differs.join(", ")}`,
    ...(spent ? [`  - ${usageText(before)}`, `  + ${usageText(after)}`] : []),
    ...writes
      .filter(({ left, right }) => !isReference(left) && !isReference(right))
      .flatMap((found) => differenceLines(`handed on ${found.path}`, found).map((line) => `  ${line}`)),
    ...texts.flatMap(textDiffLines),
  ];
}

function textDiffLines({ kind, left, right }: TextDiff): string[] {
  const all = lineDiff(left ?? "", right ?? "");
  const isNear = (index: number) =>
    all.slice(Math.max(0, index - AROUND), index + AROUND + 1).some(({ op }) => op !== "same");
  const marks = { same: " ", removed: "-", added: "+" } as const;
  const shown = all.flatMap(({ op, line }, index) => {
    if (isNear(index)) return [`    ${marks[op]} ${line}`];
    return isNear(index - 1) ? ["    …"] : [];
  });
  return [`  ${kind}`, ...shown];
}

function print(value: Json): string {
  return typeof value === "string" && value !== "" ? value : JSON.stringify(value);
}
