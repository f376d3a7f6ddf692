/** A chart is a checked loadout turned around for running it: every socket with its materia, its loop and its contract. */

import { invariant } from "../../base/failure.ts";
import type { Json } from "../../base/json.ts";
import {
  type Assignments,
  type Condition,
  DEFAULT_LIMITS,
  type Edge,
  type LoadoutDefinition,
  type LoopExit,
  type Materia,
  type Parallel,
  type Socket,
  WORK_ITEMS,
} from "./definition.ts";
import { assignmentsOf, edgesOf, isGenerator, labelOf } from "./facts.ts";
import { type Contract, contractOf } from "./handoff.ts";
import { implicitLoops } from "./implicit.ts";
import { parseSource } from "./path.ts";

/** A socket where it stands. */
export interface Place {
  readonly id: string;
  /** The id of its materia, and what people call it. */
  readonly role: string;
  readonly label: string;
  readonly socket: Socket;
  readonly materia: Materia;
  readonly contract: Contract;
  readonly assignments: Assignments;
  readonly edges: readonly Edge[];
  readonly loop: Circuit | undefined;
  readonly isGenerator: boolean;
}

/** A loop as it runs. */
export interface Circuit {
  readonly id: string;
  readonly members: ReadonlySet<string>;
  /** Where its items are in the state. */
  readonly items: readonly string[];
  /** The name of the current item in the state besides `workItem`. */
  readonly as: string | undefined;
  readonly exits: readonly LoopExit[];
  /** The member that moves it on. */
  readonly advancer: string | undefined;
  /** Present when its items are worked on at the same time. */
  readonly parallel?: Parallel;
}

export interface Chart {
  readonly definition: LoadoutDefinition;
  readonly places: ReadonlyMap<string, Place>;
  readonly loops: readonly Circuit[];
  readonly limits: { readonly maxRepairs: number; readonly maxNoAdvanceCycles: number };
}

/** The chart of a definition that passed the check. */
export function chartOf(definition: LoadoutDefinition): Chart {
  const loops = circuitsOf(definition);
  const places = Object.entries(definition.sockets).map(([id, socket]): [string, Place] => {
    const materia = definition.materia[socket.materia];
    invariant(materia, `${id} holds ${socket.materia}, which a checked loadout has`);
    const place = {
      id,
      role: socket.materia,
      label: labelOf(id, definition),
      socket,
      materia,
      contract: contractOf(socket, materia),
      assignments: assignmentsOf(socket, materia),
      edges: socket.edges ?? [],
      loop: loops.find(({ members }) => members.has(id)),
      isGenerator: isGenerator(materia),
    };
    return [id, place];
  });
  return { definition, places: new Map(places), loops, limits: { ...DEFAULT_LIMITS, ...definition.limits } };
}

function circuitsOf(definition: LoadoutDefinition): Circuit[] {
  const declared = Object.entries(definition.loops ?? {}).map(([id, loop]): Circuit => {
    const advancers = loop.sockets.filter((socket) => definition.sockets[socket]?.advance !== undefined);
    const source = loop.iterator?.items ?? itemsOf(loop.consumes) ?? itemsOfAdvance(definition, advancers[0]);
    return {
      id,
      members: new Set(loop.sockets),
      items: keysOf(source),
      as: loop.iterator?.as,
      exits: loop.exits ?? [],
      advancer: advancers[0],
      ...(loop.parallel && { parallel: loop.parallel }),
    };
  });
  const links = edgesOf(definition).map(({ from, edge }) => ({ from, to: edge.to }));
  const advancing = Object.keys(definition.sockets).filter((id) => definition.sockets[id]?.advance);
  const members = declared.flatMap((loop) => [...loop.members]);
  return [
    ...declared,
    ...implicitLoops(links, advancing, members).map((around) => implicit(definition, around)),
  ];
}

/** A socket that advances outside any declared loop moves one of its own. */
function implicit(definition: LoadoutDefinition, members: readonly string[]): Circuit {
  const [advancer = ""] = members;
  const items = keysOf(itemsOfAdvance(definition, advancer));
  return { id: `~${advancer}`, members: new Set(members), items, as: undefined, exits: [], advancer };
}

function itemsOf(consumes: { readonly output?: string } | undefined): string | undefined {
  return consumes && `state.${consumes.output ?? WORK_ITEMS}`;
}

function itemsOfAdvance(definition: LoadoutDefinition, socket: string | undefined): string | undefined {
  return socket === undefined ? undefined : definition.sockets[socket]?.advance?.items;
}

function keysOf(source: string | undefined): readonly string[] {
  const path = source === undefined ? undefined : parseSource(source);
  return path?.root === "state" && path.keys.length > 0 ? path.keys : [WORK_ITEMS];
}

/** Where a loop goes that has done its items; `end` when no exit matches. */
export function exitFor(
  loop: Circuit,
  from: string | undefined,
  satisfied: Json | undefined,
): LoopExit | undefined {
  const wanted: Condition[] =
    satisfied === true
      ? ["satisfied", "always"]
      : satisfied === false
        ? ["not_satisfied", "always"]
        : ["always"];
  for (const condition of wanted) {
    const exit = loop.exits.find((candidate) => candidate.from === from && candidate.condition === condition);
    if (exit !== undefined) return exit;
  }
  return undefined;
}
