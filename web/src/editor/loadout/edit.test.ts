import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isLoadout, type Json, readLoadout } from "../../model/baton.ts";
import type { Edit } from "../take.ts";
import { type Draft, draftOf, loopsOf, socketsOf } from "./draft.ts";
import { addEdge, changeEdge, moveEdge, removeEdge } from "./edges.ts";
import { addExit, changeExit, removeExit } from "./exits.ts";
import { breakLoop, createLoop, deleteLoop, setItemSource, setLoopField } from "./loops.ts";
import { addMateria, changeMateria, removeMateria, renameMateria, setSetting } from "./materia.ts";
import { perform } from "./perform.ts";
import {
  addSocket,
  placeSockets,
  removeSocket,
  setEntry,
  setSocketField,
  swapMateria,
  tidy,
} from "./sockets.ts";

const EXAMPLE = readFileSync("examples/graph-semantics-loadout.json", "utf8");
const EMPTY = '{\n  "name": "New",\n  "entry": "Socket-1",\n  "sockets": {}\n}\n';

function draft(text: string): Draft {
  const found = draftOf(text);
  if (found === undefined) throw new Error("no draft");
  return found;
}

/** The text after edits that are all taken. */
function after(text: string, ...edits: ((draft: Draft) => Edit)[]): string {
  return edits.reduce((before, edit) => {
    const at = draft(before);
    const done = perform(at, edit(at));
    if (!done.ok) throw new Error(done.why);
    return done.text;
  }, text);
}

function refused(text: string, edit: (draft: Draft) => Edit): string {
  const at = draft(text);
  const done = perform(at, edit(at));
  return done.ok ? "" : done.why;
}

/** The part of each text that the other has not. */
function parts(before: string, after: string): readonly [string, string] {
  let from = 0;
  while (from < before.length && before[from] === after[from]) from++;
  let end = 0;
  while (end < before.length - from && before.at(-1 - end) === after.at(-1 - end)) end++;
  return [before.slice(from, before.length - end), after.slice(from, after.length - end)];
}

describe("an exit", () => {
  const LOOP = "workItemIteration";
  const EXIT = "exit:Socket-6:satisfied";

  test("is changed in the exits of its loop, byte for byte nowhere else", () => {
    const changed = after(EXAMPLE, (at) => changeExit(at, LOOP, EXIT, { to: "end" }));
    expect(parts(EXAMPLE, changed)).toEqual(["Socket-7", "end"]);
    expect(changed.indexOf('"targetSocketId": "end"')).toBeGreaterThan(changed.indexOf('"exits"'));
  });

  test("is added and taken away without a socket's edges being touched", () => {
    const added = after(EXAMPLE, (at) => addExit(at, LOOP, { to: "end" }));
    expect(loopsOf(draft(added)).get(LOOP)?.["exits"]).toEqual([
      { id: EXIT, from: "Socket-6", condition: "satisfied", targetSocketId: "Socket-7" },
      { id: "exit:Socket-6:always", from: "Socket-6", condition: "always", targetSocketId: "end" },
    ]);
    expect(after(added, (at) => removeExit(at, LOOP, "exit:Socket-6:always"))).toBe(EXAMPLE);
    expect(draft(added).json["sockets"]).toEqual(draft(EXAMPLE).json["sockets"]);
  });

  test("vanishes with its loop", () => {
    const broken = after(EXAMPLE, (at) => breakLoop(at, LOOP));
    expect(broken).not.toContain("exit");
    expect(Object.hasOwn(draft(broken).json, "loops")).toBe(false);
    expect(Object.hasOwn(socketsOf(draft(broken)).get("Socket-6") ?? {}, "advance")).toBe(false);
  });

  test("cannot start outside of its loop", () => {
    expect(refused(EXAMPLE, (at) => changeExit(at, LOOP, EXIT, { from: "Socket-1" }))).toContain("no member");
  });
});

describe("an edge", () => {
  test("goes before one that is always taken, and has the output read as JSON when it asks for an outcome (1, 2)", () => {
    const text = after(EXAMPLE, (at) => addEdge(at, { from: "Socket-4", to: "end" }));
    const { edges, parse } = socketsOf(draft(text)).get("Socket-4") ?? {};
    expect(parse).toBe("json");
    expect(edges).toEqual([
      { when: "satisfied", to: "end" },
      { when: "always", to: "Socket-5" },
    ]);
  });

  test("is changed, moved and taken away, and each touches that edge alone", () => {
    const changed = after(EXAMPLE, (at) => changeEdge(at, "Socket-5", 1, { maxTraversals: 5 }));
    expect(parts(EXAMPLE, changed)).toEqual(["3", "5"]);
    const bare = after(EXAMPLE, (at) => changeEdge(at, "Socket-5", 1, { maxTraversals: null }));
    expect(bare).toBe(
      EXAMPLE.replace('"to": "Socket-4", "maxTraversals": 3 }\n      ]', '"to": "Socket-4" }\n      ]'),
    );
    const moved = after(EXAMPLE, (at) => moveEdge(at, "Socket-5", 1, 0));
    expect(after(moved, (at) => moveEdge(at, "Socket-5", 0, 1))).toBe(EXAMPLE);
    const added = after(EXAMPLE, (at) => addEdge(at, { from: "Socket-7", to: "end" }));
    expect(after(added, (at) => removeEdge(at, "Socket-7", 0))).toBe(EXAMPLE);
  });

  test("is refused with a sentence where it makes no sense", () => {
    expect(refused(EXAMPLE, (at) => addEdge(at, { from: "Socket-1", to: "Socket-9" }))).toContain("Socket-9");
    expect(refused(EXAMPLE, (at) => addEdge(at, { from: "Nobody", to: "end" }))).toBe(
      "There is no socket Nobody.",
    );
    expect(refused(EXAMPLE, (at) => addEdge(at, { from: "Socket-1", to: "end", when: "always" }))).toContain(
      "always",
    );
  });
});

describe("a socket", () => {
  test("is the entry when it is the first one", () => {
    const text = after(
      EMPTY,
      (at) => addSocket(at, "Build"),
      (at) => addSocket(at, "Narrate", { x: 1.6, y: 2 }),
    );
    expect(draft(text).json).toEqual({
      name: "New",
      entry: "Socket-1",
      sockets: { "Socket-1": { materia: "Build" }, "Socket-2": { materia: "Narrate" } },
      layout: { "Socket-2": { x: 2, y: 2 } },
    });
    expect(after(text, tidy)).not.toContain("layout");
  });

  test("takes everything with it that names it", () => {
    const text = after(EXAMPLE, (at) => removeSocket(at, "Socket-7"));
    expect(text).not.toContain("Socket-7");
    expect(readLoadout(JSON.parse(text)).ok).toBe(true);
  });

  test("stays when it is the entry or when a loop would lead nowhere without it", () => {
    expect(refused(EXAMPLE, (at) => removeSocket(at, "Socket-1"))).toContain("begins at Socket-1");
    expect(refused(EXAMPLE, (at) => removeSocket(at, "Socket-4"))).toContain("No edges lead around");
    const second = after(
      EXAMPLE,
      (at) => setEntry(at, "Socket-2"),
      (at) => removeSocket(at, "Socket-1"),
    );
    expect(second).not.toContain('"Socket-1"');
    const one = after(EMPTY, (at) => addSocket(at, "Build"));
    expect(draft(after(one, (at) => removeSocket(at, "Socket-1"))).json).toEqual(draft(EMPTY).json);
  });

  test("holds another materia after a swap, and keeps the rest", () => {
    expect(
      parts(
        EXAMPLE,
        after(EXAMPLE, (at) => swapMateria(at, "Socket-7", "Build")),
      ),
    ).toEqual(["Narrate", "Build"]);
    expect(refused(EXAMPLE, (at) => swapMateria(at, "Socket-7", "Nothing"))).toBe(
      "There is no materia Nothing.",
    );
    expect(refused(EXAMPLE, (at) => swapMateria(at, "Socket-3", "Build"))).toContain("no generator");
  });
});

describe("a loop", () => {
  test("needs a way round and sockets of its own", () => {
    expect(refused(EXAMPLE, (at) => createLoop(at, ["Socket-1", "Socket-2"]))).toContain(
      "No edges lead around",
    );
    expect(refused(EXAMPLE, (at) => createLoop(at, ["Socket-4"]))).toContain("Break that loop first");
  });

  test("works on what the generator gives that leads into it", () => {
    const without = after(EXAMPLE, (at) => breakLoop(at, "workItemIteration"));
    const text = after(without, (at) => createLoop(at, ["Socket-6", "Socket-4", "Socket-5"]));
    expect(loopsOf(draft(text)).get("workItemIteration")).toEqual({
      sockets: ["Socket-4", "Socket-5", "Socket-6"],
      consumes: { from: "Socket-3", output: "workItems" },
      exits: [],
    });
    expect(after(text, (at) => setLoopField(at, "workItemIteration", "parallel", undefined))).toBe(text);
  });
});

describe("the items of a loop", () => {
  const LOOP = "workItemIteration";
  const listed = after(EXAMPLE, (at) => setItemSource(at, LOOP, { kind: "list" }));

  test("come from one place: a list takes the generator's, and the other way round", () => {
    const loop = loopsOf(draft(listed)).get(LOOP) ?? {};
    expect(loop["iterator"]).toEqual({ items: "state.items", as: "item", cursor: "itemIndex" });
    expect(Object.hasOwn(loop, "consumes")).toBe(false);
    const back = after(listed, (at) => setItemSource(at, LOOP, { kind: "generator", from: "Socket-3" }));
    expect(draft(back).json["loops"]).toEqual(draft(EXAMPLE).json["loops"]);
    const unnamed = after(listed, (at) => setItemSource(at, LOOP, { kind: "unnamed" }));
    expect(Object.keys(loopsOf(draft(unnamed)).get(LOOP) ?? {})).toEqual(["sockets", "exits"]);
  });

  test("keep what is not said anew: another generator leaves the name of the list", () => {
    const named = EXAMPLE.replace('"output": "workItems"', '"output":   "workItems"');
    expect(named).not.toBe(EXAMPLE);
    const same = after(named, (at) => setItemSource(at, LOOP, { kind: "generator", from: "Socket-3" }));
    expect(same).toBe(named);
  });

  test("are refused where they are no list", () => {
    const path = ["loops", LOOP, "iterator", "items"];
    expect(refused(listed, () => [{ type: "set", path, value: "files" }])).toContain("does not say where");
    expect(refused(listed, () => [{ type: "set", path, value: "" }])).not.toBe("");
  });
});

describe("a loop with its sockets", () => {
  test("is deleted with everything that names them, and nothing else", () => {
    const text = after(EXAMPLE, (at) => deleteLoop(at, "workItemIteration"));
    const { sockets, loops } = draft(text).json as Record<string, Record<string, Json>>;
    expect(loops).toBeUndefined();
    expect(Object.keys(sockets ?? {})).toEqual(["Socket-1", "Socket-2", "Socket-3", "Socket-7"]);
    for (const id of ["Socket-4", "Socket-5", "Socket-6"]) expect(text).not.toContain(`"${id}"`);
    expect(text.slice(text.indexOf('"materia": {'))).toBe(EXAMPLE.slice(EXAMPLE.indexOf('"materia": {')));
  });

  test("stays when the run begins in it", () => {
    const inside = after(EXAMPLE, (at) => setEntry(at, "Socket-4"));
    expect(refused(inside, (at) => deleteLoop(at, "workItemIteration"))).toContain("begins at Socket-4");
  });
});

describe("a text with faults", () => {
  const faulty =
    '{ "entry": "Socket-1", "sockets": { "Socket-1": { "materia": "Build", "edges": [7, { "when": "always", "to": "end" }] } } }';

  test("is mended at the place that was meant, whatever stands before it", () => {
    const at = draft(faulty);
    expect(removeEdge(at, "Socket-1", 1)).toEqual([
      { type: "remove", path: ["sockets", "Socket-1", "edges", 1] },
    ]);
    const mended = after(faulty, (now) => removeEdge(now, "Socket-1", 0));
    expect(readLoadout(JSON.parse(mended) as Json).ok).toBe(true);
  });
});

describe("a materia", () => {
  test("is added, changed, renamed with its holders, and taken away when nobody holds it", () => {
    const added = after(EXAMPLE, (at) => addMateria(at, "Extra", { prompt: "Look.", tools: "none" }));
    expect(after(added, (at) => removeMateria(at, "Extra"))).toBe(EXAMPLE);
    const renamed = after(EXAMPLE, (at) => renameMateria(at, "Narrate", "Report"));
    expect(renamed).toBe(EXAMPLE.replaceAll('"Narrate"', '"Report"'));
    expect(refused(EXAMPLE, (at) => removeMateria(at, "Narrate"))).toContain("Socket-7 holds Narrate");
    expect(refused(EXAMPLE, (at) => changeMateria(at, "Narrate", { prompt: undefined }))).not.toBe("");
  });

  test("of another file is copied before it changes", () => {
    const text = after(
      EMPTY,
      (at) => addSocket(at, "Build"),
      (at) => changeMateria(at, "Build", { model: "small" }),
    );
    const { Build } = draft(text).json["materia"] as Record<string, Record<string, Json>>;
    expect(Build).toMatchObject({ model: "small", tools: "coding", group: "Work" });
  });
});

describe("settings and places", () => {
  test("come and go without a trace", () => {
    const set = after(EXAMPLE, (at) => setSetting(at, ["budget", "maxTokens"], 5));
    expect(draft(set).json["budget"]).toEqual({ maxTokens: 5 });
    expect(after(set, (at) => setSetting(at, ["budget", "maxTokens"], undefined))).toBe(EXAMPLE);
    const placed = after(EXAMPLE, (at) => placeSockets(at, new Map([["Socket-1", { x: 1, y: 2 }]])));
    expect(after(placed, tidy)).toBe(EXAMPLE);
    const parsed = after(EXAMPLE, (at) => setSocketField(at, "Socket-7", "parse", "text"));
    expect(after(parsed, (at) => setSocketField(at, "Socket-7", "parse", undefined))).toBe(EXAMPLE);
  });

  test("of a config stand in the loadout that is edited", () => {
    const config =
      '{\n  "activeLoadout": "A",\n  "loadouts": {\n    "A": { "entry": "Socket-1", "sockets": {} }\n  }\n}\n';
    const text = after(
      config,
      (at) => addSocket(at, "Build"),
      (at) => setSetting(at, ["limits", "maxSteps"], 9),
    );
    expect(draft(text).json["loadouts"]).toEqual({
      A: { entry: "Socket-1", sockets: { "Socket-1": { materia: "Build" } }, limits: { maxSteps: 9 } },
    });
  });
});

describe("whatever is done", () => {
  const ids = fc.constantFrom("Socket-1", "Socket-3", "Socket-4", "Socket-5", "Socket-6", "Socket-7", "end");
  const loop = "workItemIteration";
  const when = fc.constantFrom("always" as const, "satisfied" as const, "not_satisfied" as const);
  const edits = fc.oneof(
    fc.tuple(ids, ids).map(
      ([from, to]) =>
        (at: Draft) =>
          addEdge(at, { from, to }),
    ),
    fc.tuple(ids, fc.nat(2), when).map(
      ([id, index, when]) =>
        (at: Draft) =>
          changeEdge(at, id, index, { when }),
    ),
    fc.tuple(ids, fc.nat(2), ids).map(
      ([id, index, to]) =>
        (at: Draft) =>
          changeEdge(at, id, index, { to }),
    ),
    fc.tuple(ids, fc.nat(2)).map(
      ([id, index]) =>
        (at: Draft) =>
          removeEdge(at, id, index),
    ),
    fc.tuple(ids, fc.nat(2), fc.nat(2)).map(
      ([id, from, to]) =>
        (at: Draft) =>
          moveEdge(at, id, from, to),
    ),
    fc.tuple(ids, fc.constantFrom("Build", "Commit-Sigil", "X")).map(
      ([id, to]) =>
        (at: Draft) =>
          swapMateria(at, id, to),
    ),
    ids.map((id) => (at: Draft) => removeSocket(at, id)),
    ids.map((id) => (at: Draft) => setEntry(at, id)),
    fc.constant((at: Draft) => addSocket(at, "Build")),
    fc.constant((at: Draft) => breakLoop(at, loop)),
    fc.subarray(["Socket-4", "Socket-5", "Socket-6"]).map((all) => (at: Draft) => createLoop(at, all, loop)),
    fc.tuple(ids, when).map(
      ([to, condition]) =>
        (at: Draft) =>
          addExit(at, loop, { to, condition }),
    ),
    ids.map((to) => (at: Draft) => changeExit(at, loop, "exit:Socket-6:satisfied", { to })),
  );

  test("a text that reads stays one that reads, or there is a sentence", { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(fc.array(edits, { maxLength: 12 }), (chosen) => {
        let text = EXAMPLE;
        for (const edit of chosen) {
          const at = draft(text);
          const done = perform(at, edit(at));
          if (!done.ok) expect(done.why).toMatch(/[.?]$/);
          else text = done.text;
          const json = JSON.parse(text) as Json;
          expect(isLoadout(json)).toBe(true);
          expect(readLoadout(json).ok || socketsOf(draft(text)).size === 0).toBe(true);
        }
      }),
      { numRuns: 150 },
    );
  });
});
