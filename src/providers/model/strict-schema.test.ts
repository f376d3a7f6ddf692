import { expect, test } from "vitest";
import { fromStrict, strictSchema } from "./strict-schema.ts";

const item = {
  type: "object",
  required: ["title"],
  properties: { title: { type: "string", minLength: 1 }, note: { type: "string" } },
};
const schema = {
  ...{ type: "object", description: "The output.", required: ["items"] },
  properties: { items: { type: "array", items: item, minItems: 1 }, ok: { type: "boolean" } },
};

test("every field is there, and one that may be absent may be null", () => {
  expect(strictSchema(schema)).toEqual({
    ...{ type: "object", description: "The output.", required: ["items", "ok"], additionalProperties: false },
    properties: {
      items: {
        type: "array",
        items: {
          ...{ type: "object", required: ["title", "note"], additionalProperties: false },
          properties: { title: { type: "string" }, note: { anyOf: [{ type: "string" }, { type: "null" }] } },
        },
      },
      ok: { anyOf: [{ type: "boolean" }, { type: "null" }] },
    },
  });
});

test("an answer in it reads as one in the schema itself; unknown fields and nulls that mean something stay", () => {
  const answer = { items: [{ title: "a", note: null }], ok: null, more: null };
  expect(fromStrict(answer, schema)).toEqual({ items: [{ title: "a" }], more: null });
  expect(fromStrict({ items: null }, schema)).toEqual({ items: null });
});

test.each([[{}], [{ type: "object" }], [{ type: "array" }], [{ type: "object", properties: { any: {} } }]])(
  "what cannot be said in it has no strict form: %j (1)",
  (open) => expect(strictSchema(open)).toBeUndefined(),
);
