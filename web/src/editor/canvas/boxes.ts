/**
 * The boxes of a scene: where each of its nodes lies.
 *
 * 1. A node lies where it was put; else where the layout has it.
 * 2. What the layout put where the author has something gives way to it, downwards.
 */

import type { Box } from "../../pages/run/graph/layout.ts";
import type { Places } from "./places.ts";
import type { Scene } from "./scene.ts";

const SIZE = { width: 196, height: 54 };
const END_SIZE = { width: 64, height: 30 };

/** (1) `found` is what the layout says; `dragged` where nodes are while they are dragged. */
export function boxesOf(
  scene: Scene,
  found: ReadonlyMap<string, Box>,
  dragged: Places,
): ReadonlyMap<string, Box> {
  const own = new Map([...scene.places, ...dragged]);
  const put = scene.nodes.flatMap(({ id }) => {
    const place = scene.places.get(id);
    return place ? [{ ...SIZE, x: place.x, y: place.y }] : [];
  });
  const boxes = new Map<string, Box>();
  for (const { id, kind } of scene.nodes) {
    const box = boxOf(id, kind === "end", { found, own, put });
    if (box !== undefined) boxes.set(id, box);
  }
  for (const { id, kind } of scene.nodes) {
    if (kind === "end" && !boxes.has(id) && boxes.size > 0) boxes.set(id, below([...boxes.values()]));
  }
  return boxes;
}

interface Placing {
  readonly found: ReadonlyMap<string, Box>;
  /** Where nodes were put, by the author or by a drag that is under way. */
  readonly own: Places;
  /** The boxes of those that the author put somewhere (2). */
  readonly put: readonly Box[];
}

function boxOf(id: string, isEnd: boolean, { found, own, put }: Placing): Box | undefined {
  const size = isEnd ? END_SIZE : SIZE;
  const place = own.get(id);
  if (place !== undefined) return { ...size, x: place.x, y: place.y };
  const laid = found.get(id);
  return laid && clear({ ...size, x: laid.x, y: laid.y }, put);
}

/** How much is left free around a box that had to give way. */
const GAP = 24;

/** (2) */
function clear(box: Box, others: readonly Box[]): Box {
  const hit = others.find(
    ({ x, y, width, height }) =>
      box.x < x + width && x < box.x + box.width && box.y < y + height && y < box.y + box.height,
  );
  return hit === undefined ? box : clear({ ...box, y: hit.y + hit.height + GAP }, others);
}

/** Under everything else: where the end is as long as nothing leads there. */
function below(boxes: readonly Box[]): Box {
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  const last = boxes.find((box) => box.y + box.height === bottom);
  const x = (last?.x ?? 0) + SIZE.width / 2 - END_SIZE.width / 2;
  return { ...END_SIZE, x, y: bottom + 64 };
}

/** Above, there is room for the two lines of a title. */
const PADDING = { side: 18, top: 52, bottom: 20 };

/** The box around boxes, with room for a title. */
export function around(boxes: readonly Box[]): Box | undefined {
  if (boxes.length === 0) return undefined;
  const x = Math.min(...boxes.map((box) => box.x)) - PADDING.side;
  const y = Math.min(...boxes.map((box) => box.y)) - PADDING.top;
  const right = Math.max(...boxes.map((box) => box.x + box.width)) + PADDING.side;
  const bottom = Math.max(...boxes.map((box) => box.y + box.height)) + PADDING.bottom;
  return { x, y, width: right - x, height: bottom - y };
}
