import { describe, expect, test } from "vitest";
import type { Json } from "../../base/json.ts";
import { parseRequest, readParams } from "./request.ts";

describe("the request", () => {
  test("what a utility needs is read, and the rest left alone", () => {
    const whole = { cwd: "/p", runDir: "/r", request: "do", runId: "x", params: { a: 1 }, state: { b: 2 } };
    expect(parseRequest(JSON.stringify({ ...whole, socketId: "S", item: null, cursor: 0 }))).toEqual(whole);
    expect(parseRequest('{"cwd":"/p","params":null}')).toEqual({
      ...{ cwd: "/p", request: "", runId: "", params: {}, state: {} },
    });
  });

  test.each([
    ["", /no JSON/],
    ["[]", /one JSON object/],
    ["{}", /no "cwd"/],
    ['{"cwd":"/p","params":[]}', /"params" should be an object/],
    ['{"cwd":"/p","state":"x"}', /"state" should be an object/],
  ])("%s is refused", (input, why) => {
    expect(() => parseRequest(input)).toThrow(why);
  });
});

describe("parameters", () => {
  const kinds = { file: "text", local: "truth", patterns: "texts" } as const;

  test("those that are not given are absent", () => {
    const { file, local, patterns } = readParams({ local: false, patterns: ["a"] }, kinds);
    expect([file, local, patterns]).toEqual([undefined, false, ["a"]]);
  });

  test.each<[Json, RegExp]>([
    [{ file: "" }, /params.file should be a text/],
    [{ local: "yes" }, /params.local should be true or false/],
    [{ patterns: "a" }, /params.patterns should be a list/],
    [{ patterns: ["a", ""] }, /params.patterns should be a list/],
    [{ pattern: [] }, /did you mean patterns/],
    [{ toString: 1 }, /known are file, local, patterns/],
    [JSON.parse('{"__proto__":1}'), /known are file/],
  ])("%j is refused", (params, why) => {
    expect(() => readParams(params as Readonly<Record<string, Json>>, kinds)).toThrow(why);
  });
});
