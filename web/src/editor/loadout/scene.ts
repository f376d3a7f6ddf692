/** The scene of a draft: what can be drawn of it, whatever is wrong with the rest. */

import type { JsonObject } from "../../model/baton.ts";
import type { NodeKind } from "../../model/drawing/graph-model.ts";
import { placesIn } from "../canvas/places.ts";
import type { Scene, SceneEdge, SceneNode } from "../canvas/scene.ts";
import { listAt, numberAt, objectAt, textAt, textsAt } from "../text/held.ts";
import { type Draft, type DraftMateria, loopsOf, materiaOf, socketsOf } from "./draft.ts";
import { type Condition, END, isCondition } from "./edges.ts";
import { exitEdgeId } from "./exits.ts";
import type { Chosen } from "./place.ts";

export interface LoadoutScene extends Scene {
  /** What each edge stands for. */
  readonly meanings: ReadonlyMap<string, Chosen>;
}

export function sceneOf(draft: Draft): LoadoutScene {
  const meanings = new Map<string, Chosen>();
  const sockets = socketsOf(draft);
  const isDrawn = (id: string): boolean => sockets.has(id) || id === END;
  const edges = [...socketEdges(draft, meanings), ...exitEdges(draft, meanings)].filter(
    ({ from, to }) => sockets.has(from) && isDrawn(to),
  );
  const nodes = nodesOf(draft);
  const end: SceneNode = { id: END, label: "End", detail: "", kind: "end", badges: [], spoken: "" };
  return {
    nodes: nodes.length > 0 ? [...nodes, end] : [],
    edges,
    regions: [...loopsOf(draft)].map(([id, loop]) => {
      const members = textsAt(loop, "sockets").filter((member) => sockets.has(member));
      return { id, label: loopLabel(id, loop), members };
    }),
    places: placesIn(objectAt(draft.loadout, "layout")),
    meanings,
  };
}

function nodesOf(draft: Draft): readonly SceneNode[] {
  const members = new Set([...loopsOf(draft).values()].flatMap((loop) => textsAt(loop, "sockets")));
  const entry = textAt(draft.loadout, "entry");
  const materia = materiaOf(draft);
  return [...socketsOf(draft)].map(([id, socket]): SceneNode => {
    const held = textAt(socket, "materia") ?? "";
    const known = materia.get(held);
    const color = textAt(known && asObject(known), "color");
    const badges = [
      ...(known?.materia.generator === true ? ["Generator"] : []),
      ...(members.has(id) ? ["Loop consumer"] : []),
    ];
    const inside = innerOf(draft, known);
    const label = textAt(known && asObject(known), "label") ?? (held || "No materia");
    const detail = label === held || held === "" ? id : `${id} · ${held}`;
    return {
      id,
      label,
      detail,
      kind: kindOf(known),
      badges,
      spoken: kindOf(known),
      ...(color !== undefined && { color }),
      ...(id === entry && { mark: "Entry" }),
      ...(inside !== undefined && { inside }),
    };
  });
}

/** The loadout that a graph materia runs, when it stands in the file of the draft. */
export function innerOf({ inner }: Draft, known: DraftMateria | undefined): string | undefined {
  if (kindOf(known) !== "graph") return undefined;
  const name = textAt(known && asObject(known), "loadout");
  return inner.find((one) => one === name);
}

/** Materia of a draft were not checked: they are read as what they are, any JSON. */
function asObject({ materia }: DraftMateria): JsonObject {
  return materia as unknown as JsonObject;
}

const KINDS: readonly NodeKind[] = ["agent", "utility", "human", "graph"];

export function kindOf(known: DraftMateria | undefined): NodeKind {
  return KINDS.find((kind) => kind === known?.materia.type) ?? "agent";
}

function* socketEdges(draft: Draft, meanings: Map<string, Chosen>): Generator<SceneEdge> {
  for (const [from, socket] of socketsOf(draft)) {
    const edges = listAt(socket, "edges");
    for (const [index, edge] of edges.entries()) {
      const id = `${from}/${index}`;
      const to = textAt(edge, "to") ?? "";
      const tone = toneOf(edge["when"]);
      const most = numberAt(edge, "maxTraversals");
      meanings.set(id, { kind: "edge", from, index });
      const order = edges.length > 1 ? `${index + 1} ` : "";
      const limit = most === undefined ? "" : ` ≤ ${most}`;
      const label = `${order}${tone.replace("_", " ")}${limit}`;
      yield {
        ...{ id, from, to, tone, isBoth: false, form: tone === "always" ? "plain" : "conditional" },
        ...{ label, spoken: `Edge from ${from} to ${to}: ${label}` },
      };
    }
  }
}

function* exitEdges(draft: Draft, meanings: Map<string, Chosen>): Generator<SceneEdge> {
  for (const [loop, held] of loopsOf(draft)) {
    for (const exit of listAt(held, "exits")) {
      const route = textAt(exit, "id") ?? "";
      const id = exitEdgeId(loop, route);
      const [from, to] = [textAt(exit, "from") ?? "", textAt(exit, "targetSocketId") ?? ""];
      const tone = toneOf(exit["condition"]);
      meanings.set(id, { kind: "exit", loop, id: route });
      const label = `when done${tone === "always" ? "" : ` ${tone.replace("_", " ")}`}`;
      yield {
        ...{ id, from, to, tone, isBoth: false, form: "derived" },
        ...{ label, spoken: `Exit of loop ${loop} from ${from} to ${to}: ${label}` },
      };
    }
  }
}

function toneOf(when: JsonObject[string] | undefined): Condition {
  return isCondition(when) ? when : "always";
}

/** Its name, and on a second line what it is done for. */
function loopLabel(id: string, loop: JsonObject): string {
  const items = textAt(objectAt(loop, "iterator"), "as") ?? "work item";
  const lanes = numberAt(objectAt(loop, "parallel"), "maxConcurrency");
  return `${id}\neach ${items}${lanes === undefined ? "" : `, ${lanes} at once`}`;
}
