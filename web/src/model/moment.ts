/** A moment is what the page shows of a run after one event: a picture of a fold that does not change any more. */

import { useMemo, useRef } from "react";
import type { NodeLine, PromptLine, QuestionLine, RunState, TurnLine } from "./baton.ts";
import { Fold, type StateChange } from "./fold.ts";
import type { Letter } from "./post.ts";
import type { LogView } from "./run-log.ts";
import type { Visit } from "./visits.ts";

export type NodeStatus = "idle" | "running" | "asking" | "done" | "failed" | "blocked" | "cancelled";

export interface NodeLook {
  readonly status: NodeStatus;
  readonly visits: number;
  /** Letters in its inbox; nothing where there are no inboxes. */
  readonly inbox: number | undefined;
}

export interface Moment {
  readonly seq: number;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  readonly startedAt: number;
  readonly dialect: string;
  readonly name: string;
  readonly status: RunState["status"];
  readonly reason: string | undefined;
  /** Read it while this moment is shown; the fold goes on with the next one. */
  readonly state: RunState;
  readonly change: StateChange | undefined;
  readonly visits: readonly Visit[];
  readonly nodes: ReadonlyMap<string, NodeLook>;
  readonly traffic: ReadonlyMap<string, number>;
  readonly questions: readonly QuestionLine[];
  readonly usage: { readonly tokens: number; readonly costUsd: number | null };
  readonly turns: readonly TurnLine[];
  /** Of an inbox graph: every letter, those that were rejected among them. */
  readonly letters: readonly Letter[];
  readonly prompts: readonly PromptLine[];
  readonly isLive: boolean;
  /** Whether somebody works on what is open: nobody does once a run has stopped, or nobody drives it. */
  readonly isAtWork: boolean;
  /** How what is open stands: it goes on, waits for the run to go on, or never ends. */
  readonly open: Open;
}

export type Open = "running" | "blocked" | "cancelled";

/** The moment after event `seq`; the newest one when there is none. Going back folds again from the beginning. */
export function useMoment(run: string, log: LogView, seq: number | undefined): Moment {
  const live = useRef<Fold | undefined>(undefined);
  const past = useRef<Fold | undefined>(undefined);
  const { events, length } = log;
  return useMemo(() => {
    if (seq === undefined || seq >= length) {
      live.current ??= new Fold(run);
      live.current.upTo(length, events);
      return look(live.current, { isLive: true, isDriven: log.driver !== null });
    }
    if (past.current === undefined || past.current.seq > seq) past.current = new Fold(run);
    past.current.upTo(seq, events);
    return look(past.current, { isLive: false, isDriven: true });
  }, [run, events, length, seq, log.driver]);
}

interface How {
  readonly isLive: boolean;
  readonly isDriven: boolean;
}

/** A picture of a fold as it is now. */
export function look(fold: Fold, { isLive, isDriven }: How): Moment {
  const { state, dialect } = fold;
  const visits = fold.visits.all;
  const isInbox = dialect === "inbox";
  const usage = isInbox ? fold.inbox.usage : dialect === "loadout" ? fold.loadout.usage : undefined;
  const isAtWork = isDriven && state.status === "running";
  const isOver = state.status === "cancelled" || state.status === "completed";
  const open = isOver ? "cancelled" : isAtWork ? "running" : "blocked";
  return {
    ...{
      isAtWork,
      open,
      seq: fold.seq,
      at: fold.at,
      startedAt: fold.startedAt,
      dialect,
      isLive,
      visits,
      state,
    },
    ...{ name: state.program?.name ?? "", status: state.status, reason: state.reason, change: fold.change },
    nodes: looksOf(visits, isInbox ? fold.inbox.nodes : {}, { open, failedAt: state.failure?.at }),
    traffic: fold.traffic.counts,
    questions: fold.questions.all,
    usage: usage ?? { tokens: 0, costUsd: 0 },
    turns: [...fold.inbox.turns],
    letters: [...fold.post.letters],
    prompts: [...fold.inbox.prompts],
  };
}

/** How a visit stands in a run whose open work stands like this. */
export function standsAs({ status }: Pick<Visit, "status">, open: Open): Visit["status"] | Open {
  const isOpen = status === "running" || status === "retrying" || status === "asking";
  if (!isOpen || open === "running") return status;
  return status === "asking" && open === "blocked" ? "asking" : open;
}

const STATUSES: Readonly<Record<Visit["status"] | Open, NodeStatus>> = {
  ...{ running: "running", asking: "asking", retrying: "running", cancelled: "cancelled" },
  ...{ finished: "done", failed: "failed", interrupted: "blocked", blocked: "blocked" },
};

interface Run {
  readonly open: Open;
  /** The node at which the run failed. */
  readonly failedAt: string | undefined;
}

function looksOf(
  visits: readonly Visit[],
  inboxes: Readonly<Record<string, NodeLine>>,
  { open, failedAt }: Run,
): ReadonlyMap<string, NodeLook> {
  const looks = new Map<string, NodeLook>();
  for (const visit of visits) {
    const { node, number } = visit;
    const status = node === failedAt ? "failed" : STATUSES[standsAs(visit, open)];
    looks.set(node, { status, visits: number, inbox: undefined });
  }
  for (const [node, { status, inbox }] of Object.entries(inboxes)) {
    const before = looks.get(node);
    const isAsking = before?.status === "asking" && status === "blocked";
    const isOver = before?.status === "cancelled";
    const own = isAsking ? "asking" : isOver ? "cancelled" : status === "idle" && before ? "done" : status;
    looks.set(node, { status: status === "idle" ? "idle" : own, visits: before?.visits ?? 0, inbox });
  }
  return looks;
}
