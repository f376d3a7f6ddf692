/** A place is a thing of a loadout that can be chosen: on the canvas, in the JSON, and by the pointer of an issue. */

import { listAt, textAt } from "../text/held.ts";
import type { Path } from "../text/tree.ts";
import { type Draft, loopsOf, materiaOf, socketsOf } from "./draft.ts";

export type Chosen =
  | { readonly kind: "socket"; readonly id: string }
  | { readonly kind: "edge"; readonly from: string; readonly index: number }
  | { readonly kind: "loop"; readonly id: string }
  | { readonly kind: "exit"; readonly loop: string; readonly id: string }
  | { readonly kind: "materia"; readonly id: string };

/** Where it stands in the file; `undefined` for what does not stand there. */
export function pathOf(draft: Draft, chosen: Chosen): Path | undefined {
  const { at } = draft;
  switch (chosen.kind) {
    case "socket":
      return [...at, "sockets", chosen.id];
    case "edge":
      return [...at, "sockets", chosen.from, "edges", chosen.index];
    case "loop":
      return [...at, "loops", chosen.id];
    case "exit": {
      const exits = listAt(loopsOf(draft).get(chosen.loop), "exits");
      return [...at, "loops", chosen.loop, "exits", exits.findIndex(({ id }) => id === chosen.id)];
    }
    case "materia":
      return materiaOf(draft).get(chosen.id)?.path;
  }
}

/** What stands at a path, or around it. */
export function chosenAt(draft: Draft, path: Path): Chosen | undefined {
  const inMateria = path[0] === "materia" ? path : path.slice(draft.at.length);
  if (inMateria[0] === "materia" && inMateria[1] !== undefined)
    return { kind: "materia", id: String(inMateria[1]) };
  if (draft.at.some((step, index) => path[index] !== step)) return undefined;
  const [part, key, list, index] = path.slice(draft.at.length);
  const id = String(key);
  if (part === "sockets" && socketsOf(draft).has(id)) {
    const isEdge = list === "edges" && Number(index) < listAt(socketsOf(draft).get(id), "edges").length;
    return isEdge ? { kind: "edge", from: id, index: Number(index) } : { kind: "socket", id };
  }
  if (part === "loops" && loopsOf(draft).has(id)) {
    const exit =
      list === "exits" ? textAt(listAt(loopsOf(draft).get(id), "exits")[Number(index)], "id") : undefined;
    return exit === undefined ? { kind: "loop", id } : { kind: "exit", loop: id, id: exit };
  }
  if (part === "entry") return { kind: "socket", id: textAt(draft.loadout, "entry") ?? "" };
  return undefined;
}

export function sameChosen(a: Chosen | undefined, b: Chosen | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** What it is called. */
export function nameOf(chosen: Chosen): string {
  switch (chosen.kind) {
    case "edge":
      return `Edge ${chosen.index + 1} of ${chosen.from}`;
    case "exit":
      return `Exit of loop ${chosen.loop}`;
    case "loop":
      return `Loop ${chosen.id}`;
    case "socket":
    case "materia":
      return chosen.id;
  }
}
