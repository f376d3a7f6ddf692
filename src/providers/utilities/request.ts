/** What a bundled utility is asked: the one JSON object on its standard input, checked at the door. */

import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { closest } from "../../base/names.ts";

export interface UtilityRequest {
  /** The project's folder. */
  readonly cwd: string;
  /** The folder that the run keeps its artifacts in, where it has one. */
  readonly runDir?: string;
  /** What the person asked the run for. */
  readonly request: string;
  readonly runId: string;
  readonly params: JsonObject;
  readonly state: JsonObject;
}

/** Why a utility does not do its work, in one sentence for the person who can change that. */
export class Declined extends Error {
  override readonly name: string = "Declined";
}

/** Reads standard input; keys that no bundled utility needs are left alone. */
export function parseRequest(input: string): UtilityRequest {
  const json = parsed(input);
  if (!isJsonObject(json)) throw new Declined("A utility gets one JSON object on standard input.");
  const { cwd, runDir, request, runId, params, state } = json;
  if (typeof cwd !== "string" || cwd === "") throw new Declined('The request has no "cwd".');
  return {
    cwd,
    ...(typeof runDir === "string" && { runDir }),
    request: typeof request === "string" ? request : "",
    runId: typeof runId === "string" ? runId : "",
    params: objectOr(params, "params"),
    state: objectOr(state, "state"),
  };
}

function parsed(input: string): Json {
  try {
    return JSON.parse(input) as Json; // what JSON.parse returns is JSON
  } catch {
    throw new Declined("A utility gets one JSON object on standard input, and this is no JSON.");
  }
}

function objectOr(value: Json | undefined, key: string): JsonObject {
  if (value === undefined || value === null) return {};
  if (isJsonObject(value)) return value;
  throw new Declined(`The request's ${JSON.stringify(key)} should be an object.`);
}

/** The kinds of a parameter, and what they are in TypeScript. */
interface Kinds {
  readonly text: string;
  readonly truth: boolean;
  readonly texts: readonly string[];
}

const KINDS: { readonly [K in keyof Kinds]: readonly [name: string, test: (value: Json) => boolean] } = {
  text: ["a text that is not empty", isText],
  truth: ["true or false", (value) => typeof value === "boolean"],
  texts: ["a list of texts that are not empty", (value) => Array.isArray(value) && value.every(isText)],
};

/** Reads the parameters that a utility knows and refuses others; those that are not given are absent. */
export function readParams<const T extends Readonly<Record<string, keyof Kinds>>>(
  params: JsonObject,
  kinds: T,
): { readonly [K in keyof T]?: Kinds[T[K]] } {
  for (const [key, value] of Object.entries(params)) {
    const kind = Object.hasOwn(kinds, key) ? kinds[key] : undefined;
    if (kind === undefined) throw new Declined(unknownParam(key, Object.keys(kinds)));
    const [expected, test] = KINDS[kind];
    if (!test(value)) throw new Declined(`params.${key} should be ${expected}.`);
  }
  return params as { readonly [K in keyof T]?: Kinds[T[K]] }; // each was tested for its kind
}

function isText(value: Json): boolean {
  return typeof value === "string" && value !== "";
}

function unknownParam(key: string, known: readonly string[]): string {
  const meant = closest(key, known);
  if (meant !== undefined) return `params.${key} means nothing here; did you mean ${meant}?`;
  const all = known.length === 0 ? "there are none" : `known are ${known.join(", ")}`;
  return `params.${key} means nothing here; ${all}.`;
}
