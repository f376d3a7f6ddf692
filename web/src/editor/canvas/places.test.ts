import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../model/baton.ts";
import { placesIn, rounded } from "./places.ts";

describe("places", () => {
  test("are read where they are two numbers, and left out where they are anything else", () => {
    const json = JSON.parse(
      '{"a": {"x": 1.4, "y": -2}, "b": {"x": "1", "y": 2}, "c": [1, 2], "d": null, "e": {"x": 1e999, "y": 0}, "__proto__": {"x": 3, "y": 4}}',
    ) as JsonObject;
    expect([...placesIn(json)]).toEqual([
      ["a", { x: 1.4, y: -2 }],
      ["__proto__", { x: 3, y: 4 }],
    ]);
  });

  test("are written down in whole numbers", () => {
    expect([...rounded(new Map([["a", { x: 1.5, y: -2.4 }]]))]).toEqual([["a", { x: 2, y: -2 }]]);
  });
});
