/** Tokens that an agent counted, wherever it says so and however it spells it. */

import { isObject } from "../../base/json.ts";
import type { UsagePlace } from "./quirks.ts";

const TOTALS = ["totalTokens", "total_tokens", "totalTokenCount"];
const PARTS = [
  ...["inputTokens", "input_tokens", "promptTokens", "prompt_tokens"],
  ...["outputTokens", "output_tokens", "completionTokens", "completion_tokens"],
];

/** The tokens of a turn, from the answers to its prompts or the `_meta` of its messages; 0 when nobody counted. */
export function tokensIn(answers: readonly unknown[], metas: readonly unknown[], place: UsagePlace): number {
  const counts =
    place.at === "chunk_meta" ? metas.map((meta) => within(meta, place.path)) : answers.map(inAnswer);
  return counts.reduce<number>((sum, usage) => sum + (counted(usage) ?? 0), 0);

  function inAnswer(answer: unknown): unknown {
    if (place.at === "answer_meta") return within(answer, ["_meta", ...place.path]);
    return within(answer, ["usage"]);
  }
}

/** What lies at a path of keys. */
export function within(value: unknown, path: readonly string[]): unknown {
  let here = value;
  for (const key of path) here = isObject(here) && Object.hasOwn(here, key) ? here[key] : undefined;
  return here;
}

function counted(usage: unknown): number | undefined {
  if (!isObject(usage)) return undefined;
  const total = TOTALS.map((key) => usage[key]).find(isCount);
  if (total !== undefined) return total;
  const parts = PARTS.map((key) => usage[key]).filter(isCount);
  return parts.length === 0 ? undefined : parts.reduce((sum, tokens) => sum + tokens, 0);
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
