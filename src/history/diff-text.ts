/** The difference of two runs as text: `-` is the first run, `+` the second. */

import type { Usage } from "../agent/agent.ts";
import type { Json } from "../base/json.ts";
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
    `  - ${print(diverges.left)}`,
    `  + ${print(diverges.right)}`,
  ];
  const changed = state.flatMap(({ channel, path, left: before, right: after }) => [
    `state ${channel}${path}`,
    ...(before === undefined ? [] : [`  - ${print(before)}`]),
    ...(after === undefined ? [] : [`  + ${print(after)}`]),
  ]);
  const counted = `${visits.same} visits are the same, ${visits.differing.length} differ.`;
  return [...head, ...(first ?? []), counted, ...visits.differing.flatMap(visitText), ...changed].join("\n");
}

function sideText({ run, status, reason, visits, usage }: RunSide): string {
  return `${run}: ${status}${reason === null ? "" : ` (${reason})`}, ${visits} visits, ${usageText(usage)}`;
}

function usageText({ tokens, costUsd }: Usage): string {
  return `${tokens} tokens, ${costUsd === null ? "cost unknown" : `$${costUsd.toFixed(4)}`}`;
}

function visitText({ key, seq, differs, texts, usage: [before, after] }: VisitDiff): string[] {
  if (differs.includes("visit")) return [`${seq[0] === null ? "+" : "-"} ${key}`];
  const spent = differs.includes("usage") && before && after;
  return [
    `~ ${key}: ${differs.join(", ")}`,
    ...(spent ? [`  - ${usageText(before)}`, `  + ${usageText(after)}`] : []),
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
  return typeof value === "string" ? value : JSON.stringify(value);
}
