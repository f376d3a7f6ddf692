import { describe, expect, test } from "vitest";
import { isJsonObject, type Json, type JsonObject } from "../base/json.ts";
import { object, optional } from "../base/object-shape.ts";
import { anyObject, array, boolean, oneOf, record, string } from "../base/shape.ts";
import { openApi } from "./openapi.ts";
import { ROUTES, type RouteName } from "./routes.ts";

const STRICT = { unknown: { severity: "error" } } as const;
const content = record(
  "By media type.",
  object("What is sent.", { schema: anyObject("Its schema.") }, STRICT),
);
const operation = object(
  "An operation.",
  {
    operationId: string("Its name.", { filled: true }),
    summary: string("What it does.", { filled: true }),
    parameters: array(
      "What it takes in its address.",
      object(
        "A parameter.",
        {
          name: string("Its name.", { filled: true }),
          in: oneOf("Where it stands.", ["path", "query"]),
          required: boolean("Whether it has to be given."),
          schema: anyObject("Its schema."),
        },
        STRICT,
      ),
    ),
    requestBody: optional(object("What it is sent.", { required: boolean("Always."), content }, STRICT)),
    responses: record(
      "By status.",
      object("A response.", { description: string("What it is."), content }, STRICT),
    ),
  },
  STRICT,
);
const document = object(
  "An OpenAPI document.",
  {
    openapi: oneOf("The version.", ["3.1.0"]),
    info: object("About it.", { title: string("Its title."), version: string("Its version.") }, STRICT),
    paths: record("By path.", record("By method.", operation)),
    components: anyObject("What is referred to."),
    security: array("What every request needs.", anyObject("One way.")),
  },
  STRICT,
);

describe("the OpenAPI document", () => {
  const made = openApi("7");

  test("has the form of one, and is JSON through and through", () => {
    expect(document.validate(made, "")).toEqual([]);
    expect(JSON.parse(JSON.stringify(made))).toEqual(made);
  });

  test("names every route once, with each part of its path", () => {
    const paths = made["paths"] as Readonly<Record<string, Readonly<Record<string, JsonObject>>>>;
    const names = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId, parameters }]) => {
        const declared = (parameters as JsonObject[])
          .filter((one) => one["in"] === "path")
          .map(({ name }) => name);
        expect(declared).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
        expect(ROUTES[operationId as RouteName].method).toBe(method.toUpperCase());
        return operationId;
      }),
    );
    expect(names.sort()).toEqual(Object.keys(ROUTES).sort());
  });

  test("refers to nothing that is not there", () => {
    for (const ref of refsIn(made)) {
      const found = ref
        .slice(2)
        .split("/")
        .reduce<Json | undefined>((value, key) => (isJsonObject(value) ? value[key] : undefined), made);
      expect([ref, isJsonObject(found)]).toEqual([ref, true]);
    }
  });

  function refsIn(value: Json): readonly string[] {
    if (Array.isArray(value)) return value.flatMap((item: Json) => refsIn(item));
    if (!isJsonObject(value)) return [];
    return Object.entries(value).flatMap(([key, held]) => (key === "$ref" ? [String(held)] : refsIn(held)));
  }
});
