/** The JSON Schema file and the reference page are what the shapes of loadouts give; `node scripts/schema.ts` writes both. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { loadoutReference } from "./reference.ts";
import { loadoutJsonSchema } from "./schema.ts";
import { lawsJsonSchema } from "./simulate/laws.ts";

test("§1: schema/loadout.schema.json is what the shapes of the validator give", () => {
  const file = new URL("../../../schema/loadout.schema.json", import.meta.url);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(loadoutJsonSchema());
});

test("schema/laws.schema.json is what the shapes of laws give", () => {
  const file = new URL("../../../schema/laws.schema.json", import.meta.url);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(lawsJsonSchema());
});

test("§4: docs/loadout/reference.md is what the shapes of the validator give", () => {
  const file = new URL("../../../docs/loadout/reference.md", import.meta.url);
  expect(readFileSync(file, "utf8")).toBe(loadoutReference());
});

test("§1: every part of the schema says what it is for, for editors to show", () => {
  const silent: string[] = [];
  const visit = (schema: unknown, at: string): void => {
    if (typeof schema !== "object" || schema === null) return;
    const { properties, items, anyOf, description } = schema as Record<string, unknown>;
    if (typeof description !== "string" || description === "") silent.push(at);
    for (const [name, inner] of Object.entries(properties ?? {})) visit(inner, `${at}/${name}`);
    if (items !== undefined) visit(items, `${at}/items`);
    for (const [index, inner] of Object.entries(anyOf ?? {})) visit(inner, `${at}/${index}`);
  };
  visit(loadoutJsonSchema(), "");
  expect(silent).toEqual([]);
});
