/** Reading edits: they come as JSON from a file, a person or a page, and leave as edits or as what is wrong with them. */

import { type Issue, pointer } from "../../base/issue.ts";
import { isJsonObject, type Json } from "../../base/json.ts";
import { object, optional } from "../../base/object-shape.ts";
import { oneOf, passes, type Shape, string } from "../../base/shape.ts";
import type { InboxFile } from "./definition.ts";
import type { InboxEdit } from "./edit.ts";
import { isInbox } from "./read.ts";
import { edgeShape, inboxShape, limitsShape, modeShape, nodeShape, phaseShape } from "./schema.ts";

export type ReadEdits =
  | { readonly ok: true; readonly edits: readonly InboxEdit[] }
  | { readonly ok: false; readonly errors: readonly Issue[] };

/**
 * Reads edits as they come from outside: one, a list of them, or a graph, which takes the place of the one that there
 * is. Says everything that is wrong with their form; what they amount to is checked by `editInbox`.
 */
export function readEdits(json: Json): ReadEdits {
  if (isInbox(json)) return { ok: true, edits: [{ type: "replace", graph: json as unknown as InboxFile }] }; // read later
  const list: readonly Json[] = Array.isArray(json) ? json : [json];
  const issues = list.flatMap((edit, index) => shapeOf(edit).validate(edit, pointer(index)));
  const errors = issues.filter(({ severity }) => severity === "error");
  return passes(issues) ? { ok: true, edits: list as unknown as InboxEdit[] } : { ok: false, errors }; // their shapes passed
}

const id: Shape<string> = string("The id of a node or an edge.", { filled: true });

const SHAPES: { readonly [T in InboxEdit["type"]]: Shape } = {
  set_node: object<InboxEdit & { type: "set_node" }>("A node to add or to change.", {
    ...{ type: typed("set_node"), id, node: nodeShape },
  }),
  remove_node: object<InboxEdit & { type: "remove_node" }>("A node to remove.", {
    ...{ type: typed("remove_node"), id },
  }),
  set_edge: object<InboxEdit & { type: "set_edge" }>("An edge to add or to change.", {
    ...{ type: typed("set_edge"), edge: edgeShape },
  }),
  remove_edge: object<InboxEdit & { type: "remove_edge" }>("An edge to remove.", {
    ...{ type: typed("remove_edge"), id },
  }),
  replace: object<InboxEdit & { type: "replace" }>("A graph in place of the whole.", {
    ...{ type: typed("replace"), graph: inboxShape },
  }),
  set: object<InboxEdit & { type: "set" }>("Settings to change.", {
    ...{ type: typed("set"), mode: optional(modeShape), phase: optional(phaseShape) },
    limits: optional(limitsShape),
  }),
};

const TYPES = Object.keys(SHAPES) as readonly InboxEdit["type"][]; // its own keys

/** The shape of an edit by its type; where the type is none, one that says which there are. */
function shapeOf(edit: Json): Shape {
  const type = isJsonObject(edit) ? edit["type"] : undefined;
  const known = TYPES.find((one) => one === type);
  return known === undefined ? object("An edit.", { type: oneOf("What it does.", TYPES) }) : SHAPES[known];
}

function typed<T extends string>(type: T): Shape<T> {
  return oneOf(`Always ${type}.`, [type]);
}
