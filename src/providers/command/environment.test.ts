import { expect, test } from "vitest";
import { passedOn } from "./environment.ts";

test("what programs need is passed on, secrets only when they are named", () => {
  const all = {
    PATH: "/bin",
    LC_ALL: "C",
    API_KEY: "k",
    OTHER_TOKEN: "t",
    NODE_OPTIONS: "-r x",
    HOME: undefined,
  };
  expect(passedOn(all)).toEqual({ PATH: "/bin", LC_ALL: "C" });
  expect(passedOn(all, ["API_KEY", "MISSING"])).toEqual({ PATH: "/bin", LC_ALL: "C", API_KEY: "k" });
});
