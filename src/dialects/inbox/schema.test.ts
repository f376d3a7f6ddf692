/** The JSON Schema file that comes with the package is the one that the shape of inbox graphs gives. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { inboxJsonSchema } from "./schema.ts";

test("schema/inbox.schema.json is up to date", () => {
  const file = new URL("../../../schema/inbox.schema.json", import.meta.url);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(inboxJsonSchema());
});

test("every part of it says what it is for", () => {
  const silent: string[] = [];
  const visit = (schema: unknown, at: string): void => {
    if (typeof schema !== "object" || schema === null) return;
    const { properties, items, anyOf, description } = schema as Record<string, unknown>;
    if (typeof description !== "string" || description === "") silent.push(at);
    for (const [name, inner] of Object.entries(properties ?? {})) visit(inner, `${at}/${name}`);
    if (items !== undefined) visit(items, `${at}/items`);
    for (const [index, inner] of Object.entries(anyOf ?? {})) visit(inner, `${at}/${index}`);
  };
  visit(inboxJsonSchema(), "");
  expect(silent).toEqual([]);
});
