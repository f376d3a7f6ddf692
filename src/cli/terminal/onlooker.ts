/** An onlooker tells what happens in a run while it happens: as an event stream, as lines, or as lines above a live block. */

import type { RunId } from "../../base/names.ts";
import type { Event } from "../../kernel/event.ts";
import type { RunState } from "../../kernel/state.ts";
import type { Progress } from "../../run/host.ts";
import { Timeline } from "../../views/timeline.ts";
import { Transcript } from "../../views/transcript.ts";
import type { Watch } from "../runs/dialect.ts";
import { lineText } from "./lines.ts";
import { LiveBlock } from "./live-block.ts";
import { liveRows } from "./live-rows.ts";
import { duration } from "./style.ts";
import type { Terminal } from "./terminal.ts";

/** How much of what a task shows is kept for the block, in characters. */
const TAIL = 200;

export interface OnlookerOptions {
  readonly run: RunId;
  readonly terminal: Terminal;
  /** What the block shows besides tasks and times. */
  readonly watch: Watch;
}

export class Onlooker {
  readonly #options: OnlookerOptions;
  readonly #transcript: Transcript = new Transcript();
  readonly #timeline: Timeline = new Timeline();
  readonly #shown: Map<string, string> = new Map();
  /** For how long tasks that are at work have shown nothing, in milliseconds. */
  readonly #quiet: Map<string, number> = new Map();
  #block: LiveBlock | undefined;
  #state: RunState | undefined;
  #since: number | undefined;
  /** Whether a person is being asked, with the cursor behind the prompt. */
  #isAsking = false;

  constructor(options: OnlookerOptions) {
    this.#options = options;
  }

  /** Takes in what happened before, without a word. */
  catchUp(events: readonly Event[]): void {
    for (const event of events) {
      this.#transcript.tell(event);
      this.#timeline.fold(event);
      this.#options.watch.evolve(event);
    }
  }

  tell(events: readonly Event[], state?: RunState): void {
    this.#state = state ?? this.#state;
    for (const event of events) {
      this.#options.terminal.event(event);
      this.#timeline.fold(event);
      this.#options.watch.evolve(event);
      this.#forget(event);
      const line = this.#transcript.tell(event);
      const { isVerbose, paintAside } = this.#options.terminal;
      if (line && (isVerbose || line.tone !== "detail")) this.say(lineText(line, paintAside));
    }
  }

  progress({ run, task, chunk }: Progress): void {
    if (run !== this.#options.run || this.#block === undefined) return;
    const quietMs = quietIn(chunk);
    if (quietMs === undefined) this.#quiet.delete(task);
    else this.#quiet.set(task, quietMs);
    const said = textOf(chunk);
    if (said === undefined) return;
    this.#shown.set(task, ((this.#shown.get(task) ?? "") + said).slice(-TAIL));
  }

  /** Shows the live block, on a terminal that can. */
  begin(): void {
    this.#isAsking = false;
    const { terminal, run, watch } = this.#options;
    if (!terminal.canRedraw || terminal.format !== "text" || this.#block !== undefined) return;
    this.#since ??= Date.now();
    const since = this.#since;
    const shown = (task: string) => {
      const quietMs = this.#quiet.get(task);
      const quiet = quietMs === undefined ? "" : `(quiet for ${duration(quietMs)}) `;
      return quiet + (this.#shown.get(task) ?? "");
    };
    this.#block = new LiveBlock(process.stderr, (width) => {
      if (this.#state === undefined) return [];
      const name = this.#state.plan.name;
      const times = { since, now: Date.now() };
      const spans = this.#timeline.live;
      return liveRows(
        { run, name, ...times, width, spans, glance: watch.glance(this.#state), shown },
        terminal.paintAside,
      );
    });
  }

  end(): void {
    this.#block?.end();
    this.#block = undefined;
  }

  /** Makes room for a prompt: the block would be drawn over what the person types. */
  giveWay(): void {
    this.end();
    this.#isAsking = true;
  }

  /** Says a line, above the block where there is one. */
  say(text: string): void {
    if (this.#block === undefined) this.#options.terminal.tell(this.#isAsking ? `\n${text}` : text);
    else this.#block.above(text);
  }

  #forget(event: Event): void {
    if (event.type !== "task.finished" && event.type !== "task.failed") return;
    this.#shown.delete(event.task);
    this.#quiet.delete(event.task);
  }
}

/** For how long a task that is at work has shown nothing, when that is what it says. */
function quietIn(chunk: unknown): number | undefined {
  if (typeof chunk !== "object" || chunk === null || !("quietMs" in chunk)) return undefined;
  return typeof chunk.quietMs === "number" ? chunk.quietMs : undefined;
}

/** The text of what a task shows, when it shows text. */
function textOf(chunk: unknown): string | undefined {
  if (typeof chunk === "string") return chunk;
  if (typeof chunk !== "object" || chunk === null) return undefined;
  if ("text" in chunk && typeof chunk.text === "string") return chunk.text;
  if ("title" in chunk && typeof chunk.title === "string") return ` ${chunk.title} `;
  return undefined;
}
