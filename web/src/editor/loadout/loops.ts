/** Edits of loops: which sockets they have, where their items come from, and what they are called. */

import type { Json } from "../../model/baton.ts";
import type { Edit } from "../take.ts";
import type { Change } from "../text/change.ts";
import { listAt, textAt, textsAt } from "../text/held.ts";
import { set, setOrRemove } from "../text/set.ts";
import type { Path } from "../text/tree.ts";
import { type Draft, loopsOf, materiaOf, socketsOf } from "./draft.ts";
import { removeSockets } from "./sockets.ts";

export function loopPath({ at }: Draft, id: string, ...more: Path): Path {
  return [...at, "loops", id, ...more];
}

/** Makes a loop of sockets. It works on what the generator gives that leads into it, when there is just one. */
export function createLoop(draft: Draft, chosen: readonly string[], name?: string): Edit {
  const sockets = socketsOf(draft);
  const members = [...sockets.keys()].filter((id) => chosen.includes(id));
  if (members.length === 0) return "Choose the sockets that the loop is to have.";
  for (const [id, loop] of loopsOf(draft)) {
    const shared = members.find((member) => textsAt(loop, "sockets").includes(member));
    if (shared !== undefined) return `${shared} is in loop ${id} already. Break that loop first.`;
  }
  const id = name ?? freeLoopId(draft);
  if (loopsOf(draft).has(id)) return `There is a loop called ${id} already.`;
  const from = generatorInto(draft, members);
  const consumes = from === undefined ? {} : { consumes: { from, output: "workItems" } };
  return [set(loopPath(draft, id), { sockets: members, ...consumes, exits: [] })];
}

function freeLoopId(draft: Draft): string {
  const taken = loopsOf(draft);
  let id = "workItemIteration";
  for (let number = 2; taken.has(id); number++) id = `workItemIteration-${number}`;
  return id;
}

/** The one generator with an edge to a member from outside. */
export function generatorInto(draft: Draft, members: readonly string[]): string | undefined {
  const found = generatorsOf(draft).filter((id) => {
    const edges = listAt(socketsOf(draft).get(id), "edges");
    return !members.includes(id) && edges.some((edge) => members.includes(textAt(edge, "to") ?? ""));
  });
  return found.length === 1 ? found[0] : undefined;
}

/** The sockets whose materia makes work items. */
export function generatorsOf(draft: Draft): readonly string[] {
  const materia = materiaOf(draft);
  return [...socketsOf(draft)].flatMap(([id, socket]) => {
    return materia.get(textAt(socket, "materia") ?? "")?.materia.generator === true ? [id] : [];
  });
}

/** Takes a loop away and leaves its sockets; their `advance` goes with it, since it moves the cursor of a loop. */
export function breakLoop(draft: Draft, id: string): Edit {
  const loops = loopsOf(draft);
  const loop = loops.get(id);
  if (loop === undefined) return `There is no loop ${id}.`;
  const advancing = textsAt(loop, "sockets").filter((member) => {
    const socket = socketsOf(draft).get(member);
    return socket !== undefined && Object.hasOwn(socket, "advance");
  });
  const path = loops.size === 1 ? [...draft.at, "loops"] : loopPath(draft, id);
  return [
    ...advancing.map(
      (member): Change => ({ type: "remove", path: [...draft.at, "sockets", member, "advance"] }),
    ),
    { type: "remove", path },
  ];
}

/** Takes a loop away together with its sockets. */
export function deleteLoop(draft: Draft, id: string): Edit {
  const loop = loopsOf(draft).get(id);
  if (loop === undefined) return `There is no loop ${id}.`;
  const sockets = socketsOf(draft);
  const members = textsAt(loop, "sockets").filter((member) => sockets.has(member));
  return members.length === 0 ? breakLoop(draft, id) : removeSockets(draft, members);
}

export function renameLoop(draft: Draft, id: string, name: string): Edit {
  if (name.trim() === "") return "A loop needs a name.";
  if (name !== id && loopsOf(draft).has(name)) return `There is a loop called ${name} already.`;
  return [{ type: "rename", path: loopPath(draft, id), key: name }];
}

export type LoopField = "consumes" | "iterator" | "parallel" | "sockets";

/** Sets a field of a loop; `undefined` takes it away. */
export function setLoopField(draft: Draft, id: string, field: LoopField, value: Json | undefined): Edit {
  if (!loopsOf(draft).has(id)) return `There is no loop ${id}.`;
  return [setOrRemove(loopPath(draft, id, field), value)];
}

/** Where the items of a loop come from: a generator, or a list in the state. */
export type ItemSource =
  | { readonly kind: "generator"; readonly from: string }
  | { readonly kind: "list" }
  | { readonly kind: "unnamed" };

const USUAL_LIST = { items: "state.items", as: "item", cursor: "itemIndex" };

/** Says where the items come from; what said so before goes, since a loop has its items from one place. */
export function setItemSource(draft: Draft, id: string, source: ItemSource): Edit {
  const loop = loopsOf(draft).get(id);
  if (loop === undefined) return `There is no loop ${id}.`;
  const drop = (field: LoopField): readonly Change[] =>
    Object.hasOwn(loop, field) ? [{ type: "remove", path: loopPath(draft, id, field) }] : [];
  switch (source.kind) {
    case "unnamed":
      return [...drop("consumes"), ...drop("iterator")];
    case "list":
      return [...drop("consumes"), set(loopPath(draft, id, "iterator"), USUAL_LIST)];
    case "generator": {
      const { from } = source;
      const change = Object.hasOwn(loop, "consumes")
        ? set(loopPath(draft, id, "consumes", "from"), from)
        : set(loopPath(draft, id, "consumes"), { from, output: "workItems" });
      return [...drop("iterator"), change];
    }
  }
}
