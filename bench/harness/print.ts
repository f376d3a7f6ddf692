/** Printing a report: as lines for a terminal, and as Markdown for the results. */

import type { Machine } from "./machine.ts";
import { type Case, type Figure, isReached, type Report, type Row } from "./report.ts";
import type { Spread } from "./spread.ts";

/** What came of a case: a report, or why there is none. */
export type Ended = { readonly report: Report } | { readonly failure: string };

export function toLines({ title }: Pick<Case, "title">, ended: Ended): string {
  if ("failure" in ended) return `${title}\n  FAILED: ${ended.failure}\n`;
  const { rows, figures } = ended.report;
  const lines = [
    ...rows.map(({ what, value, unit }) => `  ${what.padEnd(52)} ${told(value, unit)}`),
    ...figures.map(
      (figure) => `  ${mark(figure)} ${figure.what.padEnd(50)} ${toldFigure(figure)}, ${targetOf(figure)}`,
    ),
  ];
  return `${title}\n${lines.join("\n")}\n`;
}

/** How many of the targets are reached, as one line; a case that failed has none. */
export function tally(ended: readonly Ended[]): string {
  const figures = ended.flatMap((end) => ("report" in end ? end.report.figures : []));
  const failures = ended.filter((end) => "failure" in end).length;
  const failed = failures === 0 ? "" : `, and ${failures} of ${ended.length} cases failed`;
  return `${figures.filter(isReached).length} of ${figures.length} targets${failed}`;
}

export function toMarkdown(
  machine: Machine,
  ended: readonly (readonly [Pick<Case, "title" | "about">, Ended])[],
): string {
  const versions = machine.versions.map(([name, version]) => `${name} ${version}`).join(", ");
  return `${[
    "# Results",
    "Written by `npm run bench:peer`. What the figures mean and why they are as they are stands in [docs/performance.md](../docs/performance.md).",
    `- **Date**: ${machine.date}\n- **Machine**: ${machine.cpu}, ${machine.cores} cores, ${machine.memory}, ${machine.system}; load average ${machine.load} at the start\n- **Versions**: ${versions}\n- **Reached**: ${tally(ended.map(([, end]) => end))}`,
    "Times are medians over rounds in which the contenders took turns, with the quartiles in brackets; a ratio is that of two contenders in the same round, and its median decides whether a target is reached.",
    ...ended.map(([{ title, about }, end]) => section(title, about, end)),
  ].join("\n\n")}\n`;
}

function section(title: string, about: string, ended: Ended): string {
  const head = `## ${title}\n\n${about}`;
  if ("failure" in ended) return `${head}\n\n**Failed**: ${ended.failure}`;
  const { rows, figures } = ended.report;
  return [head, table(rows), figureTable(figures)].filter((part) => part !== "").join("\n\n");
}

function table(rows: readonly Row[]): string {
  if (rows.length === 0) return "";
  const lines = rows.map(({ what, value, unit }) => `| ${what} | ${told(value, unit)} |`);
  return ["| measured | |", "|---|---|", ...lines].join("\n");
}

function figureTable(figures: readonly Figure[]): string {
  if (figures.length === 0) return "";
  const lines = figures.map(
    (figure) =>
      `| ${figure.what} | ${toldFigure(figure)} | ${targetOf(figure)} | ${isReached(figure) ? "yes" : "**no**"} |`,
  );
  return ["| figure | value | target | reached |", "|---|---|---|---|", ...lines].join("\n");
}

function mark(figure: Figure): string {
  return isReached(figure) ? "✓" : "✗";
}

function toldFigure({ value, unit, isBound }: Figure): string {
  return isBound ? `more than ${number(value.median)} ${unit}` : told(value, unit);
}

function targetOf({ target, unit }: Figure): string {
  const aim = target.aim === undefined ? "" : ` (aim ${target.aim})`;
  return `${target.kind} ${target.value}${aim} ${unit}`;
}

/** A spread as `12.3 [11.9–12.8] µs`; one without width is a number. */
function told({ median, low, high }: Spread, unit: string): string {
  const around = low === high ? "" : ` [${number(low)}–${number(high)}]`;
  return `${number(median)}${around} ${unit}`;
}

/** Three digits that count. */
function number(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString("en");
  return String(Number(value.toPrecision(3)));
}
