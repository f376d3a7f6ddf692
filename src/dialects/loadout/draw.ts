/** A drawing of a loadout: sockets and every way between them, as data and as Mermaid text. */

import type { Json } from "../../base/json.ts";
import { mermaidLabel } from "../mermaid-label.ts";
import { type Condition, END, type LoadoutDefinition, type MateriaType } from "./definition.ts";
import { edgesOf, isGenerator, labelOf, typeOf } from "./facts.ts";

export interface LoadoutDrawing {
  readonly entry: string;
  readonly nodes: readonly DrawnSocket[];
  readonly edges: readonly DrawnEdge[];
  readonly loops: readonly { readonly id: string; readonly sockets: readonly string[] }[];
  /** As the author placed it. */
  readonly layout?: Json;
}

export interface DrawnSocket {
  readonly id: string;
  readonly label: string;
  readonly materia: string;
  readonly type: MateriaType;
  readonly generator: boolean;
  readonly color?: string;
}

export interface DrawnEdge {
  /** `Socket-1/0` for the first edge of Socket-1, `loop-exit:<loop>:<exit>` for the exit of a loop. */
  readonly id: string;
  readonly from: string;
  /** A socket, or `end`. */
  readonly to: string;
  readonly when: Condition;
  readonly conditional: boolean;
  /** True for the exit of a loop, which is derived and no edge of its socket. */
  readonly derived: boolean;
  readonly maxTraversals?: number;
}

/** The drawing of a loadout as data. */
export function drawingOf(definition: LoadoutDefinition): LoadoutDrawing {
  const loops = Object.entries(definition.loops ?? {});
  const nodes = Object.entries(definition.sockets).map(([id, { materia: held }]): DrawnSocket => {
    const materia = definition.materia[held];
    const color = materia?.color;
    return {
      ...{ id, label: labelOf(id, definition), materia: held, type: typeOf(materia) },
      generator: isGenerator(materia),
      ...(color !== undefined && { color }),
    };
  });
  const edges = edgesOf(definition).map(({ from, edge, index }): DrawnEdge => {
    const { when, to, maxTraversals } = edge;
    return {
      ...{ id: `${from}/${index}`, from, to, when, conditional: when !== "always", derived: false },
      ...(maxTraversals !== undefined && { maxTraversals }),
    };
  });
  const exits = loops.flatMap(([loop, { exits: routes = [] }]) =>
    routes.map(({ id, from, condition, targetSocketId: to }): DrawnEdge => {
      const conditional = condition !== "always";
      return { id: `loop-exit:${loop}:${id}`, from, to, when: condition, conditional, derived: true };
    }),
  );
  return {
    entry: definition.entry,
    nodes,
    edges: [...edges, ...exits],
    loops: loops.map(([id, { sockets }]) => ({ id, sockets })),
    ...(definition.layout !== undefined && { layout: definition.layout }),
  };
}

/** The drawing of a loadout, as data and as Mermaid text; conditional ways are dashed. */
export function drawLoadout(definition: LoadoutDefinition): { mermaid: string; graph: LoadoutDrawing } {
  const graph = drawingOf(definition);
  return { mermaid: mermaidOf(graph), graph };
}

/** An id that Mermaid takes as it is: none of its words can look like this. */
const PLAIN_ID = /^Socket-\d+$/;

const SHAPES: Readonly<Record<MateriaType, readonly [string, string]>> = {
  agent: ["[", "]"],
  utility: ["[[", "]]"],
  human: ["{{", "}}"],
  graph: ["[/", "/]"],
};

function mermaidOf({ entry, nodes, edges, loops }: LoadoutDrawing): string {
  const names = new Map(nodes.map(({ id }, index) => [id, PLAIN_ID.test(id) ? id : `s${index}`]));
  const nameOf = (id: string) => (id === END ? "finish" : (names.get(id) ?? "finish"));
  const box = ({ id, label, type }: DrawnSocket) => {
    const [open, close] = SHAPES[type];
    return `${nameOf(id)}${open}${mermaidLabel(label === id ? id : `${id}: ${label}`)}${close}`;
  };
  const inLoops = new Set(loops.flatMap(({ sockets }) => sockets));
  const regions = loops.flatMap(({ id, sockets }, index) => [
    `  subgraph loop${index}[${mermaidLabel(id)}]`,
    ...nodes.filter((node) => sockets.includes(node.id)).map((node) => `    ${box(node)}`),
    "  end",
  ]);
  const arrows = edges.map(({ from, to, when, conditional, derived, maxTraversals }) => {
    const text = [...(derived ? ["done:"] : []), when, ...(maxTraversals ? [`≤ ${maxTraversals}`] : [])];
    const label = conditional || derived || maxTraversals ? `|"${text.join(" ")}"|` : "";
    return `  ${nameOf(from)} ${conditional ? "-.->" : "-->"}${label} ${nameOf(to)}`;
  });
  const leaves = nodes.filter(({ id }) => !edges.some(({ from }) => from === id));
  return [
    "flowchart TD",
    "  start((start))",
    "  finish((end))",
    ...nodes.filter(({ id }) => !inLoops.has(id)).map((node) => `  ${box(node)}`),
    ...regions,
    `  start --> ${nameOf(entry)}`,
    ...arrows,
    ...leaves.map(({ id }) => `  ${nameOf(id)} --> finish`),
    "",
  ].join("\n");
}
