/** Edits of an inbox graph: its nodes and the edges that envelopes go along, as changes of its text. */

import { type InboxNode, isJsonObject, type Json, type JsonObject, readInbox } from "../../model/baton.ts";
import { type Edit, type Performed, take } from "../take.ts";
import type { Change } from "../text/change.ts";
import { itemsAt, listAt, objectAt, parsed, textAt } from "../text/held.ts";
import { setOrRemove, withoutItems } from "../text/set.ts";

export interface InboxDraft {
  readonly text: string;
  readonly json: JsonObject;
}

export type NodeKind = InboxNode["kind"];
export const KINDS: readonly NodeKind[] = ["orchestrator", "task", "verifier"];

export function isKind(text: string): text is NodeKind {
  return KINDS.some((kind) => kind === text);
}

export function inboxDraftOf(text: string): InboxDraft | undefined {
  const json = parsed(text);
  return isJsonObject(json) && Object.hasOwn(json, "nodes") ? { text, json } : undefined;
}

export function performInbox({ text }: InboxDraft, edit: Edit): Performed {
  return take(text, edit, (json) => {
    const read = readInbox(json);
    return read.ok ? [] : read.errors;
  });
}

export function nodesOf({ json }: InboxDraft): readonly (readonly [string, JsonObject])[] {
  const nodes = Object.entries(objectAt(json, "nodes"));
  return nodes.flatMap(([id, node]) => (isJsonObject(node) ? [[id, node] as const] : []));
}

export function edgesOf({ json }: InboxDraft): readonly JsonObject[] {
  return listAt(json, "edges");
}

export function addNode(draft: InboxDraft, kind: NodeKind): Edit {
  return [{ type: "set", path: ["nodes", nextNodeId(draft, kind)], value: { kind } }];
}

const NAMES: Readonly<Record<NodeKind, string>> = { orchestrator: "lead", task: "worker", verifier: "judge" };

export function nextNodeId({ json }: InboxDraft, kind: NodeKind): string {
  const taken = objectAt(json, "nodes");
  let id = NAMES[kind];
  for (let number = 2; Object.hasOwn(taken, id); number++) id = `${NAMES[kind]}-${number}`;
  return id;
}

/** Takes a node away with the edges at it. */
export function removeNode(draft: InboxDraft, id: string): Edit {
  const edges = withoutItems(["edges"], edgesOf(draft), ({ from, to }) => from === id || to === id);
  return [...edges, { type: "remove", path: ["nodes", id] }];
}

export function setNodeField(_: InboxDraft, id: string, field: string, value: Json | undefined): Edit {
  return [setOrRemove(["nodes", id, field], value)];
}

export function renameNode(draft: InboxDraft, id: string, name: string): Edit {
  if (name.trim() === "") return "A node needs a name.";
  if (name !== id && Object.hasOwn(objectAt(draft.json, "nodes"), name))
    return `There is a node called ${name} already.`;
  const ends = edgesOf(draft).flatMap((edge, index) =>
    ["from", "to"].flatMap((end): Change[] =>
      edge[end] === id ? [{ type: "set", path: ["edges", index, end], value: name }] : [],
    ),
  );
  return [{ type: "rename", path: ["nodes", id], key: name }, ...ends];
}

export function addInboxEdge(draft: InboxDraft, from: string, to: string): Edit {
  const index = itemsAt(draft.json, "edges").length;
  return [{ type: "insert", path: ["edges"], index, value: { from, to } }];
}

export function setEdgeField(draft: InboxDraft, index: number, field: string, value: Json | undefined): Edit {
  if (edgesOf(draft)[index] === undefined) return `There is no edge ${index + 1}.`;
  return [setOrRemove(["edges", index, field], value)];
}

export function removeInboxEdge(draft: InboxDraft, index: number): Edit {
  return withoutItems(["edges"], edgesOf(draft), (_, at) => at === index);
}

/** What an edge is called: as its author did, else after its ends, numbered when there are several. */
export function edgeIds(draft: InboxDraft): readonly string[] {
  const edges = edgesOf(draft);
  const taken = new Set(edges.flatMap((edge) => textAt(edge, "id") ?? []));
  return edges.map((edge) => {
    const own = textAt(edge, "id");
    if (own !== undefined) return own;
    const base = `${textAt(edge, "from")}-${textAt(edge, "to")}`;
    let id = base;
    for (let number = 2; taken.has(id); number++) id = `${base}-${number}`;
    taken.add(id);
    return id;
  });
}
