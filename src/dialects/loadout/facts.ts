/** Facts are what follows from a socket and its materia without looking at the rest of the loadout. */

import {
  type Assignments,
  type Condition,
  type Edge,
  type Loadout,
  type Materia,
  type MateriaType,
  type Parse,
  type Socket,
  WORK_ITEMS,
} from "./definition.ts";

/** How the output of the socket is read: as the socket says, else its utility; a generator always gives JSON. */
export function parseOf(socket: Pick<Socket, "parse">, materia: Kind | undefined): Parse {
  if (isGenerator(materia)) return "json";
  return socket.parse ?? (typeOf(materia) === "utility" ? materia?.parse : undefined) ?? "text";
}

/** The part of a materia that decides how its output is taken. */
type Kind = Pick<Materia, "type" | "generator" | "parse">;

export function isGenerator(materia: Kind | undefined): boolean {
  return materia?.generator === true;
}

export function typeOf(materia: Kind | undefined): MateriaType {
  return materia?.type ?? "agent";
}

/** What a socket copies into the state; a generator its work items, without being told. */
export function assignmentsOf(socket: Pick<Socket, "assign">, materia: Kind | undefined): Assignments {
  const own = socket.assign ?? {};
  if (!isGenerator(materia) || Object.hasOwn(own, WORK_ITEMS)) return own;
  return { [WORK_ITEMS]: `$.${WORK_ITEMS}`, ...own };
}

/** Says whether routing or advancing needs `satisfied` in the socket's output. */
export function readsSatisfied({ edges = [], advance }: Guarded): boolean {
  return edges.some(({ when }) => isGuard(when)) || isGuard(advance?.when);
}

interface Guarded {
  readonly edges?: readonly { readonly when?: Condition }[];
  readonly advance?: { readonly when?: Condition };
}

export function isGuard(when: Condition | undefined): boolean {
  return when === "satisfied" || when === "not_satisfied";
}

/** The name of an edge within its loadout. */
export function edgeName(socket: string, index: number): string {
  return `${socket}/${index}`;
}

/** What people call a socket. */
export function labelOf(id: string, { sockets, materia = {} }: Loadout): string {
  const held = sockets[id]?.materia;
  if (held === undefined) return id;
  return (Object.hasOwn(materia, held) ? materia[held]?.label : undefined) ?? held;
}

/** All edges of a loadout with the socket that they leave and their place there. */
export function edgesOf({ sockets }: Loadout): { from: string; edge: Edge; index: number }[] {
  return Object.entries(sockets).flatMap(([from, { edges = [] }]) =>
    edges.map((edge, index) => ({ from, edge, index })),
  );
}
