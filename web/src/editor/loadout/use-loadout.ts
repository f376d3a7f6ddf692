/** What every part of the loadout editor works with: the draft, what is chosen, and the one way to change anything. */

import { createContext, useCallback, useContext, useMemo, useRef, useState } from "react";
import type { Json } from "../../model/baton.ts";
import type { Editing } from "../session/session.ts";
import { type Drawn, useDrawn } from "../session/use-drawn.ts";
import type { Path } from "../text/tree.ts";
import { type Draft, draftOf } from "./draft.ts";
import { perform } from "./perform.ts";
import { type Chosen, pathOf } from "./place.ts";

export interface LoadoutEditing extends Drawn<Draft> {
  readonly chosen: Chosen | undefined;
  /** Sockets that are chosen together. */
  readonly marked: readonly string[];
  /** Where the JSON is to show something. */
  readonly place: Path | undefined;
  readonly choose: (chosen: Chosen | undefined, adds?: boolean) => void;
  /** Shows a place of the text and what stands there. */
  readonly reveal: (path: Path, chosen: Chosen | undefined) => void;
  readonly chooseLoadout: (name: string) => void;
  /** Shows the loadout that a graph socket runs. */
  readonly open: (name: string) => void;
  /** Back to the loadout whose socket was opened; none where nothing was. */
  readonly leave: (() => void) | undefined;
}

export function useLoadoutEditing(editing: Editing, below: readonly Json[]): LoadoutEditing | undefined {
  const { text } = editing;
  const [{ name, around }, setShown] = useState<Shown>({ name: undefined, around: [] });
  const [chosen, setChosen] = useState<Chosen | undefined>(undefined);
  const [marked, setMarked] = useState<readonly string[]>([]);
  const [place, setPlace] = useState<Path | undefined>(undefined);
  const fresh = useMemo(() => draftOf(text, { name, below }), [text, name, below]);
  const drawn = useDrawn(editing, fresh, perform);
  const live = useRef(drawn);
  live.current = drawn;
  const choose = useCallback((next: Chosen | undefined, adds = false) => {
    live.current?.refuse(undefined);
    setMarked((before) => markedAfter(before, next, adds));
    setChosen(next);
    setPlace(next && live.current ? pathOf(live.current.draft, next) : undefined);
  }, []);
  const reveal = useCallback((path: Path, next: Chosen | undefined) => {
    setChosen(next);
    setMarked(next?.kind === "socket" ? [next.id] : []);
    setPlace([...path]);
  }, []);
  const show = useCallback(
    (next: (before: Shown) => Shown) => {
      choose(undefined);
      setShown(next);
    },
    [choose],
  );
  const chooseLoadout = useCallback((name: string) => show(() => ({ name, around: [] })), [show]);
  const open = useCallback(
    (name: string) => show((before) => ({ name, around: [...before.around, before.name] })),
    [show],
  );
  const leave =
    around.length === 0
      ? undefined
      : () => show((before) => ({ name: before.around.at(-1), around: before.around.slice(0, -1) }));
  return drawn && { ...drawn, chosen, marked, place, choose, reveal, chooseLoadout, open, leave };
}

interface Shown {
  /** Which loadout of the file; the first to be shown when absent. */
  readonly name: string | undefined;
  /** Those whose sockets were opened on the way to it, the outermost first. */
  readonly around: readonly (string | undefined)[];
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
