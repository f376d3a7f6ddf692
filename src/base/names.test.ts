import { describe, expect, test } from "vitest";
import { closest } from "./names.ts";

describe("what a person most likely meant", () => {
  test.each([
    ["reveiw", "review", "letters that changed places count once"],
    ["Build", "build", "capitals do not count"],
    ["plam", "plan", "one letter of a short name"],
    ["sumarise", "summarise", "more letters of a long one"],
    ["ab", "cb", "some letter is right"],
  ])("%s: %s, because %s", (name, meant) => {
    expect(closest(name, ["z", meant])).toBe(meant);
  });

  test.each([
    ["x", "no letter of it would be right"],
    ["deploy", "nothing is near it"],
    ["", "it is empty"],
  ])("nothing for %j: %s", (name) => {
    expect(closest(name, ["a", "plan", "review"])).toBeUndefined();
  });
});
