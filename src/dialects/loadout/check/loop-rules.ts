/** What can be wrong with a loop and its exits. */

import { pointer } from "../../../base/issue.ts";
import { END, WORK_ITEMS } from "../definition.ts";
import { isGenerator } from "../facts.ts";
import { parseTarget } from "../path.ts";
import type { Report, Sketch, SketchedLoop } from "./sketch.ts";
import { guess, isStatePath } from "./socket-rules.ts";
import { cycleWithin, ways } from "./ways.ts";

type LoopRule = (loop: SketchedLoop, sketch: Sketch, report: Report) => void;

/** Runs every rule on every loop. */
export function checkLoops(sketch: Sketch, report: Report): void {
  for (const loop of sketch.loops) for (const rule of Object.values(RULES)) rule(loop, sketch, report);
  checkOverlap(sketch, report);
  checkLoners(sketch, report);
}

const RULES: Readonly<Record<string, LoopRule>> = {
  members({ id, at, sockets }, sketch, report) {
    if (sockets.length === 0) {
      const message = `Loop ${id} has no sockets.`;
      report({
        code: "empty_loop",
        pointer: at + pointer("sockets"),
        message,
        hint: "List the ids of its members.",
      });
    }
    for (const member of sockets) {
      if (sketch.sockets.has(member.id)) continue;
      const message = `Loop ${id} lists ${member.id}, which is no socket.`;
      report({
        code: "unknown_socket",
        pointer: member.at,
        message,
        hint: guess(member.id, sketch.sockets.keys()),
      });
    }
  },

  cycle({ id, at, sockets, isParallel }, sketch, report) {
    if (isParallel) return; // a lane is over with its item and leads to no other
    const known = sockets.filter((member) => sketch.sockets.has(member.id));
    if (known.length === 0 || cycleWithin(sketch, new Set(known.map((member) => member.id)))) return;
    const message = `No edges lead around among the members of loop ${id}, so it can do one item only.`;
    const hint = "Add an edge from the last member back to the first.";
    report({ code: "loop_without_cycle", pointer: at + pointer("sockets"), message, hint });
  },

  consumes({ id, at, consumes: source }, sketch, report) {
    const from = source?.from;
    if (from === undefined || from === "") return;
    const where = at + pointer("consumes", "from");
    const socket = sketch.sockets.get(from);
    if (socket === undefined) {
      const message = `Loop ${id} consumes from ${from}, which is no socket.`;
      report({ code: "unknown_socket", pointer: where, message, hint: guess(from, sketch.sockets.keys()) });
    } else if (socket.materia !== undefined && !isGenerator(socket.materia)) {
      const message = `Loop ${id} consumes from ${from}, and its materia ${socket.materiaId} is no generator.`;
      const hint = 'Name the socket of a generator, or set "generator": true on the materia.';
      report({ code: "consumes_not_generator", pointer: where, message, hint });
    }
    const output = source?.output ?? WORK_ITEMS;
    const given = socket?.assign.some(([target]) => parseTarget(target)?.join(".") === output) ?? true;
    if (output === WORK_ITEMS || given) return;
    const message = `Loop ${id} consumes ${output}, which ${from} does not give.`;
    const hint = `Leave it out: a generator gives ${WORK_ITEMS}.`;
    report({ code: "consumes_unknown_output", pointer: at + pointer("consumes", "output"), message, hint });
  },

  generators({ id, at, sockets }, sketch, report) {
    const members = new Set(sockets.map((member) => member.id));
    const entering = generatorsInto(sketch, members);
    if (entering.length < 2) return;
    const message = `Loop ${id} is entered by more than one generator: ${entering.join(", ")}.`;
    const hint = "Let one generator follow the other, or give each a loop of its own.";
    report({ code: "loop_two_generators", pointer: at, message, hint });
  },

  exits({ id, sockets, exits }, sketch, report) {
    const members = new Set(sockets.map((member) => member.id));
    const ids = new Set<string>();
    const pairs = new Set<string>();
    for (const exit of exits) {
      const pair = `${exit.condition} ${exit.from}`;
      if (exit.id !== undefined && ids.has(exit.id)) {
        const message = `Loop ${id} has two exits called ${exit.id}.`;
        const hint = "Give every exit an id of its own.";
        report({ code: "duplicate_exit_id", pointer: exit.at + pointer("id"), message, hint });
      }
      if (exit.from !== undefined && exit.condition !== undefined && pairs.has(pair)) {
        const message = `Loop ${id} has two exits from ${exit.from} for ${exit.condition}.`;
        report({ code: "duplicate_exit", pointer: exit.at, message, hint: "Keep one of them." });
      }
      if (exit.from !== undefined && exit.from !== "" && !members.has(exit.from)) {
        const message = `The exit starts at ${exit.from}, which is no member of loop ${id}.`;
        const hint = guess(exit.from, members);
        report({ code: "exit_not_member", pointer: exit.at + pointer("from"), message, hint });
      }
      const { target } = exit;
      if (target !== undefined && target !== "" && target !== END && !sketch.sockets.has(target)) {
        const message = `The exit leads to ${target}, which is no socket.`;
        const hint = guess(target, [...sketch.sockets.keys(), END]);
        report({ code: "unknown_target", pointer: exit.at + pointer("targetSocketId"), message, hint });
      }
      ids.add(exit.id ?? "");
      pairs.add(pair);
    }
  },

  items({ id, at, iterates, consumes }, _sketch, report) {
    if (iterates === undefined) return;
    const where = at + pointer("iterator", "items");
    if (!isStatePath(iterates)) {
      const message = `${JSON.stringify(iterates)} does not say where the items of loop ${id} are.`;
      report({
        code: "bad_path",
        pointer: where,
        message,
        hint: "Name a list in the state, such as state.files.",
      });
    }
    if (consumes === undefined) return;
    const message = `Loop ${id} has an iterator, so what it consumes is not looked at.`;
    const hint = "Keep consumes for a generator's items, or iterator for any other list.";
    report({ severity: "warning", code: "ignored_field", pointer: at + pointer("consumes"), message, hint });
  },

  advances({ id, at, sockets }, sketch, report) {
    const known = sockets.filter((member) => sketch.sockets.has(member.id));
    if (known.length === 0 || known.some((member) => sketch.sockets.get(member.id)?.advance !== undefined))
      return;
    const message = `Loop ${id} never advances: none of its members has advance, so it stays on its first item.`;
    const hint = 'Give its last member "advance": { "cursor": "…", "items": "state.workItems" }.';
    report({ severity: "warning", code: "loop_never_advances", pointer: at, message, hint });
  },
};

/** The generators outside of a loop from which a way leads into it that passes no other generator. */
function generatorsInto(sketch: Sketch, members: ReadonlySet<string>): string[] {
  const leaving = ways(sketch);
  const sources = [...sketch.sockets.values()].filter(
    ({ id, materia }) => isGenerator(materia) && !members.has(id),
  );
  return sources
    .filter(({ id }) => {
      const reached = new Set<string>([id]);
      for (const here of reached) {
        if (here !== id && isGenerator(sketch.sockets.get(here)?.materia)) continue;
        for (const { to } of leaving.get(here) ?? []) {
          if (members.has(to)) return true;
          reached.add(to);
        }
      }
      return false;
    })
    .map(({ id }) => id);
}

function checkOverlap({ loops }: Sketch, report: Report): void {
  const owner = new Map<string, string>();
  for (const { id, sockets } of loops) {
    for (const member of sockets) {
      const other = owner.get(member.id);
      if (other !== undefined && other !== id) {
        const message = `${member.id} is a member of loop ${other} and of loop ${id}.`;
        const hint = "A socket works on the items of one loop; give each loop sockets of its own.";
        report({ code: "overlapping_loops", pointer: member.at, message, hint });
      }
      owner.set(member.id, id);
    }
  }
}

function checkLoners({ sockets, loops }: Sketch, report: Report): void {
  const members = new Set(loops.flatMap((loop) => loop.sockets.map(({ id }) => id)));
  for (const { id, at, advance } of sockets.values()) {
    if (advance === undefined || members.has(id)) continue;
    const message = `${id} advances and is in no loop, so the sockets around it are taken for one.`;
    const hint = "Declare the loop under loops, with its sockets and exits.";
    report({
      severity: "warning",
      code: "advance_outside_loop",
      pointer: at + pointer("advance"),
      message,
      hint,
    });
  }
}
