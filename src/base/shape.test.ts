/** Shapes: one description, from which validation and JSON Schema both come. */
import { describe, expect, test } from "vitest";
import type { Json } from "./json.ts";
import { object, optional } from "./object-shape.ts";
import {
  array,
  boolean,
  integer,
  number,
  oneOf,
  passes,
  record,
  type Shape,
  string,
  textOrObject,
} from "./shape.ts";

interface Person {
  readonly name: string;
  readonly age?: number;
  readonly tags?: readonly string[];
}

const person: Shape<Person> = object("A person.", {
  name: string("The name.", { filled: true }),
  age: optional(integer("In years.", { least: 0 })),
  tags: optional(array("Words.", string("A word."), { least: 1 })),
});

function codes(shape: Shape, value: Json): string[] {
  return shape.validate(value, "").map(({ severity, code, pointer }) => `${severity} ${code} ${pointer}`);
}

test("what fits has no issues", () => {
  expect(codes(person, { name: "Ada", age: 36, tags: ["x"] })).toEqual([]);
});

test("everything that does not fit is told at once, with its pointer", () => {
  expect(codes(person, { age: -1, tags: ["x", 2], nmae: "Ada" })).toEqual([
    "error missing_field /name",
    "error bad_number /age",
    "error wrong_type /tags/1",
    "warning unknown_field /nmae",
  ]);
});

test("an unknown field is told with what was meant", () => {
  expect(person.validate({ name: "Ada", agee: 1 }, "/p")[0]).toMatchObject({
    ...{ severity: "warning", pointer: "/p/agee", hint: "Did you mean age?" },
  });
});

test("a pointer escapes what it has to", () => {
  expect(codes(record("By name.", boolean("Yes?")), { "a/b~c": 1 })).toEqual(["error wrong_type /a~1b~0c"]);
});

test("__proto__ is a key like any other", () => {
  const value = JSON.parse('{ "name": "Ada", "__proto__": { "age": -1 } }') as Json;
  expect(codes(person, value)).toEqual(["warning unknown_field /__proto__"]);
});

describe("shapes of one value", () => {
  const rows: [Shape, Json, string | undefined][] = [
    [string("", { filled: true }), " ", "empty_text"],
    [string(""), " ", undefined],
    [boolean(""), 0, "wrong_type"],
    [integer("", { least: 1 }), 1, undefined],
    [integer("", { least: 1 }), 0, "bad_number"],
    [integer(""), 1.5, "bad_number"],
    [integer(""), 1e300, "bad_number"],
    [number("", { above: 0 }), 0, "bad_number"],
    [number("", { most: 100 }), 100.5, "bad_number"],
    [number(""), "1", "bad_number"],
    [array("", string(""), { least: 1 }), [], "too_few_items"],
    [oneOf("", ["a", "b"]), "c", "unknown_value"],
    [oneOf("", ["a", "b"], "odd"), "c", "odd"],
    [textOrObject(oneOf("", ["a"]), person), { name: "Ada" }, undefined],
    [textOrObject(oneOf("", ["a"]), person), {}, "missing_field"],
    [textOrObject(oneOf("", ["a"]), person), 1, "unknown_value"],
  ];
  test.each(rows)("%#", (shape, value, code) => {
    expect(shape.validate(value, "").map((issue) => issue.code)).toEqual(code === undefined ? [] : [code]);
  });
});

test("the JSON Schema says the same", () => {
  expect(person.schema).toEqual({
    description: "A person.",
    type: "object",
    properties: {
      name: { description: "The name.", type: "string", minLength: 1, pattern: "\\S" },
      age: { description: "In years.", type: "integer", minimum: 0 },
      tags: {
        ...{ description: "Words.", type: "array", minItems: 1 },
        items: { description: "A word.", type: "string" },
      },
    },
    required: ["name"],
  });
});

test("warnings pass, errors do not", () => {
  expect(passes(person.validate({ name: "Ada", x: 1 }, ""))).toBe(true);
  expect(passes(person.validate({}, ""))).toBe(false);
});
