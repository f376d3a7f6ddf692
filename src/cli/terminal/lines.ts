/** Lines of a transcript as a terminal shows them: when, where, and what happened. */

import type { Tone } from "../../views/notes.ts";
import type { Line } from "../../views/transcript.ts";
import { harmless, type Ink, type Paint } from "./style.ts";

const INKS: Readonly<Record<Tone, Ink | undefined>> = {
  plain: undefined,
  good: "green",
  bad: "red",
  ask: "yellow",
  detail: "dim",
};

/** Prints a line; its text may have several rows, which are indented. */
export function lineText({ at, node, tone, text }: Line, paint: Paint): string {
  const ink = INKS[tone];
  const rows = harmless(text).split("\n").join("\n         ");
  const said = ink === undefined ? rows : paint(ink, rows);
  const where = node === undefined ? "" : `${paint("cyan", harmless(node))} `;
  return `${paint("dim", clockTime(at))} ${where}${said}`;
}

function clockTime(at: number): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const date = new Date(at);
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
