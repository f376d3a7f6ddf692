/** The canvas of an inbox graph: what is done on it, as edits of the draft; where nodes lie is kept by the browser. */

import { useCallback, useMemo } from "react";
import { Empty } from "../../parts/notice.tsx";
import { EditorCanvas } from "../canvas/editor-canvas.tsx";
import { addInboxEdge, isKind } from "./edits.ts";
import { edgeId, edgeIndex, inboxScene } from "./scene.ts";
import { type InboxChosen, useInbox } from "./use-inbox.ts";

const NO_CYCLE: readonly string[] = [];

export function InboxCanvas({ cycle = NO_CYCLE }: { readonly cycle: readonly string[] | undefined }) {
  const { draft, chosen, kept, choose, edit, refuse, add, removeChosen } = useInbox();
  const { places } = kept;
  const scene = useMemo(() => inboxScene(draft, places), [draft, places]);
  const lit = useMemo(() => new Set(chosen ? [idOf(chosen)] : []), [chosen]);
  const onChoose = useCallback(
    (id: string | undefined) => choose(id === undefined ? undefined : { kind: "node", id }),
    [choose],
  );
  const onChooseEdge = useCallback((id: string) => choose({ kind: "edge", index: edgeIndex(id) }), [choose]);
  return (
    <EditorCanvas
      label="Canvas of the inbox graph"
      {...{ scene, chosen: lit, cycle, onChoose, onChooseEdge, onChooseRegion: nothing }}
      empty={<Empty title="Nobody is here yet">Add an orchestrator and those who work for it.</Empty>}
      onConnect={(from, to) => refuse(edit(`Edge from ${from} to ${to}`, (at) => addInboxEdge(at, from, to)))}
      onConnectRegion={nothing}
      onMove={kept.keep}
      onDrop={(kind, _, place) => {
        if (isKind(kind)) add(kind, place);
      }}
      onDelete={removeChosen}
    />
  );
}

const nothing = () => undefined;

/** The id under which the canvas knows it. */
function idOf(chosen: InboxChosen): string {
  return chosen.kind === "node" ? chosen.id : edgeId(chosen.index);
}
