/** A session is a definition that is open in an editor: its text with its history, and the file that it came from. */

import { useCallback, useEffect } from "react";
import { Store, useStore } from "../../model/store.ts";
import { begin, type Doing, doing, type History, redo, undo } from "../history.ts";

export interface Session {
  readonly history: History;
  /** The text and digest of the file as it was read or written last; none for a file that is not there yet. */
  readonly saved: { readonly text: string; readonly digest: string } | undefined;
}

/** Sessions outlive their page, so that leaving it loses nothing. */
const sessions: Map<string, Store<Session>> = new Map();

/** The session of a path, begun with a text when there is none. */
export function openSession(path: string, text: string, digest: string | null): Store<Session> {
  const known = sessions.get(path);
  if (known !== undefined) return known;
  const saved = digest === null ? undefined : { text, digest };
  const made = new Store<Session>({ history: begin(text), saved });
  sessions.set(path, made);
  return made;
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

export interface Editing {
  readonly session: Session;
  readonly text: string;
  readonly isDirty: boolean;
  readonly take: (doing: Doing) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  /** The file as it stands now; `takes` puts its text in the place of the one here, which can be undone. */
  readonly reset: (file: { readonly text: string; readonly digest: string }, takes: boolean) => void;
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
    ({ text, digest }: { readonly text: string; readonly digest: string }, takes: boolean) => {
      const { history } = store.get();
      const after = takes ? doing(history, { text, label: "Take what is on disk" }) : history;
      store.set({ history: after, saved: { text, digest } });
    },
    [store],
  );
  const dirty = isDirty(session);
  useEffect(() => {
    if (!dirty) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [dirty]);
  return { session, text: session.history.now.text, isDirty: dirty, take, undo: back, redo: forth, reset };
}
