/** The rows of the live block: the run against its budget, then who works, on what, and for how long. */

import type { Span } from "../../views/timeline.ts";
import type { Glance, NodeRow } from "../runs/dialect.ts";
import { clipped, duration, grouped, type Ink, oneLine, type Paint } from "./style.ts";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 120;
/** The most tasks, and the most nodes, that get a row of their own. */
const MOST = 6;
const MOST_NODES = 16;

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
  const { nodes } = glance;
  const rows =
    nodes === undefined
      ? spans.map(
          (span) => () => cut(span.status === "asking" ? "yellow" : "cyan", oneLine(task(live, span))),
        )
      : nodes.map((row) => () => cut(INKS[row.status] ?? "dim", nodeRow(live, row)));
  const most = nodes === undefined ? MOST : MOST_NODES;
  const more = rows.length - most;
  return [
    cut("bold", oneLine(head)),
    ...rows.slice(0, most).map((row) => row()),
    ...(more > 0 ? [cut("dim", `  and ${more} more`)] : []),
  ];

  function cut(ink: Ink, text: string): string {
    return paint(ink, clipped(text, width - 1));
  }
}

const INKS: Readonly<Record<string, Ink>> = { running: "cyan", blocked: "yellow", failed: "red" };

/** A node in columns: who, how it stands and for how long, what waits, what it has cost, and what it is doing. */
function nodeRow({ glance, spans, shown, now }: Live, { node, status, inbox, tokens }: NodeRow): string {
  const width = Math.max(...(glance.nodes ?? []).map((row) => row.node.length));
  const span = spans.find((one) => one.node === node);
  const since = span === undefined || status === "idle" ? "" : ` ${duration(now - span.since)}`;
  const last = span === undefined || status !== "running" ? "" : oneLine(shown(span.task)).trim();
  const does = last === "" ? "" : ` · ${last}`;
  const stands = `${status}${since}`.padEnd(14);
  return `${node.padEnd(width)}  ${stands} inbox ${inbox} · ${grouped(tokens)} tokens${does}`;
}

function task({ now, glance, shown }: Live, span: Span): string {
  const about = glance.about(span.node);
  const does = span.status === "running" ? shown(span.task) : span.status;
  return `→ ${span.node}${about && ` ${about}`} · ${duration(now - span.since)}${does && ` · ${does}`}`;
}

/** What it has used, against what it may use. */
function spent({ usage, budget }: Pick<Glance, "usage" | "budget">): string {
  const { tokens, costUsd } = usage;
  const ofTokens = budget?.maxTokens === undefined ? "" : ` of ${grouped(budget.maxTokens)}`;
  const ofUsd = budget?.maxCostUsd === undefined ? "" : ` of ${dollars(budget.maxCostUsd)}`;
  const cost = costUsd === null ? "cost unknown" : `${dollars(costUsd)}`;
  return `${grouped(tokens)}${ofTokens} tokens · ${cost}${ofUsd}`;
}

function dollars(amount: number): string {
  return `$${amount.toFixed(amount !== 0 && amount < 1 ? 4 : 2)}`;
}
