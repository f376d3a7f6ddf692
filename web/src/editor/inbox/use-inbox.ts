/** What every part of the inbox graph editor works with: the draft, what is chosen, where nodes lie, and how to change it. */

import { createContext, useCallback, useContext, useMemo, useState } from "react";
import { type KeptPlaces, useKeptPlaces } from "../canvas/kept-places.ts";
import type { Editing } from "../session/session.ts";
import { type Drawn, useDrawn } from "../session/use-drawn.ts";
import type { Path } from "../text/tree.ts";
import {
  addNode,
  type InboxDraft,
  inboxDraftOf,
  type NodeKind,
  nextNodeId,
  performInbox,
  removeInboxEdge,
  removeNode,
} from "./edits.ts";

export type InboxChosen =
  | { readonly kind: "node"; readonly id: string }
  | { readonly kind: "edge"; readonly index: number };

export interface InboxEditing extends Drawn<InboxDraft> {
  readonly chosen: InboxChosen | undefined;
  /** Where the JSON is to show something. */
  readonly place: Path | undefined;
  readonly kept: KeptPlaces;
  readonly choose: (chosen: InboxChosen | undefined) => void;
  /** Shows a place of the text and what stands there. */
  readonly reveal: (path: Path) => void;
  /** Makes a node, at a place or wherever the layout has it. */
  readonly add: (kind: NodeKind, at?: { readonly x: number; readonly y: number }) => void;
  /** Takes away what is chosen. */
  readonly removeChosen: () => void;
}

export function useInboxEditing(path: string, editing: Editing): InboxEditing | undefined {
  const { text } = editing;
  const fresh = useMemo(() => inboxDraftOf(text), [text]);
  const drawn = useDrawn(editing, fresh, performInbox);
  const [chosen, setChosen] = useState<InboxChosen | undefined>(undefined);
  const [place, setPlace] = useState<Path | undefined>(undefined);
  const kept = useKeptPlaces(path);
  const choose = useCallback((next: InboxChosen | undefined) => {
    setChosen(next);
    if (next) setPlace(next.kind === "node" ? ["nodes", next.id] : ["edges", next.index]);
  }, []);
  const reveal = useCallback((steps: Path) => {
    setChosen(chosenAt(steps));
    setPlace([...steps]);
  }, []);
  if (drawn === undefined) return undefined;
  const { draft, edit, refuse } = drawn;
  return {
    ...{ ...drawn, chosen, place, kept, choose, reveal },
    add: (kind, at) => {
      const id = nextNodeId(draft, kind);
      const why = edit(`Add ${id}`, (now) => addNode(now, kind));
      refuse(why);
      if (why !== undefined) return;
      if (at) kept.keep(new Map([[id, at]]));
      choose({ kind: "node", id });
    },
    removeChosen: () => {
      if (chosen === undefined) return;
      const why = edit("Delete", (now) =>
        chosen.kind === "node" ? removeNode(now, chosen.id) : removeInboxEdge(now, chosen.index),
      );
      refuse(why);
      if (why === undefined) choose(undefined);
    },
  };
}

/** What stands at a path, or around it. */
function chosenAt([part, key]: Path): InboxChosen | undefined {
  if (key === undefined) return undefined;
  if (part === "nodes") return { kind: "node", id: String(key) };
  return part === "edges" ? { kind: "edge", index: Number(key) } : undefined;
}

export const InboxContext = createContext<InboxEditing | undefined>(undefined);

export function useInbox(): InboxEditing {
  const editing = useContext(InboxContext);
  if (editing === undefined) throw new Error("This part stands inside of an inbox graph editor.");
  return editing;
}
