/** What can be wrong with the ways of a loadout as a whole: where it begins, what it never reaches, what goes round. */

import { pointer } from "../../../base/issue.ts";
import { END } from "../definition.ts";
import { isGuard } from "../facts.ts";
import { prove } from "../prove/prove.ts";
import { checkDead } from "./dead-rules.ts";
import type { Report, Sketch, SketchedSocket } from "./sketch.ts";
import { guess } from "./socket-rules.ts";
import { meets, type Outcome, outcomesOf, ways } from "./ways.ts";

export function checkFlow(sketch: Sketch, at: string, report: Report): void {
  checkEntry(sketch, at, report);
  checkReach(sketch, report);
  checkOutcomes(sketch, report);
  checkCycles(sketch, report);
  checkDead(sketch, report);
}

function checkEntry({ entry, sockets }: Sketch, at: string, report: Report): void {
  if (entry === undefined || entry === "") return; // the shape tells of it
  const where = at + pointer("entry");
  if (entry === END) {
    const message = "The entry is end, so nothing would run.";
    report({ code: "entry_is_end", pointer: where, message, hint: "Name the socket where the run begins." });
  } else if (!sockets.has(entry)) {
    const message = `The entry is ${entry}, which is no socket.`;
    report({ code: "unknown_socket", pointer: where, message, hint: guess(entry, sockets.keys()) });
  }
}

function checkReach(sketch: Sketch, report: Report): void {
  const { entry, sockets } = sketch;
  if (entry === undefined || !sockets.has(entry)) return;
  const leaving = ways(sketch);
  const reached = new Set([entry]);
  for (const here of reached) for (const { to } of leaving.get(here) ?? []) reached.add(to);
  for (const { id, at } of sockets.values()) {
    if (reached.has(id)) continue;
    const message = `No way leads from ${entry} to ${id}.`;
    const hint = "Lead an edge or an exit to it, or leave it out.";
    report({ severity: "warning", code: "unreachable_socket", pointer: at, message, hint });
  }
}

function checkOutcomes({ sockets, loops }: Sketch, report: Report): void {
  const inLanes = new Set(
    loops.flatMap((loop) => (loop.isParallel ? loop.sockets.map((member) => member.id) : [])),
  );
  for (const socket of sockets.values()) {
    if (inLanes.has(socket.id)) checkLane(socket, report);
    else checkGuarded(socket, report);
  }
}

/** Guarded edges that leave something without a way, which ends the run in silence. */
function checkGuarded(socket: SketchedSocket, report: Report): void {
  const { id, at, edges } = socket;
  if (!edges.some(({ when }) => isGuard(when)) || edges.some(({ when }) => when === undefined)) return;
  for (const said of uncovered(socket)) {
    const message = `When ${id} says satisfied: ${said}, none of its edges matches and the run ends there.`;
    const hint = `Add an edge for ${said ? "satisfied" : "not_satisfied"}, to end if that is what you want.`;
    const code = "uncovered_outcome";
    report({ severity: "warning", code, pointer: at + pointer("edges"), message, hint });
  }
}

/** A lane that goes no further and has not advanced fails; once it has advanced, no edge is asked. */
function checkLane(socket: SketchedSocket, report: Report): void {
  const { id, at, edges, advance } = socket;
  if (edges.some(({ when }) => when === undefined)) return;
  for (const said of uncovered(socket)) {
    if (advance !== undefined && meets(advance.when ?? "always", said)) continue;
    const what = said === undefined ? `When ${id} is done` : `When ${id} says satisfied: ${said}`;
    const message = `${what}, none of its edges matches and it does not advance, so the lane of its item fails.`;
    const hint = "Add an edge to a member of the loop, or let the socket advance.";
    const code = "uncovered_outcome";
    report({ severity: "warning", code, pointer: at + pointer("edges"), message, hint });
  }
}

/** What a socket can say that none of its edges matches. */
function uncovered(socket: SketchedSocket): readonly Outcome[] {
  return outcomesOf(socket).filter((said) => !socket.edges.some(({ when }) => meets(when, said)));
}

function checkCycles(sketch: Sketch, report: Report): void {
  const { unbounded, guardOnly } = prove(sketch);
  for (const cycle of unbounded) {
    const message = `Nothing bounds the cycle ${cycle.join(" → ")}, so a run can stay in it for ever.`;
    const hint = "Give one of its edges maxTraversals.";
    const where = sketch.sockets.get(cycle[0] ?? "")?.at ?? "";
    report({ severity: "warning", code: "unbounded_cycle", pointer: where, message, hint });
  }
  for (const cycle of guardOnly) {
    const message = `Only limits.maxNoAdvanceCycles bounds the cycle ${cycle.join(" → ")}, and it fails the run.`;
    const hint = "Give one of its edges maxTraversals, to say how often an item may come back.";
    const where = sketch.sockets.get(cycle[0] ?? "")?.at ?? "";
    report({ severity: "warning", code: "guard_only", pointer: where, message, hint });
  }
}
