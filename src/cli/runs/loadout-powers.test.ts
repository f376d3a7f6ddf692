import { expect, test } from "vitest";
import type { LoadoutDefinition } from "../../dialects/loadout/definition.ts";
import { powersOf } from "./loadout-runs.ts";

const cast = { salt: "", settings: new Map(), configs: [] };
const definition = (artifactDir: string) => ({ materia: {}, artifactDir }) as unknown as LoadoutDefinition; // nothing else of it is looked at

test.each(["/etc", "..", "../elsewhere", "made/../../elsewhere"])(
  "that a loadout keeps files in %s is something to know beforehand",
  (place) => {
    expect(powersOf(definition(place), cast)).toEqual([`keep files in ${place}`]);
  },
);

test.each(["made", "./made", "made/../other", "..made"])("%s is in the folder that it works in", (place) => {
  expect(powersOf(definition(place), cast)).toEqual([]);
});
