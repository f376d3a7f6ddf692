/** Places are where nodes were put on a canvas, as they are written down: whole numbers by the ids of the nodes. */

import type { JsonObject } from "../../model/baton.ts";
import type { Point } from "../../parts/canvas/path.ts";
import { numberAt, objectsOf } from "../text/held.ts";

export type Places = ReadonlyMap<string, Point>;

/** Nothing is farther from the middle than this; what says so is no place. */
const FARTHEST = 1_000_000;

/** The places that can be read; the rest is left out. */
export function placesIn(json: JsonObject): Places {
  return new Map(
    [...objectsOf(json)].flatMap(([id, place]): [string, Point][] => {
      const [x, y] = [numberAt(place, "x"), numberAt(place, "y")];
      const isPlace = x !== undefined && y !== undefined && Math.max(Math.abs(x), Math.abs(y)) <= FARTHEST;
      return isPlace ? [[id, { x, y }]] : [];
    }),
  );
}

export function rounded(places: Places): Places {
  return new Map([...places].map(([id, { x, y }]) => [id, { x: Math.round(x), y: Math.round(y) }]));
}
