/** What the keys do on a canvas, beside those of its buttons. */

import type { KeyboardEvent } from "react";
import { GRID } from "../../parts/canvas/flow.ts";
import type { Point } from "../../parts/canvas/path.ts";

/** An arrow key moves a node from one point of the ground to the next. */
const STEPS: ReadonlyMap<string, Point> = new Map([
  ["ArrowLeft", { x: -GRID, y: 0 }],
  ["ArrowRight", { x: GRID, y: 0 }],
  ["ArrowUp", { x: 0, y: -GRID }],
  ["ArrowDown", { x: 0, y: GRID }],
]);

interface Pressing {
  readonly nodes: readonly { readonly id: string; readonly position: Point }[];
  readonly onDelete: () => void;
  readonly onChoose: (id: undefined, adds: boolean) => void;
  readonly onMove: (places: ReadonlyMap<string, Point>, how: "keys") => void;
}

/** Takes away, chooses nothing, or moves the node that has the focus. */
export function press(event: KeyboardEvent, { nodes, onDelete, onChoose, onMove }: Pressing): void {
  const { key, target } = event;
  if (key === "Delete" || key === "Backspace") deleteAt(target, onDelete);
  if (key === "Escape") onChoose(undefined, false);
  const step = STEPS.get(key);
  const node = step && nodes.find(({ id }) => id === nodeAt(target));
  if (step === undefined || node === undefined) return;
  event.preventDefault(); // or the page would scroll
  const { x, y } = node.position;
  onMove(new Map([[node.id, { x: x + step.x, y: y + step.y }]]), "keys");
}

function nodeAt(target: EventTarget): string | undefined {
  const node = target instanceof Element ? target.closest<HTMLElement>("[data-node]") : null;
  return node?.dataset["node"];
}

/** Only what is chosen is taken away; what merely has the focus is chosen first, so that nothing else goes by mistake. */
function deleteAt(target: EventTarget, onDelete: () => void): void {
  const button = target instanceof Element ? target.closest("button") : null;
  if (button === null || button.ariaPressed === "true") onDelete();
  else if (button.ariaPressed === "false") button.click();
}
