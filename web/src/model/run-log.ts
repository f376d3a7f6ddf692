/**
 * The log of one run as this page has it, kept up with the studio's for as long as it is open.
 *
 * 1. Events are taken in the order of their numbers, none left out and none twice: one that is known is dropped, and
 *    after a gap the stream is begun again after the last one that is known.
 * 2. What is live and not recorded stands beside the events, and is gone when its task settles.
 * 3. Where too many tabs are open for a stream of its own, new events are asked for now and again.
 * 4. However many events come in, readers are told at most once per frame.
 */

import { api, pause } from "./api.ts";
import {
  type Event,
  type EventsPage,
  type Json,
  type RunDocument,
  type StreamMessage,
  StudioError,
} from "./baton.ts";
import { Store } from "./store.ts";
import { ifFree } from "./streams.ts";

export interface LiveTask {
  readonly task: string;
  readonly node: string;
  /** What it said so far, its end only. */
  readonly text: string;
  readonly tools: readonly { readonly title: string; readonly status: string }[];
}

export interface LogView {
  readonly run: string;
  /** Grows in place; its length is part of what is compared. */
  readonly events: readonly Event[];
  readonly length: number;
  readonly status: "loading" | "live" | "missing";
  /** Not known before the studio has told. */
  readonly driver: RunDocument["driver"] | undefined;
  readonly live: ReadonlyMap<string, LiveTask>;
}

/** In milliseconds: after a gap, or when the studio does not know this page. */
const AGAIN = 1000;

const SHOWN_CHARACTERS = 4000;
const SHOWN_TOOLS = 30;

export class RunLog {
  readonly run: string;
  readonly view: Store<LogView>;
  readonly #events: Event[] = [];
  readonly #live: Map<string, LiveTask> = new Map();
  #status: LogView["status"] = "loading";
  #driver: RunDocument["driver"] | undefined;
  #frame: ReturnType<typeof setTimeout> | undefined;
  #closing: AbortController = new AbortController();

  constructor(run: string) {
    this.run = run;
    this.view = new Store<LogView>(this.#look());
  }

  open(): void {
    this.#closing = new AbortController();
    void this.#follow(this.#closing.signal);
  }

  close(): void {
    this.#closing.abort();
  }

  async #follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        if (!(await ifFree(() => this.#listen(signal)))) await this.#ask();
      } catch (error) {
        if (error instanceof StudioError && error.status === 404) return this.#miss();
      }
      await pause(AGAIN, signal);
    }
  }

  async #listen(signal: AbortSignal): Promise<void> {
    for await (const message of api.stream(this.run, { after: this.#events.length, signal })) {
      if (signal.aborted || !this.#take(message)) break;
    }
  }

  /** What is new, without a stream: nothing of what is live. */
  async #ask(): Promise<void> {
    for (let next: number | null = this.#events.length; next !== null; ) {
      const page: EventsPage = await api.events(this.run, { after: next });
      for (const event of page.events) this.#take({ type: "event", event });
      next = page.next;
    }
    const { driver } = await api.run(this.run);
    this.#take({ type: "driver", driver });
    if (this.#status !== "live") this.#take({ type: "caught_up", seq: this.#events.length });
  }

  /** Says whether to go on reading. */
  #take(message: StreamMessage): boolean {
    switch (message.type) {
      case "event":
        if (message.event.seq > this.#events.length + 1) return false; // (1)
        if (message.event.seq === this.#events.length + 1) this.#append(message.event);
        break;
      case "progress":
        this.#live.set(message.task, grown(this.#live.get(message.task), message));
        break;
      case "driver":
        this.#driver = message.driver;
        break;
      case "caught_up":
        this.#status = "live";
        this.#live.clear(); // what was live before a break may be over
        break;
    }
    this.#changed();
    return true;
  }

  #append(event: Event): void {
    this.#events.push(event);
    if (this.#live.size === 0) return;
    if (event.type === "task.finished" || event.type === "task.failed" || event.type === "task.asked")
      this.#live.delete(event.task); // (2)
    else if (event.type.startsWith("run.")) this.#live.clear();
  }

  #miss(): void {
    this.#status = "missing";
    this.#changed();
  }

  #changed(): void {
    this.#frame ??= setTimeout(() => {
      this.#frame = undefined;
      this.view.set(this.#look());
    }, 16); // (4); a timer also runs in a tab that is hidden
  }

  #look(): LogView {
    return {
      ...{ run: this.run, events: this.#events, length: this.#events.length, status: this.#status },
      ...{ driver: this.#driver, live: new Map(this.#live) },
    };
  }
}

function grown(
  before: LiveTask | undefined,
  { task, node, chunk }: { readonly task: string; readonly node: string; readonly chunk: Json },
): LiveTask {
  const { text, tools } = before ?? { text: "", tools: [] };
  const { kind, text: more, title, status } = (chunk ?? {}) as Readonly<Record<string, Json>>;
  if (kind === "tool") {
    const others = tools.filter((tool) => tool.title !== title || tool.status !== "running");
    const tool = { title: String(title), status: String(status) };
    return { task, node, text, tools: [...others, tool].slice(-SHOWN_TOOLS) };
  }
  return { task, node, tools, text: (text + String(more ?? "")).slice(-SHOWN_CHARACTERS) };
}
