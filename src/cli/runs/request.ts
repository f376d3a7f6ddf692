/** A request is what a run was started with, as its log remembers it: enough for another process to go on with it. */

import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import type { RunId } from "../../base/names.ts";
import type { Event } from "../../kernel/event.ts";
import type { Journal } from "../../run/journal.ts";
import { readEvents } from "../../run/load.ts";
import { Misuse } from "../misuse.ts";

export interface RunRequest {
  readonly task: string;
  readonly inputs: JsonObject;
  /** The definition file, absolute. */
  readonly file: string;
  /** The working folder, absolute. */
  readonly cwd: string;
  /** The agent that takes every turn, when one was named. */
  readonly agent?: string;
  readonly script?: ScriptRecord;
  /** What makes the names of its conversations with models its own. */
  readonly salt?: string;
  /** The hashes of the project's configs that set up agents. */
  readonly configs?: readonly string[];
}

export interface ScriptRecord {
  /** Absolute. */
  readonly path: string;
  /** A hash of its content. */
  readonly digest: string;
}

/** What the log has of how a run began. */
export interface Beginning {
  readonly dialect: string;
  /** As it was amended last. */
  readonly definition: Json | undefined;
  readonly request: RunRequest;
}

/** The request as a fact holds it. */
export function recordRequest({ agent, script, salt, configs, ...request }: RunRequest): JsonObject {
  return {
    ...request,
    ...(agent !== undefined && { agent }),
    ...(salt !== undefined && { salt }),
    ...(configs && configs.length > 0 && { configs }),
    ...(script && { script: { ...script } }),
  };
}

/** Reads how a run began. Throws for one that no `baton run` started. */
export async function readBeginning(journal: Journal, run: RunId): Promise<Beginning> {
  const [first] = await journal.read(run, 0, 1);
  const request = requestIn(first);
  if (first?.type !== "run.started" || request === undefined) {
    const message = `Run ${run} was started by a program, and only that program can go on with it.`;
    throw new Misuse("not_supported", message);
  }
  return { dialect: first.program.dialect, definition: await latestDefinition(journal, run), request };
}

/** The definition that the log of a run has last. */
export async function latestDefinition(journal: Journal, run: RunId): Promise<Json | undefined> {
  let definition: Json | undefined;
  for await (const event of readEvents(journal, run, 0)) {
    if (event.type === "run.started" || event.type === "plan.amended")
      definition = event.definition ?? definition;
  }
  return definition;
}

/** The request that the first event of a log holds, if `baton run` wrote it. */
export function requestIn(first: Event | undefined): RunRequest | undefined {
  return first?.type === "run.started" ? requestOf(first) : undefined;
}

function requestOf({ request }: Extract<Event, { type: "run.started" }>): RunRequest | undefined {
  if (!isJsonObject(request)) return undefined;
  const { task, inputs, file, cwd, agent, script, salt, configs } = request;
  if (typeof task !== "string" || typeof file !== "string" || typeof cwd !== "string") return undefined;
  const { path, digest } = isJsonObject(script) ? script : {};
  return {
    ...{ task, file, cwd, inputs: isJsonObject(inputs) ? inputs : {} },
    ...(typeof agent === "string" && { agent }),
    ...(typeof salt === "string" && { salt }),
    ...(Array.isArray(configs) && { configs: configs.filter((hash) => typeof hash === "string") }),
    ...(typeof path === "string" && typeof digest === "string" && { script: { path, digest } }),
  };
}
