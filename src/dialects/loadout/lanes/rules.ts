/** What can be wrong with a parallel loop: each item has to be able to go its way alone. */

import { pointer } from "../../../base/issue.ts";
import { field, type Report, type Sketch, type SketchedLoop } from "../check/sketch.ts";
import { END } from "../definition.ts";
import { isGenerator } from "../facts.ts";
import type { Parts } from "../parts.ts";
import { parseTarget } from "../path.ts";

/** Runs every rule on every loop that says `parallel`. */
export function checkLanes({ loadout }: Parts, sketch: Sketch, report: Report): void {
  const written = field(loadout, "loops");
  for (const loop of sketch.loops) {
    if (field(field(written, loop.id), "parallel") === undefined) continue;
    for (const rule of RULES) rule(loop, sketch, report);
  }
}

type Rule = (loop: SketchedLoop, sketch: Sketch, report: Report) => void;

const RULES: readonly Rule[] = [advances, staysInside, makesNoList];

/** A lane is over when it advances. */
function advances({ id, at, sockets }: SketchedLoop, sketch: Sketch, report: Report): void {
  if (sockets.some((member) => sketch.sockets.get(member.id)?.advance !== undefined)) return;
  const message = `Loop ${id} is parallel and none of its members advances, so no lane would ever be done.`;
  const hint = 'Give its last member "advance": { "cursor": "…", "items": "state.workItems" }.';
  report({ code: "parallel_never_advances", pointer: at + pointer("parallel"), message, hint });
}

/** One item cannot take the run elsewhere while the others are at work. */
function staysInside({ id, sockets }: SketchedLoop, sketch: Sketch, report: Report): void {
  const members = new Set(sockets.map((member) => member.id));
  for (const member of members) {
    for (const { at, to } of sketch.sockets.get(member)?.edges ?? []) {
      if (to === undefined || members.has(to) || (to !== END && !sketch.sockets.has(to))) continue;
      const message = `The edge leads out of loop ${id} to ${to}, and the loop works on its items in parallel.`;
      const hint = "Lead to a member; where the loop goes after its last item stands in its exits.";
      report({ code: "parallel_edge_leaves", pointer: at + pointer("to"), message, hint });
    }
  }
}

/** The items are shared out when the loop begins, so no lane can change them. */
function makesNoList(
  { id, sockets, iterates, consumes }: SketchedLoop,
  sketch: Sketch,
  report: Report,
): void {
  const root = iterates?.split(".")[1] ?? consumes?.output ?? "workItems";
  for (const { id: member, at } of sockets) {
    const socket = sketch.sockets.get(member);
    const assigns = socket?.assign.some(([target]) => parseTarget(target)?.[0] === root) ?? false;
    if (!assigns && !isGenerator(socket?.materia)) continue;
    const message = `${member} makes work items inside of parallel loop ${id}, whose items are shared out when it begins.`;
    const hint = "Make the items before the loop, or leave out parallel.";
    report({ code: "parallel_makes_items", pointer: at, message, hint });
  }
}
