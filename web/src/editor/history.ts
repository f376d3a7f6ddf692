/**
 * The history of a text: every state that it had, with what led to it.
 *
 * 1. States are never changed; undoing and redoing only move between them.
 * 2. What is typed without a pause is one step.
 * 3. A new step after undoing drops what could have been redone.
 */

export interface Step {
  readonly text: string;
  /** What led here, such as `Add Socket-2`. */
  readonly label: string;
}

export interface History {
  readonly past: readonly Step[];
  readonly now: Step;
  readonly future: readonly Step[];
  /** The kind and time of the last typing, which more of it may join. */
  readonly typing: { readonly kind: string; readonly at: number } | undefined;
}

/** In milliseconds: a longer pause ends a step. */
export const PAUSE = 900;

const MOST = 500;

export function begin(text: string, label: string = "Open"): History {
  return { past: [], now: { text, label }, future: [], typing: undefined };
}

export interface Doing extends Step {
  /** Typing of a kind at a time: it joins the step before when that is the same and not long ago (2). */
  readonly typing?: { readonly kind: string; readonly at: number };
}

/** (3) */
export function doing(history: History, { text, label, typing }: Doing): History {
  const { past, now } = history;
  if (text === now.text) return history;
  const joins = typing && history.typing?.kind === typing.kind && typing.at - history.typing.at <= PAUSE;
  if (joins && past.length > 0) return { past, now: { text, label: now.label }, future: [], typing };
  return { past: [...past, now].slice(-MOST), now: { text, label }, future: [], typing };
}

export function undo(history: History): History {
  const { past, now, future } = history;
  const before = past.at(-1);
  if (before === undefined) return history;
  return { past: past.slice(0, -1), now: before, future: [now, ...future], typing: undefined };
}

export function redo(history: History): History {
  const { past, now, future } = history;
  const [next, ...rest] = future;
  if (next === undefined) return history;
  return { past: [...past, now], now: next, future: rest, typing: undefined };
}
