/**
 * The terminal is where a verb talks to: results go to stdout, everything else to stderr.
 *
 * 1. With `--json` stdout gets exactly one JSON document, with `--jsonl` one event per line, and neither gets anything else.
 * 2. Whatever a verb prints, nothing in it acts on a terminal but colours: names, sentences and whole documents may be
 *    somebody else's.
 */

import { harmless, harmlessButPainted, noPaint, type Paint, paint } from "./style.ts";

export type Format = "text" | "json" | "jsonl";

export interface TerminalOptions {
  readonly json?: boolean;
  readonly jsonl?: boolean;
  readonly color?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  /** Keeps results and advice to itself: another verb prints its own. */
  readonly muted?: boolean;
}

export class Terminal {
  readonly format: Format;
  readonly isQuiet: boolean;
  readonly isVerbose: boolean;
  readonly #isMuted: boolean;
  /** True when a person can be asked here and now. */
  readonly isInteractive: boolean;
  /** True when the questions of a run are asked here instead of being left for another command. */
  readonly asksQuestions: boolean;
  /** True when lines on stderr can be drawn over. */
  readonly canRedraw: boolean;
  /** For stdout. */
  readonly paint: Paint;
  /** For stderr. */
  readonly paintAside: Paint;

  constructor(options: TerminalOptions) {
    const { json, jsonl, color = true, quiet = false, verbose = false, muted = false } = options;
    this.format = json ? "json" : jsonl ? "jsonl" : "text";
    this.isQuiet = quiet;
    this.isVerbose = verbose;
    this.#isMuted = muted;
    const isDumb = process.env["TERM"] === "dumb";
    const mayPaint = color && !process.env["NO_COLOR"] && !isDumb;
    this.paint = mayPaint && process.stdout.isTTY ? paint : noPaint;
    this.paintAside = mayPaint && process.stderr.isTTY ? paint : noPaint;
    this.isInteractive = process.stdin.isTTY === true && process.stderr.isTTY === true;
    this.asksQuestions = this.isInteractive && this.format === "text" && !muted;
    this.canRedraw = process.stderr.isTTY === true && !isDumb && !quiet;
  }

  /** Prints a result for people; nothing when a program reads along. */
  print(text: string): void {
    if (this.format === "text" && !this.#isMuted) process.stdout.write(`${harmlessButPainted(text)}\n`); // (2)
  }

  /** Prints the one JSON document of a verb, when that is what was asked for. */
  document(value: unknown): void {
    if (this.format !== "json" || this.#isMuted) return;
    process.stdout.write(`${harmless(JSON.stringify(value, null, 2))}\n`); // (2)
  }

  /** Prints one line of the event stream, when that is what was asked for. */
  event(value: unknown): void {
    if (this.format === "jsonl" && !this.#isMuted)
      process.stdout.write(`${harmless(JSON.stringify(value))}\n`); // (2)
  }

  /** Prints what a person may do next, beside the result. */
  advise(text: string): void {
    if (!this.#isMuted) this.tell(text);
  }

  /** Prints progress. */
  tell(text: string): void {
    if (!this.isQuiet) this.warn(text);
  }

  /** Prints what must not be missed. */
  warn(text: string): void {
    process.stderr.write(`${harmlessButPainted(text)}\n`); // (2)
  }
}
