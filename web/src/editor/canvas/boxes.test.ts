import { describe, expect, test } from "vitest";
import { around, boxesOf } from "./boxes.ts";
import type { Places } from "./places.ts";
import type { Scene } from "./scene.ts";

const SIZE = { width: 196, height: 54 };

function scene(ids: readonly string[], places: Places = new Map()): Scene {
  const nodes = ids.map((id) => {
    const kind = id === "end" ? ("end" as const) : ("agent" as const);
    return { id, label: id, detail: "", kind, badges: [], spoken: "" };
  });
  return { nodes, edges: [], regions: [], places };
}

describe("a box", () => {
  const found = new Map([
    ["a", { ...SIZE, x: 0, y: 0 }],
    ["b", { ...SIZE, x: 0, y: 100 }],
  ]);

  test("is where the node was put, else where the layout has it (1)", () => {
    const places = new Map([["a", { x: 500, y: 7 }]]);
    const boxes = boxesOf(scene(["a", "b"], places), found, new Map());
    expect(boxes.get("a")).toEqual({ ...SIZE, x: 500, y: 7 });
    expect(boxes.get("b")).toEqual({ ...SIZE, x: 0, y: 100 });
    const dragged = boxesOf(scene(["a", "b"], places), found, new Map([["a", { x: 1, y: 2 }]]));
    expect(dragged.get("a")).toEqual({ ...SIZE, x: 1, y: 2 });
  });

  test("gives way downwards to all that were put, and to nobody who is not there (2)", () => {
    const places = new Map([
      ["b", { x: 40, y: 20 }],
      ["c", { x: 40, y: 110 }],
      ["gone", { x: 0, y: 200 }],
    ]);
    const { x, y } = boxesOf(scene(["a", "b", "c"], places), found, new Map()).get("a") ?? {};
    expect({ x, y }).toEqual({ x: 0, y: 188 });
  });

  test("of the end is below all others as long as nothing leads there", () => {
    const end = boxesOf(scene(["a", "b", "end"]), found, new Map()).get("end");
    expect(end?.y).toBeGreaterThan(154);
    expect(boxesOf(scene(["end"]), new Map(), new Map()).size).toBe(0);
  });

  test("around others has room for a title, and there is none around nothing", () => {
    const box = around([...found.values()]);
    expect(box).toMatchObject({ x: -18, width: 232 });
    expect(box?.y).toBeLessThan(-40);
    expect(around([])).toBeUndefined();
  });
});
