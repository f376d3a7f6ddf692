/** The rows of the live block: the run against its budget, then who works, on what, and for how long. */

import type { Span } from "../views/timeline.ts";
import type { Glance } from "./dialect.ts";
import { duration, type Ink, oneLine, type Paint } from "./style.ts";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 120;
/** The most tasks that get a row of their own. */
const MOST = 6;

export interface Live {
  readonly run: string;
  readonly name: string;
  /** When this process began to look, and what time it is, in milliseconds since 1970 UTC. */
  readonly since: number;
  readonly now: number;
  readonly width: number;
  readonly spans: readonly Span[];
  readonly glance: Glance;
  /** The end of what a task has shown. */
  readonly shown: (task: string) => string;
}

/** Rows no wider than the terminal. */
export function liveRows(live: Live, paint: Paint): readonly string[] {
  const { run, name, since, now, width, spans, glance } = live;
  const frame = FRAMES[Math.floor(now / FRAME_MS) % FRAMES.length] ?? "";
  const head = `${frame} ${name} ${run} · ${duration(now - since)} · ${spent(glance)}`;
  const more = spans.length - MOST;
  return [
    cut("bold", head),
    ...spans
      .slice(0, MOST)
      .map((span) => cut(span.status === "asking" ? "yellow" : "cyan", task(live, span))),
    ...(more > 0 ? [cut("dim", `  and ${more} more`)] : []),
  ];

  function cut(ink: Ink, text: string): string {
    return paint(ink, oneLine(text, width - 1));
  }
}

function task({ now, glance, shown }: Live, span: Span): string {
  const about = glance.about(span.node);
  const does = span.status === "running" ? shown(span.task) : span.status;
  return `→ ${span.node}${about && ` ${about}`} · ${duration(now - span.since)}${does && ` · ${does}`}`;
}

/** What it has used, against what it may use. */
export function spent({ usage, budget }: Pick<Glance, "usage" | "budget">): string {
  const { tokens, costUsd } = usage;
  const ofTokens = budget?.maxTokens === undefined ? "" : ` of ${count(budget.maxTokens)}`;
  const ofUsd = budget?.maxCostUsd === undefined ? "" : ` of ${dollars(budget.maxCostUsd)}`;
  const cost = costUsd === null ? "cost unknown" : `${dollars(costUsd)}`;
  return `${count(tokens)}${ofTokens} tokens · ${cost}${ofUsd}`;
}

function dollars(amount: number): string {
  return `$${amount.toFixed(amount !== 0 && amount < 1 ? 4 : 2)}`;
}

function count(tokens: number): string {
  return tokens.toLocaleString("en-US");
}
