/** The ways of a loadout: which socket can follow which, and on what. */

import type { Condition } from "../definition.ts";
import { END } from "../definition.ts";
import { parseOf } from "../facts.ts";
import type { Sketch, SketchedSocket } from "./sketch.ts";

/** What a socket may say as far as routing goes. */
export type Outcome = true | false | undefined;

export interface Way {
  readonly to: string;
  /** `free` bounds nothing; `bounded` by maxTraversals; `advance` uses up an item; `exit` leaves a loop that is done. */
  readonly kind: "free" | "bounded" | "advance" | "exit";
}

/** The ways out of every socket, `end` and unknown targets left out. */
export function ways({ sockets, loops }: Sketch): ReadonlyMap<string, readonly Way[]> {
  const found = new Map<string, Way[]>();
  for (const socket of sockets.values()) {
    const out: Way[] = [];
    for (const said of outcomesOf(socket)) {
      const edge = socket.edges.find(({ when }) => meets(when, said));
      const advances = socket.advance !== undefined && meets(socket.advance.when ?? "always", said);
      if (edge?.to !== undefined) {
        out.push({ to: edge.to, kind: advances ? "advance" : edge.isBounded ? "bounded" : "free" });
      }
      if (!advances) continue;
      const exits = loops.find((loop) => loop.sockets.some(({ id }) => id === socket.id))?.exits ?? [];
      for (const exit of exits) {
        const isAsked = exit.from === socket.id && meets(exit.condition, said);
        if (isAsked && exit.target !== undefined) out.push({ to: exit.target, kind: "exit" });
      }
    }
    found.set(
      socket.id,
      out.filter(({ to }) => to !== END && sockets.has(to)),
    );
  }
  for (const loop of loops) addEmptyExit(loop, sockets, found);
  return found;
}

/** A loop without items goes from its first member straight to where its advancing member leads on `always`. */
function addEmptyExit(
  { sockets: members, exits }: Sketch["loops"][number],
  sockets: Sketch["sockets"],
  found: Map<string, Way[]>,
): void {
  for (const { target, condition } of exits) {
    if (condition !== "always" || target === undefined || target === END || !sockets.has(target)) continue;
    for (const { id } of members) {
      const out = found.get(id);
      if (out !== undefined && !out.some(({ to, kind }) => to === target && kind === "exit")) {
        out.push({ to: target, kind: "exit" });
      }
    }
  }
}

/** What a socket can say: a guard that needs `satisfied` always gets it, and a text says nothing. */
export function outcomesOf(socket: SketchedSocket): readonly Outcome[] {
  const { edges, advance, materia } = socket;
  if (parseOf(socket, materia) === "text") return [undefined];
  const isAsked = [...edges.map(({ when }) => when), advance?.when].some(
    (when) => when === "satisfied" || when === "not_satisfied",
  );
  return isAsked ? [true, false] : [true, false, undefined];
}

/** Says whether an output meets a condition. */
export function meets(when: Condition | undefined, said: Outcome): boolean {
  if (when === undefined) return false;
  return when === "always" || said === (when === "satisfied");
}

/** Says whether edges lead around among these sockets. */
export function cycleWithin(sketch: Sketch, members: ReadonlySet<string>): boolean {
  const next = new Map(
    [...members].map((id) => [id, (sketch.sockets.get(id)?.edges ?? []).flatMap(({ to }) => to ?? [])]),
  );
  return [...members].some((start) =>
    wayBack(start, (id) => (next.get(id) ?? []).filter((to) => members.has(to))),
  );
}

/** The shortest way from a socket back to itself, the socket at both ends. */
export function wayBack(
  start: string,
  next: (id: string) => readonly string[],
): readonly string[] | undefined {
  const cameFrom = new Map<string, string>();
  const open = [start];
  for (const here of open) {
    for (const to of next(here)) {
      if (to === start) return trace(start, here, cameFrom);
      if (cameFrom.has(to)) continue;
      cameFrom.set(to, here);
      open.push(to);
    }
  }
  return undefined;
}

function trace(start: string, last: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const way = [start];
  for (let here: string | undefined = last; here !== undefined && here !== start; here = cameFrom.get(here)) {
    way.unshift(here);
  }
  return [start, ...way];
}
