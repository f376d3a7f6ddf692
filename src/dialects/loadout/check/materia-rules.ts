/** What can be wrong with a materia. */

import { pointer } from "../../../base/issue.ts";
import type { Json } from "../../../base/json.ts";
import { BUNDLED_UTILITIES } from "../bundled.ts";
import type { MateriaType } from "../definition.ts";
import { typeOf } from "../facts.ts";
import { field, type Report, type Sketch, type SketchedMateria } from "./sketch.ts";
import { guess } from "./socket-rules.ts";

/** The fields that count for a type, besides those of all. */
const FIELDS: Readonly<Record<MateriaType, readonly string[]>> = {
  agent: ["prompt", "tools", "agent", "model", "thinking"],
  utility: ["command", "utility", "params", "parse", "timeoutMs", "env"],
  human: ["prompt", "schema"],
  graph: ["loadout"],
};
const ALL: ReadonlySet<string> = new Set(Object.values(FIELDS).flat());

/** Runs every rule on every materia that the file defines, and on those of other files that it uses. */
export function checkMateria(sketch: Sketch, report: Report): void {
  for (const materia of sketch.materia.values()) {
    if (materia.at === undefined) {
      checkBorrowed(materia, sketch, report);
      continue;
    }
    const placed = { ...materia, at: materia.at };
    if (materia.fields.has("type") && materia.type === undefined) continue; // the shape tells of the type
    RULES[typeOf(materia)](placed, sketch, report);
    ignoredFields(placed, report);
  }
}

/** What is wrong with a materia of another file is told where this one uses it. */
function checkBorrowed(materia: SketchedMateria, sketch: Sketch, report: Report): void {
  const user = [...sketch.sockets.values()].find(({ materiaId }) => materiaId === materia.id);
  if (user === undefined) return;
  const at = user.at + pointer("materia");
  RULES[typeOf(materia)]({ ...materia, at }, sketch, (issue) => {
    report({ ...issue, pointer: at, message: `${issue.message} Another file defines it.` });
  });
}

type Placed = SketchedMateria & { readonly at: string };
type MateriaRule = (materia: Placed, sketch: Sketch, report: Report) => void;

const RULES: Readonly<Record<MateriaType, MateriaRule>> = {
  agent({ id, at, fields }, _sketch, report) {
    if (!fields.has("prompt")) {
      const hint = "Add a prompt that says what its role is.";
      const message = `Agent ${id} has no prompt.`;
      report({ code: "agent_without_prompt", pointer: at + pointer("prompt"), message, hint });
    }
    if (fields.has("tools")) return;
    const hint =
      'Say what it may use: "none", "readOnly", "coding" or { "type": "custom", "tools": ["read"] }.';
    const message = `Agent ${id} does not say which tools it has.`;
    report({ code: "agent_without_tools", pointer: at + pointer("tools"), message, hint });
  },

  utility({ id, at, fields, utility }, _sketch, report) {
    const forms = ["command", "utility"].filter((form) => fields.has(form));
    if (fields.has("prompt")) {
      const hint = "Leave the prompt out, or make it an agent.";
      const message = `Utility ${id} has a prompt, and a program reads none.`;
      report({ code: "utility_with_prompt", pointer: at + pointer("prompt"), message, hint });
    }
    if (forms.length === 0) {
      const hint = 'Give it "command": ["program", "argument"], or "utility" with the name of a bundled one.';
      report({
        code: "utility_without_form",
        pointer: at,
        message: `Utility ${id} does not say what to run.`,
        hint,
      });
    }
    if (forms.length > 1) {
      const message = `Utility ${id} has a command and a bundled utility.`;
      report({ code: "utility_many_forms", pointer: at, message, hint: "Keep one of them." });
    }
    if (utility === undefined || BUNDLED_UTILITIES.includes(utility)) return;
    const message = `There is no bundled utility ${utility}.`;
    const hint = guess(utility, BUNDLED_UTILITIES);
    report({ code: "unknown_utility", pointer: at + pointer("utility"), message, hint });
  },

  human() {},

  graph({ id, at, loadout }, sketch, report) {
    if (loadout === undefined) {
      const hint = 'Name the loadout that it runs under "loadout".';
      const message = `Graph ${id} does not say which loadout it runs.`;
      report({ code: "graph_without_loadout", pointer: at + pointer("loadout"), message, hint });
    } else if (field(sketch.loadouts, loadout) === undefined) {
      const message = `Graph ${id} runs ${loadout}, and there is no such loadout.`;
      const hint = guess(loadout, Object.keys(sketch.loadouts));
      report({ code: "unknown_loadout", pointer: at + pointer("loadout"), message, hint });
    } else if (isHeld(id, sketch) && reachesItself(sketch, loadout)) {
      const message = `Graph ${id} runs ${loadout}, which comes back to itself.`;
      const hint = "A loadout cannot run inside itself; put what they share into a third one.";
      report({ code: "recursive_graph", pointer: at + pointer("loadout"), message, hint });
    }
  },
};

/** Only where a socket holds it does a graph run: other loadouts may share the materia. */
function isHeld(id: string, { sockets }: Sketch): boolean {
  return [...sockets.values()].some(({ materiaId }) => materiaId === id);
}

/** Says whether a loadout runs itself, or the one that is checked, through graph materia. */
function reachesItself(sketch: Sketch, start: string): boolean {
  const next = (name: string): string[] => {
    const loadout = field(sketch.loadouts, name);
    const sockets = Object.values((field(loadout, "sockets") ?? {}) as Record<string, Json>);
    return sockets.flatMap((socket) => {
      const held = field(socket, "materia");
      const own = typeof held === "string" ? field(field(loadout, "materia"), held) : undefined;
      const inner = field(own, "loadout") ?? sketch.materia.get(String(held))?.loadout;
      return typeof inner === "string" ? [inner] : [];
    });
  };
  const seen = new Set<string>();
  const open = [start];
  for (const name of open) {
    for (const inner of next(name)) {
      if (inner === start || inner === sketch.name) return true;
      if (!seen.has(inner)) open.push(inner);
      seen.add(inner);
    }
  }
  return start === sketch.name;
}

function ignoredFields(materia: Placed, report: Report): void {
  const type = typeOf(materia);
  for (const name of materia.fields) {
    if (!ALL.has(name) || FIELDS[type].includes(name) || (type === "utility" && name === "prompt")) continue;
    const message = `${name} means nothing for ${materia.id}, whose type is ${type}.`;
    const where = materia.at + pointer(name);
    report({ severity: "warning", code: "ignored_field", pointer: where, message, hint: "Leave it out." });
  }
}
