/**
 * Edits change the graph of a run that is under way: its nodes, its edges and its settings.
 *
 * 1. What an edit leaves behind is checked like a file; one with an error changes nothing.
 * 2. A node takes its edges with it when it is removed.
 * 3. Of what is only doubtful, an edit tells what it brought about: the rest was told when the run began.
 */

import { type Issue, pointer } from "../../base/issue.ts";
import type { Json } from "../../base/json.ts";
import { amendInbox } from "./amend.ts";
import type {
  AuthoredEdge,
  InboxDefinition,
  InboxFile,
  InboxNode,
  Limits,
  Mode,
  Phase,
} from "./definition.ts";
import { type ReadInbox, readInbox } from "./read.ts";

export type InboxEdit =
  /** Adds a node, or puts it in the place of the one with this id. */
  | { readonly type: "set_node"; readonly id: string; readonly node: InboxNode }
  | { readonly type: "remove_node"; readonly id: string }
  /** Adds an edge, or puts it in the place of the one with its id. */
  | { readonly type: "set_edge"; readonly edge: AuthoredEdge }
  | { readonly type: "remove_edge"; readonly id: string }
  /** Puts a whole graph in the place of the one that there is. */
  | { readonly type: "replace"; readonly graph: InboxFile }
  /** What is left out stays as it is. */
  | { readonly type: "set"; readonly mode?: Mode; readonly phase?: Phase; readonly limits?: Limits };

/** The definition after edits, in their order, or everything that is wrong with it (1). */
export function editInbox(definition: InboxDefinition, edits: readonly InboxEdit[]): ReadInbox {
  const { removed: _, ...before } = definition;
  const errors: Issue[] = [];
  let file: InboxFile = before;
  for (const [index, edit] of edits.entries()) {
    const error = missing(file, edit, index);
    if (error === undefined) file = edited(file, edit);
    else errors.push(error);
  }
  if (errors.length > 0) return { ok: false, errors, warnings: [] };
  const read = readInbox(file as unknown as Json); // plain data
  if (!read.ok) return read;
  const known = new Set(readInbox(before as unknown as Json).warnings.map(told));
  const warnings = read.warnings.filter((warning) => !known.has(told(warning))); // (3)
  return { ...read, warnings, definition: amendInbox(definition, read.definition) };
}

function told({ code, pointer: at, message }: Issue): string {
  return `${code} ${at} ${message}`;
}

/** What an edit wants to remove and is not there. */
function missing({ nodes, edges = [] }: InboxFile, edit: InboxEdit, index: number): Issue | undefined {
  const isNode = edit.type === "remove_node";
  if (!isNode && edit.type !== "remove_edge") return undefined;
  const known = isNode ? Object.keys(nodes) : edges.map(({ id }) => id);
  if (known.includes(edit.id)) return undefined;
  const what = isNode ? "node" : "edge";
  return {
    ...{ severity: "error", code: `unknown_${what}`, pointer: pointer(index, "id") },
    message: `There is no ${what} ${JSON.stringify(edit.id)} to remove.`,
    hint: `There is: ${known.join(", ") || "none"}.`,
  };
}

function edited(file: InboxFile, edit: InboxEdit): InboxFile {
  const { nodes, edges = [] } = file;
  switch (edit.type) {
    case "replace":
      return edit.graph;
    case "set_node":
      return { ...file, nodes: { ...nodes, [edit.id]: edit.node } };
    case "remove_node": {
      const { id } = edit;
      const left = Object.entries(nodes).filter(([node]) => node !== id);
      const ways = edges.filter(({ from, to }) => from !== id && to !== id); // (2)
      return { ...file, nodes: Object.fromEntries(left), edges: ways };
    }
    case "set_edge": {
      const { edge } = edit;
      const place = edges.findIndex(({ id }) => edge.id !== undefined && id === edge.id);
      return { ...file, edges: place === -1 ? [...edges, edge] : edges.with(place, edge) };
    }
    case "remove_edge":
      return { ...file, edges: edges.filter(({ id }) => id !== edit.id) };
    case "set": {
      const { type: _, limits, ...settings } = edit;
      return { ...file, ...settings, limits: { ...file.limits, ...limits } };
    }
  }
}
