/**
 * Reading what a text holds: nothing of it was checked, so each value is looked for as what it should be.
 *
 * 1. Nothing is read from a prototype: a key may be `__proto__`.
 * 2. What is missing, and what is of another kind, is read as nothing.
 */

import { isJsonObject, type Json, type JsonObject } from "../../model/baton.ts";

export function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json; // what JSON.parse gives is JSON
  } catch {
    return undefined;
  }
}

/** Objects of a list, each at its own index: what is no object stands there as an empty one. */
export function listAt(value: Json | undefined, key: string): readonly JsonObject[] {
  return itemsAt(value, key).map((item) => (isJsonObject(item) ? item : {}));
}

export function textsAt(value: Json | undefined, key: string): readonly string[] {
  return itemsAt(value, key).filter((item) => typeof item === "string");
}

export function itemsAt(value: Json | undefined, key: string): readonly Json[] {
  const inner = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return Array.isArray(inner) ? inner : [];
}

export function textAt(value: Json | undefined, key: string): string | undefined {
  const inner = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return typeof inner === "string" ? inner : undefined;
}

export function numberAt(value: Json | undefined, key: string): number | undefined {
  const inner = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return typeof inner === "number" ? inner : undefined;
}

export function objectAt(value: Json | undefined, key: string): JsonObject {
  const inner = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return isJsonObject(inner) ? inner : {};
}

/** The objects that an object holds; what else it holds is left out. */
export function objectsOf(value: JsonObject): ReadonlyMap<string, JsonObject> {
  return new Map(Object.entries(value).flatMap(([id, held]) => (isJsonObject(held) ? [[id, held]] : [])));
}
