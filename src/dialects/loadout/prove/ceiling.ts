/**
 * A ceiling is what a run can cost at most, told before its first token: its bound with the author's assumptions put in.
 *
 * A turn is a visit of a socket. `tokensPerTurn` is what one visit takes with its repairs; utilities and people count
 * as turns too, so the ceiling is never too low for them.
 */

import type { Termination } from "../../termination.ts";
import { evaluate, parseFormula, symbolsOf } from "./formula.ts";

/** What is assumed of a run. */
export interface Assumptions {
  /** The most items of a list: of every loop, or by the name of the loop (`items(<loop>)` without its brackets). */
  readonly items?: number | { readonly [loop: string]: number };
  readonly tokensPerTurn?: number;
  /** US dollars for a million tokens. */
  readonly usdPerMtok?: number;
}

/** Null stands for what cannot be told: without a bound, or without the assumption that it needs. */
export interface Ceiling {
  readonly turns: number | null;
  readonly tokens: number | null;
  readonly usd: number | null;
  /** The numbers of items that the bound needs and nobody assumed. */
  readonly missing: readonly string[];
}

/** The most turns, tokens and dollars of a run under these assumptions. */
export function costCeiling({ bound }: Pick<Termination, "bound">, assume: Assumptions): Ceiling {
  const formula = bound === null ? undefined : parseFormula(bound);
  if (formula === undefined) return { turns: null, tokens: null, usd: null, missing: [] };
  const missing = symbolsOf(formula).filter((symbol) => itemsOf(assume, symbol) === undefined);
  const turns = missing.length > 0 ? null : evaluate(formula, (symbol) => itemsOf(assume, symbol) ?? 0);
  const { tokensPerTurn, usdPerMtok } = assume;
  const tokens = turns === null || tokensPerTurn === undefined ? null : turns * tokensPerTurn;
  const usd = tokens === null || usdPerMtok === undefined ? null : (tokens * usdPerMtok) / 1_000_000;
  return { turns, tokens, usd, missing };
}

/** `items(<loop>)` is looked up by its loop, and then by what is assumed of all of them. */
function itemsOf({ items }: Assumptions, symbol: string): number | undefined {
  if (items === undefined || typeof items === "number") return items;
  const loop = /^items\((.+)\)$/.exec(symbol)?.[1] ?? "";
  return Object.hasOwn(items, loop) ? items[loop] : Object.hasOwn(items, "") ? items[""] : undefined;
}

export type ParsedAssumptions =
  | { readonly ok: true; readonly assume: Assumptions }
  | { readonly ok: false; readonly message: string };

const KEYS = "items, items(<loop>), tokens-per-turn and usd-per-mtok";

/**
 * Reads `items=20,tokens-per-turn=30k,usd-per-mtok=3`; `k` stands for a thousand, `M` for a million, and
 * `items(review)=5` is for one loop. The message says what is wrong in one sentence.
 */
export function parseAssumptions(text: string): ParsedAssumptions {
  const items: Record<string, number> = {};
  let rest: Pick<Assumptions, "tokensPerTurn" | "usdPerMtok"> = {};
  for (const part of text.split(",")) {
    const [, key = "", amount = ""] = /^\s*([^=]*?)\s*=\s*(.*?)\s*$/.exec(part) ?? [];
    const value = numberOf(amount);
    const loop = key === "items" ? "" : /^items\((.+)\)$/.exec(key)?.[1];
    if (loop === undefined && key !== "tokens-per-turn" && key !== "usd-per-mtok") {
      return {
        ok: false,
        message: `${JSON.stringify(part.trim())} assumes nothing that is known; use ${KEYS}.`,
      };
    }
    if (value === undefined) {
      return {
        ok: false,
        message: `${key} needs a number of at least 0, such as ${key}=20; k and M are understood.`,
      };
    }
    if (key === "tokens-per-turn") rest = { ...rest, tokensPerTurn: value };
    else if (key === "usd-per-mtok") rest = { ...rest, usdPerMtok: value };
    else if (!Number.isInteger(value)) return { ok: false, message: `${key} is a whole number of items.` };
    else Object.defineProperty(items, loop ?? "", { value, enumerable: true, configurable: true });
  }
  const all = Object.keys(items);
  if (all.length === 0) return { ok: true, assume: rest };
  const only = all.length === 1 && all[0] === "" ? items[""] : undefined;
  return { ok: true, assume: { ...rest, items: only ?? items } };
}

function numberOf(text: string): number | undefined {
  const [, digits = "", unit = ""] = /^(\d+(?:\.\d+)?)([kM]?)$/.exec(text) ?? [];
  if (digits === "") return undefined;
  const value = Number(digits) * (unit === "M" ? 1_000_000 : unit === "k" ? 1_000 : 1);
  return Number.isFinite(value) ? value : undefined;
}

/** The ceiling in a sentence, such as `At most 83 turns, 2.5M tokens and $7.47.` */
export function ceilingSentence({ turns, tokens, usd, missing }: Ceiling): string {
  if (missing.length > 0)
    return `The most turns depend on ${missing.join(" and ")}; assume a number, such as ${missing[0]}=20.`;
  if (turns === null) return "No bound is proven, so nothing can be said about the cost.";
  const parts = [`${turns} ${turns === 1 ? "turn" : "turns"}`];
  if (tokens !== null) parts.push(`${short(tokens)} tokens`);
  if (usd !== null) parts.push(`$${usd.toFixed(2)}`);
  const last = parts.pop();
  return `At most ${parts.length === 0 ? last : `${parts.join(", ")} and ${last}`}.`;
}

/** Rounded up, so that what is said is still a ceiling. */
function short(amount: number): string {
  if (amount < 1_000) return String(Math.ceil(amount));
  const [size, unit] = amount < 1_000_000 ? [1_000, "k"] : [1_000_000, "M"];
  return `${Math.ceil((amount / size) * 10) / 10}${unit}`;
}
