/** A moment is what the page shows of a run after one event: a picture of a fold that does not change any more. */

import { useMemo, useRef } from "react";
import type { NodeLine, PromptLine, QuestionLine, RunState, TurnLine } from "./baton.ts";
import { Fold, type StateChange } from "./fold.ts";
import type { Letter } from "./post.ts";
import type { LogView } from "./run-log.ts";
import type { Visit } from "./visits.ts";

export type NodeStatus = "idle" | "running" | "asking" | "done" | "failed" | "blocked";

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
}

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
  return {
    ...{ isAtWork, seq: fold.seq, at: fold.at, startedAt: fold.startedAt, dialect, isLive, visits, state },
    ...{ name: state.program?.name ?? "", status: state.status, reason: state.reason, change: fold.change },
    nodes: looksOf(visits, isInbox ? fold.inbox.nodes : {}, isAtWork),
    traffic: fold.traffic.counts,
    questions: fold.questions.all,
    usage: usage ?? { tokens: 0, costUsd: 0 },
    turns: [...fold.inbox.turns],
    letters: [...fold.post.letters],
    prompts: [...fold.inbox.prompts],
  };
}

const STATUSES: Readonly<Record<Visit["status"], NodeStatus>> = {
  ...{ running: "running", asking: "asking", retrying: "running" },
  ...{ finished: "done", failed: "failed", interrupted: "blocked" },
};

function looksOf(
  visits: readonly Visit[],
  inboxes: Readonly<Record<string, NodeLine>>,
  isAtWork: boolean,
): ReadonlyMap<string, NodeLook> {
  const looks = new Map<string, NodeLook>();
  for (const { node, number, status } of visits) {
    const stopped = !isAtWork && status === "running" ? "blocked" : STATUSES[status];
    looks.set(node, { status: stopped, visits: number, inbox: undefined });
  }
  for (const [node, { status, inbox }] of Object.entries(inboxes)) {
    const before = looks.get(node);
    const isAsking = before?.status === "asking" && status === "blocked";
    const own = isAsking ? "asking" : status === "idle" && before ? "done" : status;
    looks.set(node, { status: status === "idle" ? "idle" : own, visits: before?.visits ?? 0, inbox });
  }
  return looks;
}
