/** An implicit loop is made of the sockets on a way from a socket that advances back to it, where none was declared. */

import { END } from "./definition.ts";

/** An edge as far as it says who can follow whom. */
export interface Link {
  readonly from: string;
  readonly to: string;
}

/** The loops around sockets that advance and are members of none; the advancing socket stands first in its loop. */
export function implicitLoops(
  links: readonly Link[],
  advancing: readonly string[],
  declared: Iterable<string>,
): readonly (readonly string[])[] {
  const taken = new Set(declared);
  const loops: (readonly string[])[] = [];
  for (const id of advancing) {
    if (taken.has(id)) continue;
    const back = reach(links, id, "from");
    const around = [...reach(links, id, "to")].filter((socket) => back.has(socket) && !taken.has(socket));
    const members = [...new Set([id, ...around])];
    for (const member of members) taken.add(member);
    loops.push(members);
  }
  return loops;
}

function reach(links: readonly Link[], start: string, way: "from" | "to"): Set<string> {
  const found = new Set<string>([start]);
  for (const here of found) {
    for (const { from, to } of links) {
      const [source, target] = way === "to" ? [from, to] : [to, from];
      if (source === here && target !== END) found.add(target);
    }
  }
  return found;
}
