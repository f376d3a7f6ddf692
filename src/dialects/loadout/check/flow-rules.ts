/** What can be wrong with the ways of a loadout as a whole: where it begins, what it never reaches, what goes round. */

import { pointer } from "../../../base/issue.ts";
import { END } from "../definition.ts";
import { prove } from "../prove/prove.ts";
import { checkDead } from "./dead-rules.ts";
import type { Report, Sketch } from "./sketch.ts";
import { guess } from "./socket-rules.ts";
import { outcomesOf, ways } from "./ways.ts";

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

function checkOutcomes({ sockets }: Sketch, report: Report): void {
  for (const socket of sockets.values()) {
    const { id, at, edges } = socket;
    const isGuarded = edges.some(({ when }) => when === "satisfied" || when === "not_satisfied");
    if (!isGuarded || edges.some(({ when }) => when === "always" || when === undefined)) continue;
    for (const said of outcomesOf(socket)) {
      const wanted = said ? "satisfied" : "not_satisfied";
      if (edges.some(({ when }) => when === wanted)) continue;
      const message = `When ${id} says satisfied: ${said}, none of its edges matches and the run ends there.`;
      const hint = `Add an edge for ${wanted}, to end if that is what you want.`;
      report({
        severity: "warning",
        code: "uncovered_outcome",
        pointer: at + pointer("edges"),
        message,
        hint,
      });
    }
  }
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
