/** The visits of a run with everything that an inspector shows of them, folded from its events. */

import { type Event, isJsonObject, type Json, type LoadoutRoute, type TextRef, textsIn } from "./baton.ts";

export interface Visit {
  readonly task: string;
  readonly node: string;
  readonly step: number;
  /** Counted from 1 for each node. */
  readonly number: number;
  /** The event that opened it, and the last one that tells of it. */
  readonly seq: number;
  readonly lastSeq: number;
  readonly openedAt: number;
  readonly settledAt?: number;
  readonly status: "running" | "asking" | "retrying" | "finished" | "failed" | "interrupted";
  readonly item?: string;
  readonly title?: string;
  readonly input?: Json;
  readonly takes?: Readonly<Record<string, number>>;
  readonly texts: readonly (TextRef & { readonly seq: number })[];
  readonly notes: readonly { readonly seq: number; readonly kind: string; readonly data: Json }[];
  readonly writes: readonly { readonly channel: string; readonly value: Json }[];
  readonly route: readonly string[];
  readonly sends: readonly { readonly node: string; readonly input: Json }[];
  readonly decision?: LoadoutRoute;
  readonly failures: readonly { readonly attempt: number; readonly code: string; readonly message: string }[];
  readonly tokens: number;
  readonly costUsd: number | null;
}

type Change = Partial<Visit>;

export class Visits {
  readonly #visits: Map<string, Visit> = new Map();
  readonly #counts: Map<string, number> = new Map();

  /** `decision` is the route that the loadout's own view read from this event, where it is one. */
  fold(event: Event, decision: LoadoutRoute | undefined): void {
    if (event.type === "step.opened") {
      for (const opened of event.tasks) this.#open(event, opened);
      return;
    }
    const visit = "task" in event && event.task !== undefined ? this.#visits.get(event.task) : undefined;
    if (visit === undefined) return;
    const change = changeOf(visit, event);
    const route = decision === undefined ? {} : { decision };
    this.#visits.set(visit.task, { ...visit, ...change, ...route, lastSeq: event.seq });
  }

  get all(): readonly Visit[] {
    return [...this.#visits.values()];
  }

  #open({ seq, at, step }: Event & { readonly step: number }, opened: Opened): void {
    const { task, node, input, takes } = opened;
    const number = (this.#counts.get(node) ?? 0) + 1;
    this.#counts.set(node, number);
    this.#visits.set(task, {
      ...{ task, node, step, number, seq, lastSeq: seq, openedAt: at, status: "running" },
      ...{ texts: [], notes: [], writes: [], route: [], sends: [], failures: [], tokens: 0, costUsd: 0 },
      ...(input !== undefined && { input }),
      ...(takes !== undefined && { takes }),
    });
  }
}

type Opened = Extract<Event, { type: "step.opened" }>["tasks"][number];

function changeOf(visit: Visit, event: Event): Change {
  switch (event.type) {
    case "task.noted":
      return { ...noted(visit, event), ...texts(visit, event.data, event.seq) };
    case "task.remembered":
      return {
        ...texts(visit, event.value, event.seq),
        ...(event.key.startsWith("turn:") && spent(visit, event.value)),
      };
    case "task.finished":
      return {
        ...{ status: "finished", settledAt: event.at, route: event.route, sends: event.sends ?? [] },
        writes: event.writes.map(({ channel, value }) => ({ channel, value })),
      };
    case "task.failed": {
      const { attempt, failure, retryAt, at } = event;
      const failures = [...visit.failures, { attempt, code: failure.code, message: failure.message }];
      return retryAt === undefined
        ? { status: "failed", settledAt: at, failures }
        : { status: "retrying", failures };
    }
    case "task.interrupted":
      return { status: "interrupted", settledAt: event.at };
    case "task.asked":
      return { status: "asking" };
    case "task.answered":
    case "task.retried":
      return { status: "running" };
    default:
      return {};
  }
}

function noted(visit: Visit, { seq, kind, data }: Extract<Event, { type: "task.noted" }>): Change {
  const notes = [...visit.notes, { seq, kind, data }];
  if (!isJsonObject(data)) return { notes };
  const { item, title } = data;
  return {
    notes,
    ...(kind.endsWith(".entered") && typeof item === "string" && { item }),
    ...(kind.endsWith(".entered") && typeof title === "string" && { title }),
    // A loadout's turns are remembered with what they cost; an inbox's are noted with it.
    ...((kind === "inbox.turn" || kind === "loadout.child") && spent(visit, data)),
  };
}

function spent(visit: Visit, value: Json): Change {
  const usage = isJsonObject(value) ? value["usage"] : undefined;
  if (!isJsonObject(usage)) return {};
  const { tokens, costUsd } = usage;
  return {
    tokens: visit.tokens + (typeof tokens === "number" ? tokens : 0),
    costUsd: visit.costUsd !== null && typeof costUsd === "number" ? visit.costUsd + costUsd : null,
  };
}

function texts(visit: Visit, value: Json, seq: number): Change {
  const isKnown = ({ kind, ref }: TextRef) =>
    visit.texts.some((text) => text.ref === ref && text.kind === kind);
  const found = textsIn(value).filter((text) => !isKnown(text));
  if (found.length === 0) return {};
  return { texts: [...visit.texts, ...found.map((text) => ({ ...text, seq }))] };
}
