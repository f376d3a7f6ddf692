/** The canvas of a loadout: what is done on it, as edits of the draft. */

import { useCallback, useMemo, useRef } from "react";
import { Empty } from "../../parts/notice.tsx";
import { EditorCanvas } from "../canvas/editor-canvas.tsx";
import { REGION } from "../canvas/use-scene.ts";
import type { Edit } from "../take.ts";
import type { Draft } from "./draft.ts";
import { addEdge, END, removeEdge } from "./edges.ts";
import { addExit, exitEdgeId, removeExit } from "./exits.ts";
import { breakLoop } from "./loops.ts";
import type { Chosen } from "./place.ts";
import { sceneOf } from "./scene.ts";
import { addSocket, placeSockets, removeSocket, swapMateria } from "./sockets.ts";
import { useLoadout } from "./use-loadout.ts";

const NO_CYCLE: readonly string[] = [];

export function LoadoutCanvas({ cycle = NO_CYCLE }: { readonly cycle: readonly string[] | undefined }) {
  const { draft, chosen, marked, choose, edit, refuse, open } = useLoadout();
  const scene = useMemo(() => sceneOf(draft), [draft]);
  const lit = useMemo(() => new Set([...marked, ...(chosen ? [idOf(chosen)] : [])]), [marked, chosen]);
  const does = (label: string, change: (draft: Draft) => Edit) => refuse(edit(label, change));
  const onChoose = useCallback(
    (id: string | undefined, adds: boolean) =>
      choose(id === undefined || id === END ? undefined : { kind: "socket", id }, adds),
    [choose],
  );
  const meanings = useRef(scene.meanings);
  meanings.current = scene.meanings;
  const onChooseEdge = useCallback((id: string) => choose(meanings.current.get(id)), [choose]);
  const onChooseRegion = useCallback((id: string) => choose({ kind: "loop", id }), [choose]);
  return (
    <EditorCanvas
      label="Canvas of the loadout"
      scene={scene}
      chosen={lit}
      cycle={cycle}
      empty={<EmptyCanvas />}
      onChoose={onChoose}
      onChooseEdge={onChooseEdge}
      onChooseRegion={onChooseRegion}
      onOpen={open}
      onConnect={(from, to) => does(`Edge from ${from} to ${to}`, (at) => addEdge(at, { from, to }))}
      onConnectRegion={(loop, to) => does(`Exit of ${loop} to ${to}`, (at) => addExit(at, loop, { to }))}
      onMove={(places, how) =>
        refuse(edit("Move", (at) => placeSockets(at, places), how === "keys" ? "move" : undefined))
      }
      onDrop={(materia, node, place) => {
        if (node === undefined || node === END) does(`Add ${materia}`, (at) => addSocket(at, materia, place));
        else does(`Put ${materia} into ${node}`, (at) => swapMateria(at, node, materia));
      }}
      onDelete={() => {
        if (chosen === undefined || chosen.kind === "materia") return;
        const why = edit("Delete", (at) => removal(at, chosen));
        if (why === undefined) choose(undefined);
        else refuse(why);
      }}
    />
  );
}

function EmptyCanvas() {
  return (
    <Empty title="Nothing is here yet">
      Drag a materia from the palette to this place, or press the plus beside it. The first socket is where a
      run begins.
    </Empty>
  );
}

/** The id under which the canvas knows it. */
function idOf(chosen: Chosen): string {
  switch (chosen.kind) {
    case "edge":
      return `${chosen.from}/${chosen.index}`;
    case "exit":
      return exitEdgeId(chosen.loop, chosen.id);
    case "loop":
      return REGION + chosen.id;
    case "socket":
    case "materia":
      return chosen.id;
  }
}

/** Takes away what is chosen. */
export function removal(draft: Draft, chosen: Chosen): Edit {
  switch (chosen.kind) {
    case "edge":
      return removeEdge(draft, chosen.from, chosen.index);
    case "exit":
      return removeExit(draft, chosen.loop, chosen.id);
    case "loop":
      return breakLoop(draft, chosen.id);
    case "socket":
      return removeSocket(draft, chosen.id);
    case "materia":
      return [];
  }
}
