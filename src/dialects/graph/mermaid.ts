/** Prints a drawing as a Mermaid flowchart (mermaid.js.org). */

import type { Drawing, DrawnEdge, DrawnNode } from "./drawing.ts";
import { END, START } from "./names.ts";

/** The text of a flowchart: conditional edges are dashed, waiting edges thick, sub-graphs are boxes. */
export function toMermaid(drawing: Drawing): string {
  const lines = ["flowchart TD", ...body(drawing, { indent: "  ", prefix: "" })];
  const ends = "classDef ends fill:#eef,stroke:#447";
  return `${[...lines, `  ${ends}`].join("\n")}\n`;
}

interface Place {
  readonly indent: string;
  readonly prefix: string;
}

function body({ nodes, edges }: Drawing, place: Place): string[] {
  return [...nodes.flatMap((node) => drawNode(node, place)), ...edges.map((edge) => drawEdge(edge, place))];
}

function drawNode({ id, graph, deferred }: DrawnNode, place: Place): string[] {
  const { indent, prefix } = place;
  const name = idOf(prefix, id);
  if (graph !== undefined) {
    const inner = { indent: `${indent}  `, prefix: `${prefix}${id}.` };
    return [`${indent}subgraph ${name}["${quote(id)}"]`, ...body(graph, inner), `${indent}end`];
  }
  if (id === START || id === END) return [`${indent}${name}(["${id}"]):::ends`];
  return [`${indent}${name}["${quote(id)}${deferred ? " (deferred)" : ""}"]`];
}

function drawEdge({ source, target, conditional, waits, label }: DrawnEdge, place: Place): string {
  const { indent, prefix } = place;
  const arrow = conditional ? "-.->" : waits ? "==>" : "-->";
  const text = label === undefined ? "" : `|"${quote(label)}"|`;
  return `${indent}${idOf(prefix, source)} ${arrow}${text} ${idOf(prefix, target)}`;
}

/** Plain names stay readable; whatever Mermaid could read as syntax is spelled by its code. */
function idOf(prefix: string, id: string): string {
  const text = `${prefix}${id}`.replace(/[^A-Za-z0-9_]/g, (char) => `_${char.codePointAt(0)?.toString(16)}_`);
  return text === "end" ? "end_" : text;
}

function quote(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
