import { expect, test } from "vitest";
import { readable } from "./readable.ts";

test.each([
  [new Date(0), "1970-01-01T00:00:00.000Z"],
  [new Date(Number.NaN), null],
  [new Map([["a", new Set([1n])]]), { a: ["1"] }],
  [new Map([[1, "a"]]), [[1, "a"]]],
  [
    [undefined, Number.NaN, -0],
    [null, "NaN", 0],
  ],
  [{ kept: 1, gone: undefined }, { kept: 1 }],
  [new Uint8Array([104, 105]), "aGk="],
  [new URL("http://a.b/c"), "http://a.b/c"],
  [
    Object.assign(new TypeError("No.", { cause: new Error("Why.") }), { code: "E1" }),
    { name: "TypeError", message: "No.", code: "E1", cause: { name: "Error", message: "Why." } },
  ],
])("%o", (value, json) => {
  expect(readable(value)).toEqual(json);
});

test("a key can be __proto__ and stays a key", () => {
  const object = readable(JSON.parse('{"__proto__": 1}'));
  expect(Object.keys(object as object)).toEqual(["__proto__"]);
});
