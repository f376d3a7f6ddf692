/** What every part of the loadout editor works with: the draft, what is chosen, and the one way to change anything. */

import { createContext, useCallback, useContext, useMemo, useRef, useState } from "react";
import type { Json } from "../../model/baton.ts";
import type { Editing } from "../session/session.ts";
import type { Path } from "../text/tree.ts";
import { type Draft, draftOf, type Edit } from "./draft.ts";
import { perform } from "./perform.ts";
import { type Chosen, pathOf } from "./place.ts";

export interface LoadoutEditing {
  /** The last state that could be drawn. */
  readonly draft: Draft;
  /** Whether the text is that state; when not, it has to be mended first. */
  readonly isCurrent: boolean;
  readonly chosen: Chosen | undefined;
  /** Sockets that are chosen together. */
  readonly marked: readonly string[];
  /** Where the JSON is to show something. */
  readonly place: Path | undefined;
  readonly choose: (chosen: Chosen | undefined, adds?: boolean) => void;
  /** Shows a place of the text and what stands there. */
  readonly reveal: (path: Path, chosen: Chosen | undefined) => void;
  /** Makes a change; gives back the sentence when it is refused. Changes of one kind without a pause are one step. */
  readonly edit: (label: string, edit: (draft: Draft) => Edit, typing?: string) => string | undefined;
  /** Why the last change of the canvas was refused. */
  readonly refusal: string | undefined;
  readonly refuse: (why: string | undefined) => void;
  readonly chooseLoadout: (name: string) => void;
}

const MEND = "The JSON cannot be read. Mend it first, or undo.";

export function useLoadoutEditing(editing: Editing, below: readonly Json[]): LoadoutEditing | undefined {
  const { text, take } = editing;
  const [name, chooseLoadout] = useState<string | undefined>(undefined);
  const [chosen, setChosen] = useState<Chosen | undefined>(undefined);
  const [marked, setMarked] = useState<readonly string[]>([]);
  const [place, setPlace] = useState<Path | undefined>(undefined);
  const [refusal, refuse] = useState<string | undefined>(undefined);
  const good = useRef<Draft | undefined>(undefined);
  const fresh = useMemo(() => draftOf(text, { name, below }), [text, name, below]);
  if (fresh !== undefined) good.current = fresh;
  const draft = good.current;
  const isCurrent = fresh !== undefined;
  const edit = useCallback<LoadoutEditing["edit"]>(
    (label, change, typing) => {
      if (fresh === undefined) return MEND;
      const done = perform(fresh, change(fresh));
      if (!done.ok) return done.why;
      refuse(undefined);
      const kind = typing === undefined ? {} : { typing: { kind: typing, at: Date.now() } };
      take({ text: done.text, label, ...kind });
      return undefined;
    },
    [fresh, take],
  );
  const choose = useCallback((next: Chosen | undefined, adds = false) => {
    refuse(undefined);
    setMarked((before) => markedAfter(before, next, adds));
    setChosen(next);
    setPlace(next && good.current ? pathOf(good.current, next) : undefined);
  }, []);
  const reveal = useCallback((path: Path, next: Chosen | undefined) => {
    setChosen(next);
    setMarked(next?.kind === "socket" ? [next.id] : []);
    setPlace([...path]);
  }, []);
  if (draft === undefined) return undefined;
  return { draft, isCurrent, chosen, marked, place, choose, reveal, edit, refusal, refuse, chooseLoadout };
}

function markedAfter(before: readonly string[], next: Chosen | undefined, adds: boolean): readonly string[] {
  if (next?.kind !== "socket") return [];
  if (!adds) return [next.id];
  return before.includes(next.id) ? before.filter((id) => id !== next.id) : [...before, next.id];
}

export const LoadoutContext = createContext<LoadoutEditing | undefined>(undefined);

export function useLoadout(): LoadoutEditing {
  const editing = useContext(LoadoutContext);
  if (editing === undefined) throw new Error("This part stands inside of a loadout editor.");
  return editing;
}
