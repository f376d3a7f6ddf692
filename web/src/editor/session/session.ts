/**
 * A session is a definition that is open in an editor: its text with its history, and the file that it came from.
 *
 * 1. A session outlives its page, so that going to another page loses nothing.
 * 2. Leaving the studio asks first while any session, shown or not, holds what is saved nowhere.
 */

import { useCallback } from "react";
import type { DefinitionKind } from "../../model/baton.ts";
import { Store, useStore } from "../../model/store.ts";
import { begin, type Doing, doing, type History, redo, undo } from "../history.ts";

export interface Session {
  readonly kind: DefinitionKind;
  readonly history: History;
  /** The text and digest of the file as it was read or written last; none for a file that is not there yet. */
  readonly saved: Saved | undefined;
}

export interface Saved {
  readonly text: string;
  readonly digest: string;
}

const sessions: Map<string, Store<Session>> = new Map();

export interface Opening {
  readonly kind: DefinitionKind;
  readonly text: string;
  /** None for a file that is not there yet. */
  readonly digest: string | null;
}

/** The session of a path, begun with a text when there is none. */
export function openSession(path: string, { kind, text, digest }: Opening): Store<Session> {
  const known = sessions.get(path);
  if (known !== undefined) return known;
  if (sessions.size === 0) window.addEventListener("beforeunload", askFirst);
  const saved = digest === null ? undefined : { text, digest };
  const made = new Store<Session>({ kind, history: begin(text), saved });
  sessions.set(path, made);
  return made;
}

/** The session of a path, when something was done in it that is saved nowhere. */
export function unsavedAt(path: string): Session | undefined {
  const session = sessions.get(path)?.get();
  return session !== undefined && isAtRisk(session) ? session : undefined;
}

/** The paths of the sessions that hold what is saved nowhere. */
export function unsavedPaths(): readonly string[] {
  return [...sessions.keys()].filter((path) => unsavedAt(path) !== undefined);
}

/** The text of one path goes on under another. */
export function moveSession(from: string, to: string): void {
  const known = sessions.get(from);
  if (known === undefined || from === to) return;
  sessions.set(to, known);
  sessions.delete(from);
}

export function isDirty({ history, saved }: Session): boolean {
  return history.now.text !== saved?.text;
}

/** A text that nobody has touched yet is not at risk: it can be opened again. */
function isAtRisk(session: Session): boolean {
  const { past, future } = session.history;
  return isDirty(session) && past.length + future.length > 0;
}

/** (2) */
function askFirst(event: BeforeUnloadEvent): void {
  if (unsavedPaths().length > 0) event.preventDefault();
}

export interface Editing {
  readonly session: Session;
  readonly text: string;
  readonly isDirty: boolean;
  readonly take: (doing: Doing) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  /** The file as it stands now; `takes` puts its text in the place of the one here, which can be undone. */
  readonly reset: (file: Saved, takes: boolean) => void;
}

export function useSession(store: Store<Session>): Editing {
  const session = useStore(store);
  const change = useCallback(
    (change: (history: History) => History) => {
      const before = store.get();
      store.set({ ...before, history: change(before.history) });
    },
    [store],
  );
  const take = useCallback((step: Doing) => change((history) => doing(history, step)), [change]);
  const back = useCallback(() => change(undo), [change]);
  const forth = useCallback(() => change(redo), [change]);
  const reset = useCallback(
    (saved: Saved, takes: boolean) => {
      const { history, ...rest } = store.get();
      const after = takes
        ? doing(history, { text: saved.text, label: "Take what changed elsewhere" })
        : history;
      store.set({ ...rest, history: after, saved });
    },
    [store],
  );
  const text = session.history.now.text;
  return { session, text, isDirty: isDirty(session), take, undo: back, redo: forth, reset };
}
