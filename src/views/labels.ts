/** What people call the nodes of a run, from the drawing of its plan. */

import { isJsonObject, type Json } from "../base/json.ts";

/** Names a node. */
export type NameOf = (node: string) => string;

/** By its label, with its id where another node has the same one; by its id where it has none. */
export function namesIn(drawing: Json | undefined): NameOf {
  const labels = labelsIn(drawing);
  const all = [...labels.values()];
  return (node) => {
    const label = labels.get(node);
    if (label === undefined) return node;
    return all.indexOf(label) === all.lastIndexOf(label) ? label : `${label} (${node})`;
  };
}

/** By its id, which commands take, with its label behind it where it has another one. */
export function idsIn(drawing: Json | undefined): NameOf {
  const labels = labelsIn(drawing);
  return (node) => {
    const label = labels.get(node);
    return label === undefined ? node : `${node} (${label})`;
  };
}

/** The labels that say more than the ids. */
function labelsIn(drawing: Json | undefined): ReadonlyMap<string, string> {
  const nodes = isJsonObject(drawing) && Array.isArray(drawing["nodes"]) ? drawing["nodes"] : [];
  return new Map(
    (nodes as readonly Json[]).flatMap((node) => {
      const { id, label } = isJsonObject(node) ? node : {};
      const says = typeof id === "string" && typeof label === "string" && label !== "" && label !== id;
      return says ? [[id, label] as const] : [];
    }),
  );
}
