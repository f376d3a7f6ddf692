/** The outcome is what a verb prints of a run at its end: for people a few lines, for programs the result document. */

import { isJsonObject, type Json } from "../../base/json.ts";
import type { RunId } from "../../base/names.ts";
import { EXIT, type ExitCode, exitCodeOf } from "../../protocol/codes.ts";
import type { OpenQuestion, ResultDocument } from "../../protocol/result.ts";
import { summary } from "../../views/transcript.ts";
import { readResult } from "../runs/result.ts";
import { driverOf } from "../runs/seat.ts";
import type { Store } from "../runs/store.ts";
import { selfCall } from "../self.ts";
import { studioAt } from "../studio/notice.ts";
import type { Call, Options } from "../verb.ts";
import { helpFor } from "./next-call.ts";
import { harmless, type Ink, oneLine, type Paint } from "./style.ts";
import type { Terminal } from "./terminal.ts";

/** How much of a value of the state is shown, in characters. */
const WIDTH = 160;

const INKS: Readonly<Record<ResultDocument["status"], Ink>> = {
  running: "cyan",
  waiting: "yellow",
  paused: "yellow",
  completed: "green",
  failed: "red",
  cancelled: "red",
};

/** Prints a result; returns the exit code that goes with it. */
export function printResult(result: ResultDocument, terminal: Terminal, options: Options): ExitCode {
  terminal.document(result);
  terminal.print(resultText(result, terminal.paint));
  for (const line of helpFor(result, options)) terminal.advise(line);
  return exitCodeOf(result.status, result.reason);
}

/** Says that something was recorded, and who goes on. */
export async function tellRecorded(
  { journal, folder }: Store,
  run: RunId,
  { terminal, options }: Pick<Call, "terminal" | "options">,
): Promise<ExitCode> {
  const { result } = await readResult(journal, run);
  terminal.document(result);
  terminal.print(run);
  const driver = driverOf(folder, run);
  const studio = studioAt({ folder, db: options.db });
  if (driver !== undefined && driver !== process.pid && result.status === "running") {
    terminal.advise(`Recorded. Process ${driver} goes on with it.`);
  } else if (studio === undefined)
    terminal.advise(`Recorded. Go on with: ${selfCall("resume", run, options)}`);
  else terminal.advise(`Recorded. The studio goes on with it: ${studio.url}/runs/${encodeURIComponent(run)}`);
  return EXIT.done;
}

/** A result for people. */
export function resultText(result: ResultDocument, paint: Paint): string {
  const { run, status, reason, path, steps, questions, warnings, error } = result;
  const why = reason !== null && reason !== error?.code ? ` (${reason})` : "";
  const rows: (readonly [label: string, text: string] | undefined)[] = [
    path.length > 0 ? ["path", path.join(" → ")] : undefined,
    steps.length > 0 ? ["steps", steps.map((nodes) => nodes.join(", ")).join(" → ")] : undefined,
    ...inboxRows(result),
    ...stateRows(result.state),
    ["usage", usageText(result)],
    ...questions.map((question) => ["asks", questionText(question)] as const),
    ...warnings.map(({ code, message }) => ["warning", `${message} [${code}]`] as const),
    error ? ["error", `${error.message} [${error.code}${error.at ? ` at ${error.at}` : ""}]`] : undefined,
  ];
  const printed = rows
    .filter((row) => row !== undefined)
    .map(([label, text]) => `${paint("dim", label.padEnd(8))} ${harmless(text)}`);
  return [`${paint(INKS[status], `${status}${why}`)}  ${run}`, ...printed].join("\n");
}

/** How often each node of an inbox graph had a turn, and what did not get where it should. */
function inboxRows({ turns, nodes, rejections }: ResultDocument): (readonly [string, string])[] {
  const counts = new Map<string, number>();
  for (const { node } of turns) counts.set(node, (counts.get(node) ?? 0) + 1);
  const named = Object.entries(nodes);
  const standing = (wanted: string) =>
    named.flatMap(([node, { status }]) => (status === wanted ? [node] : [])).join(", ");
  const waiting = named.filter(([, { inbox }]) => inbox > 0).map(([node, { inbox }]) => `${node} ${inbox}`);
  const rows: (readonly [string, string])[] = [
    ["turns", [...counts].map(([node, count]) => `${node} ${count}`).join(", ")],
    ...["running", "blocked", "failed"].map((status): [string, string] => [status, standing(status)]),
    ["inboxes", waiting.join(", ")],
    ["refused", rejections.map(({ from, to, code }) => `${from} → ${to} (${code})`).join(", ")],
  ];
  return rows.filter(([, text]) => text !== "");
}

function questionText({ id, node, value }: OpenQuestion): string {
  return `${id} at ${node}: ${oneLine(summary(value), WIDTH)}`;
}

function stateRows(state: Json): (readonly [string, string])[] {
  if (!isJsonObject(state)) return state === null ? [] : [["state", oneLine(JSON.stringify(state), WIDTH)]];
  return Object.entries(state).map(
    ([key, value], index) =>
      [index === 0 ? "state" : "", oneLine(`${key}: ${JSON.stringify(value)}`, WIDTH)] as const,
  );
}

function usageText({ usage: { tokens, costUsd } }: ResultDocument): string {
  return `${tokens.toLocaleString("en-US")} tokens, ${costUsd === null ? "cost unknown" : `$${costUsd.toFixed(4)}`}`;
}
