/** What stands in a loadout and can never matter: guards, exits and generators in vain, and sockets without a way out. */

import { pointer } from "../../../base/issue.ts";
import { WORK_ITEMS } from "../definition.ts";
import { isGenerator, parseOf, typeOf } from "../facts.ts";
import { parseSource } from "../path.ts";
import { exitOf, machineOf, type Station } from "../prove/machine.ts";
import { prove } from "../prove/prove.ts";
import type { Report, Sketch, SketchedSocket } from "./sketch.ts";
import { meets, ways } from "./ways.ts";

export function checkDead(sketch: Sketch, report: Report): void {
  for (const socket of sketch.sockets.values()) {
    checkShadowed(socket, sketch, report);
    checkConsumed(socket, sketch, report);
  }
  checkExits(sketch, report);
  checkDeadEnds(sketch, report);
}

/** An edge that an earlier one always comes before. Behind `always` that is an error, which other rules tell. */
function checkShadowed(
  { id, edges, materia, ...socket }: SketchedSocket,
  sketch: Sketch,
  report: Report,
): void {
  if (materia !== undefined && parseOf(socket, materia) === "text") return;
  const station = machineOf(sketch).stations.find((one) => one.id === id);
  for (const [index, { at, when }] of edges.entries()) {
    const earlier = edges.slice(0, index);
    if (when === undefined || earlier.some((edge) => edge.when === "always" || edge.when === undefined))
      continue;
    const isTaken = station?.outcomes.some(
      (said) => meets(when, said) && !earlier.some((edge) => meets(edge.when, said)),
    );
    if (isTaken) continue;
    const message = `The ${when} edge of ${id} is never taken: the edges before it match whatever ${id} says.`;
    const hint = "Leave it out, or put it before the edge that it should win against.";
    report({ severity: "warning", code: "shadowed_guard", pointer: at, message, hint });
  }
}

/** A generator whose items nobody takes: no loop, no generator after it, nothing that reads them from the state. */
function checkConsumed({ id, at, materia }: SketchedSocket, sketch: Sketch, report: Report): void {
  if (!isGenerator(materia)) return;
  const after = following(id, sketch);
  const reads = (source: string) => {
    const path = parseSource(source);
    return path?.root === "state" && (path.keys.length === 0 || path.keys[0] === WORK_ITEMS);
  };
  const isConsumed = after.some((other) => {
    const isTaker =
      isGenerator(other.materia) || (other.materia && ["utility", "graph"].includes(typeOf(other.materia)));
    return isTaker || other.advance !== undefined || other.assign.some(([, source]) => reads(source));
  });
  const isMember = sketch.loops.some(
    ({ sockets, consumes }) =>
      consumes?.from === id || sockets.some((member) => after.some((other) => other.id === member.id)),
  );
  if (isConsumed || isMember) return;
  const message = `${id} makes work items, and nothing after it takes them.`;
  const hint = 'Lead it into a loop that has "consumes", or leave "generator" out of its materia.';
  report({ severity: "warning", code: "unconsumed_generator", pointer: at, message, hint });
}

/** The sockets that can come after one. */
function following(id: string, sketch: Sketch): SketchedSocket[] {
  const leaving = ways(sketch);
  const reached = new Set<string>((leaving.get(id) ?? []).map(({ to }) => to));
  for (const here of reached) for (const { to } of leaving.get(here) ?? []) reached.add(to);
  return [...reached].flatMap((one) => sketch.sockets.get(one) ?? []);
}

/** An exit is asked when its member advances past the last item, and `always` also when there are none. */
function checkExits(sketch: Sketch, report: Report): void {
  const { rings, stations } = machineOf(sketch);
  for (const ring of rings) {
    for (const exit of ring.exits) {
      const from = stations.find(({ id, ring: own }) => id === exit.from && own === ring);
      if (from === undefined || exit.condition === undefined) continue;
      const isAsked =
        from.advances !== undefined &&
        from.outcomes.some((said) => {
          return meets(from.advances, said) && exitOf(ring, from.id, said) === exit;
        });
      const whenEmpty = exit.condition === "always" && from.id === ring.advancer;
      if (isAsked || whenEmpty) continue;
      const message = `The ${exit.condition} exit of loop ${ring.id} from ${from.id} can never be taken: ${reason(from)}.`;
      const hint = "Leave it out, or change its condition.";
      report({ severity: "warning", code: "exit_never_taken", pointer: exit.at, message, hint });
    }
  }
}

function reason({ id, advances }: Station): string {
  if (advances === undefined) return `${id} does not advance`;
  return advances === "always"
    ? `${id} never says so, or another exit is asked first`
    : `${id} advances on ${advances} only`;
}

/** A socket from which a run can fail or go on for ever, and never end as it should. */
function checkDeadEnds(sketch: Sketch, report: Report): void {
  const { outcomes } = prove(sketch);
  const leads = new Map(
    outcomes.map(
      (row) => [row.socket, row.outcomes.flatMap((one) => one.leads.map(({ to }) => to))] as const,
    ),
  );
  const living = new Set<string>(["end"]);
  for (let before = -1; before !== living.size; ) {
    before = living.size;
    for (const [socket, targets] of leads) if (targets.some((to) => living.has(to))) living.add(socket);
  }
  const isFirst = (socket: string) =>
    socket === sketch.entry ||
    [...leads].some(([from, targets]) => living.has(from) && targets.includes(socket));
  for (const socket of leads.keys()) {
    if (living.has(socket) || !isFirst(socket)) continue;
    const message = `From ${socket} no way leads to the end: a run that comes there fails or goes on for ever.`;
    const hint = "Add a way that ends the run or leads back to one that does.";
    const at = sketch.sockets.get(socket)?.at ?? pointer();
    report({ severity: "warning", code: "dead_end", pointer: at, message, hint });
  }
}
