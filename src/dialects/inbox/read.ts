/** Reading takes a file and gives back a definition that needs nothing else, or all that is wrong with the file. */

import type { Issue } from "../../base/issue.ts";
import { isJsonObject, type Json } from "../../base/json.ts";
import { passes } from "../../base/shape.ts";
import type { Termination } from "../termination.ts";
import { inboxIssues } from "./check.ts";
import {
  type AuthoredEdge,
  DEFAULT_LIMITS,
  type Edge,
  type InboxDefinition,
  type InboxFile,
} from "./definition.ts";
import { inboxShape } from "./schema.ts";
import { terminationOf } from "./termination.ts";

export type ReadInbox =
  | { readonly ok: true; readonly definition: InboxDefinition; readonly warnings: readonly Issue[] }
  | { readonly ok: false; readonly errors: readonly Issue[]; readonly warnings: readonly Issue[] };

export interface InboxCheck {
  readonly ok: boolean;
  readonly errors: readonly Issue[];
  readonly warnings: readonly Issue[];
  readonly termination: Termination;
}

/** Says whether a file is an inbox graph, as opposed to another kind. */
export function isInbox(json: Json): boolean {
  return isJsonObject(json) && Object.hasOwn(json, "nodes") && !Object.hasOwn(json, "sockets");
}

/** Reads an inbox file. Everything that is wrong with it comes back at once; it never throws. */
export function readInbox(json: Json): ReadInbox {
  const issues = [...inboxShape.validate(json, ""), ...(isJsonObject(json) ? inboxIssues(json) : [])];
  const errors = issues.filter(({ severity }) => severity === "error");
  const warnings = issues.filter(({ severity }) => severity === "warning");
  if (!passes(issues)) return { ok: false, errors, warnings };
  return { ok: true, definition: resolve(json as unknown as InboxFile), warnings }; // the shape has passed
}

/** Checks a file with everything in it. It never throws, whatever the file holds. */
export function checkInbox(json: Json): InboxCheck {
  const read = readInbox(json);
  if (read.ok) return { ...read, errors: [], termination: terminationOf(read.definition) };
  return { ...read, termination: { verdict: "unknown", bound: null, cycle: null } };
}

function resolve({ name, mode, phase, nodes, edges = [], limits, budget }: InboxFile): InboxDefinition {
  return {
    name: name ?? "inbox",
    mode: mode ?? "interactive",
    phase: phase ?? "implementation",
    nodes,
    edges: withIds(edges),
    limits: { ...DEFAULT_LIMITS, ...limits },
    budget: budget ?? {},
  };
}

/** An edge without an id is called after its ends, and a parallel one gets a number. */
function withIds(edges: readonly AuthoredEdge[]): Edge[] {
  const taken = new Set(edges.flatMap(({ id }) => id ?? []));
  return edges.map((edge) => {
    const { from, to, type = "handoff", auto = false } = edge;
    const direction = from === to ? "directional" : (edge.direction ?? "bidirectional");
    return { id: edge.id ?? freeId(`${from}-${to}`, taken), from, to, type, direction, auto };
  });
}

function freeId(base: string, taken: Set<string>): string {
  let id = base;
  for (let number = 2; taken.has(id); number++) id = `${base}-${number}`;
  taken.add(id);
  return id;
}
