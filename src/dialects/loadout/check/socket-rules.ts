/** What can be wrong with a socket and its edges. */

import { pointer } from "../../../base/issue.ts";
import { closest } from "../../../base/names.ts";
import { END, WORK_ITEMS } from "../definition.ts";
import { isGenerator, isGuard, parseOf } from "../facts.ts";
import { parseSource, parseTarget } from "../path.ts";
import type { Report, Sketch, SketchedSocket } from "./sketch.ts";

type SocketRule = (socket: SketchedSocket, sketch: Sketch, report: Report) => void;

/** Runs every rule on every socket. */
export function checkSockets(sketch: Sketch, report: Report): void {
  for (const socket of sketch.sockets.values())
    for (const rule of Object.values(RULES)) rule(socket, sketch, report);
}

const CANONICAL_ID = /^Socket-[1-9]\d*$/;

/** Names that mean something else wherever they stand. */
const RESERVED: ReadonlySet<string> = new Set([END, "", "__proto__"]);

const RULES: Readonly<Record<string, SocketRule>> = {
  id({ id, at }, _sketch, report) {
    if (RESERVED.has(id)) {
      const hint = "Give the socket an id such as Socket-1.";
      report({
        code: "reserved_id",
        pointer: at,
        message: `${JSON.stringify(id)} cannot name a socket.`,
        hint,
      });
    } else if (!CANONICAL_ID.test(id)) {
      const message = `${id} works, but sockets are usually called Socket-1, Socket-2 and so on.`;
      const hint = "Keep names for the materia and number the sockets.";
      report({ severity: "warning", code: "unusual_id", pointer: at, message, hint });
    }
  },

  materia({ id, at, materiaId, materia }, sketch, report) {
    if (materiaId === undefined || materiaId === "" || materia !== undefined) return;
    const message = `${id} holds ${materiaId}, and there is no such materia.`;
    const hint = guess(materiaId, sketch.materia.keys());
    report({ code: "unknown_materia", pointer: at + pointer("materia"), message, hint });
  },

  targets({ id, edges }, sketch, report) {
    for (const { at, to } of edges) {
      if (to === undefined || to === "" || to === END || sketch.sockets.has(to)) continue;
      const message = `${id} leads to ${to}, which is no socket.`;
      const hint = guess(to, [...sketch.sockets.keys(), END]);
      report({ code: "unknown_target", pointer: at + pointer("to"), message, hint });
    }
  },

  order({ id, edges }, _sketch, report) {
    const always = edges.findIndex(({ when }) => when === "always");
    if (always === -1) return;
    for (const { at } of edges.slice(always + 1)) {
      const message = `No run can take this edge: edge ${always} of ${id} always matches before it.`;
      const hint = "Put edges with a condition first, and keep one that always matches for the end.";
      report({ code: "edge_after_always", pointer: at, message, hint });
    }
  },

  json(socket, _sketch, report) {
    const { id, at, edges, advance, assign, materia } = socket;
    if (materia === undefined || parseOf(socket, materia) === "json") return;
    const hint = 'Set "parse": "json" on the socket, and let its materia answer with JSON.';
    const tell = (where: string, what: string) => {
      const message = `${id} reads its output as text, so ${what}.`;
      report({ code: "needs_json", pointer: where, message, hint });
    };
    for (const edge of edges) {
      if (isGuard(edge.when)) tell(edge.at + pointer("when"), `${edge.when} can never match`);
    }
    if (isGuard(advance?.when)) tell(at + pointer("advance", "when"), `it never says ${advance?.when}`);
    for (const [target, source] of assign) {
      const isOutput = source === "$" || source.startsWith("$.");
      if (isOutput) tell(at + pointer("assign", target), `there is no ${source} to assign`);
    }
  },

  generator({ id, at, parse, assign, materia }, _sketch, report) {
    if (!isGenerator(materia)) return;
    if (parse === "text") {
      const message = `${id} holds a generator, which answers with JSON, and reads it as text.`;
      const hint = 'Set "parse": "json", or leave it out.';
      report({ code: "generator_parses_text", pointer: at + pointer("parse"), message, hint });
    }
    const own = assign.find(([target]) => parseTarget(target)?.join(".") === WORK_ITEMS);
    if (own === undefined || own[1] === `$.${WORK_ITEMS}`) return;
    const message = `${id} holds a generator and assigns ${WORK_ITEMS} from ${own[1]}.`;
    const hint = `Leave it out: a generator assigns ${WORK_ITEMS} from $.${WORK_ITEMS}.`;
    report({ code: "generator_assign", pointer: at + pointer("assign", own[0]), message, hint });
  },

  paths({ at, assign, advance }, _sketch, report) {
    for (const [target, source] of assign) {
      const where = at + pointer("assign", target);
      if (parseTarget(target) === undefined) {
        const hint = "Name a place in the state, such as review.verdict.";
        report({
          code: "bad_path",
          pointer: where,
          message: `${JSON.stringify(target)} is no target.`,
          hint,
        });
      }
      if (parseSource(source) === undefined) {
        const hint = "Use $.path for the output of the socket, or state.path for the state.";
        report({
          code: "bad_path",
          pointer: where,
          message: `${JSON.stringify(source)} is no source.`,
          hint,
        });
      }
    }
    const items = advance?.items;
    if (items === undefined || items === "" || isStatePath(items)) return;
    const hint = "Name a list in the state, such as state.workItems.";
    const message = `${JSON.stringify(items)} does not say where the items are.`;
    report({ code: "bad_path", pointer: at + pointer("advance", "items"), message, hint });
  },

  outputLimit({ id, at, hasOutputLimit, materia }, _sketch, report) {
    if (!hasOutputLimit || materia === undefined || materia.type === "utility") return;
    const message = `limits.maxOutputBytes holds for utilities; ${id} holds none.`;
    const where = at + pointer("limits", "maxOutputBytes");
    report({ severity: "warning", code: "ignored_field", pointer: where, message, hint: "Leave it out." });
  },
};

/** Says whether a path leads to a place in the state. */
export function isStatePath(text: string): boolean {
  const path = parseSource(text);
  return path?.root === "state" && path.keys.length > 0;
}

/** A hint that names what was most likely meant. */
export function guess(name: string, known: Iterable<string>): string {
  const names = [...known];
  const meant = closest(name, names);
  if (meant !== undefined) return `Did you mean ${meant}?`;
  return names.length === 0 ? "There is none yet." : `Known: ${names.slice(0, 20).join(", ")}.`;
}
