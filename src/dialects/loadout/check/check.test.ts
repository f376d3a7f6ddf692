/** The check (§2): every fault by its code and pointer, all at once, and never a crash. */
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../../base/json.ts";
import { random } from "../../../base/random.ts";
import { BUNDLED } from "../bundled.ts";
import { readLoadout } from "../read.ts";
import { checkLoadout } from "./check.ts";

const agent = { prompt: "Work.", tools: "none" };

const fine = {
  entry: "Socket-1",
  sockets: {
    "Socket-1": { materia: "Gen", edges: [{ when: "always", to: "Socket-2" }] },
    "Socket-2": {
      materia: "Do",
      parse: "json",
      advance: { cursor: "c", items: "state.workItems", when: "satisfied" },
      edges: [
        { when: "satisfied", to: "Socket-2" },
        { when: "not_satisfied", to: "Socket-2", maxTraversals: 2 },
      ],
    },
    "Socket-3": { materia: "Do" },
  },
  loops: {
    items: {
      sockets: ["Socket-2"],
      consumes: { from: "Socket-1", output: "workItems" },
      exits: [{ id: "x", from: "Socket-2", condition: "satisfied", targetSocketId: "Socket-3" }],
    },
  },
  materia: { Gen: { ...agent, generator: true }, Do: agent },
};

/** The loadout with a value put at a JSON pointer; `undefined` removes what stands there. */
function put(pointer: string, value: Json | undefined, loadout: Json = fine): Json {
  const copy = structuredClone(loadout) as Record<string, Json>;
  const keys = pointer.slice(1).split("/");
  const last = keys.pop() as string;
  let here = copy;
  for (const key of keys) {
    here[key] ??= {};
    here = here[key] as Record<string, Json>;
  }
  if (value === undefined) delete here[last];
  else here[last] = value;
  return copy;
}

function found(json: Json): string[] {
  const { errors, warnings } = checkLoadout(json);
  return [...errors, ...warnings].map(({ code, pointer }) => `${code} ${pointer}`);
}

const always = (to: string): Json => ({ when: "always", to });
const S = "/sockets/Socket-2";

/** What each code stands for, as a rule that a file keeps. */
const RULES: Readonly<Record<string, string>> = {
  missing_field: "what a file needs is there: an entry, a materia for each socket, a condition for each edge",
  entry_is_end: "a run begins at a socket, not at end",
  unknown_socket: "entry, members and consumes.from name sockets that are there",
  wrong_type: "a field holds a value of its type",
  unknown_materia: "a socket holds a materia that is there",
  reserved_id: "no socket is called end",
  unknown_target: "edges and exits lead to a socket or to end",
  unknown_condition: "a condition is always, satisfied or not_satisfied",
  edge_after_always: "no edge stands behind an always edge",
  needs_json: "what reads the output of a socket needs one that parses JSON",
  generator_parses_text: "a generator parses JSON",
  generator_assign: "a generator assigns workItems from $.workItems",
  bad_path: "sources and targets are paths",
  bad_number: "numbers are whole and within their bounds",
  empty_loop: "a loop has members",
  loop_without_cycle: "the edges of a loop lead around among its members",
  consumes_not_generator: "a loop consumes what a generator makes",
  consumes_unknown_output: "the list of a generator is workItems",
  overlapping_loops: "a socket is a member of one loop",
  exit_not_member: "an exit leaves from a member",
  agent_without_prompt: "an agent has a prompt",
  agent_without_tools: "an agent says which tools it has",
  unknown_value: "types and tools are of the known ones",
  utility_with_prompt: "a utility has no prompt",
  utility_without_form: "a utility says what to run",
  utility_many_forms: "a utility is a command or a bundled one, and not both",
  unknown_utility: "a bundled utility is one of the bundled ones",
  too_few_items: "a command has a program",
  graph_without_loadout: "a graph names a loadout",
  unknown_loadout: "a graph names a loadout that is there",
  unknown_field: "a field that is not known is told",
  unusual_id: "sockets are called Socket-1, Socket-2 and so on",
  unreachable_socket: "every socket can be come to",
  uncovered_outcome: "guarded edges leave no outcome without a way",
  guard_only: "a cycle that the progress guard alone stops is told",
  unbounded_cycle: "a cycle that nothing bounds is told",
  loop_never_advances: "a loop advances",
  ignored_field: "a field that does not count here is told",
  advance_outside_loop: "what advances stands in a loop",
  shadowed_guard: "every guard can match",
  exit_never_taken: "every exit can be taken",
  unconsumed_generator: "somebody takes what a generator makes",
  dead_end: "from every socket a way leads to the end",
};

/** Rows with the rule that each is about. */
function ruled<R extends readonly [code: string, ...rest: unknown[]]>(rows: readonly R[]): [string, R][] {
  return rows.map((row) => [`${RULES[row[0]]} (${row[0]} at ${row[1]})`, row]);
}

test("§2: a loadout without faults has neither errors nor warnings, and a certificate", () => {
  const { proof, ...checked } = checkLoadout(fine);
  expect(checked).toEqual({
    ...{ ok: true, errors: [], warnings: [] },
    termination: { verdict: "terminates", bound: "2 + 3·items", cycle: null },
  });
  expect(proof?.certificate).toEqual([
    "The cursor of loop items only moves on: Socket-2 advances it once per item.",
    "The not_satisfied edge from Socket-2 to Socket-2 is passed at most 2 times per item.",
  ]);
});

describe("§2 errors", () => {
  const rows: [code: string, at: string, value: Json | undefined, pointer?: string][] = [
    ["missing_field", "/entry", undefined],
    ["entry_is_end", "/entry", "end"],
    ["unknown_socket", "/entry", "Socket-9"],
    ["wrong_type", "/entry", 1],
    ["unknown_materia", "/sockets/Socket-3/materia", "Dp"],
    ["missing_field", "/sockets/Socket-3/materia", undefined],
    ["wrong_type", "/sockets/Socket-3", []],
    ["reserved_id", "/sockets/end", { materia: "Do" }],
    ["unknown_target", "/sockets/Socket-1/edges/0/to", "Socket-x"],
    ["missing_field", "/sockets/Socket-1/edges/0/when", undefined],
    ["unknown_condition", "/sockets/Socket-1/edges/0/when", "satisfed"],
    [
      "edge_after_always",
      "/sockets/Socket-1/edges",
      [always("Socket-2"), always("end")],
      "/sockets/Socket-1/edges/1",
    ],
    [
      "needs_json",
      "/sockets/Socket-3/edges",
      [{ when: "satisfied", to: "end" }, always("end")],
      "/sockets/Socket-3/edges/0/when",
    ],
    ["needs_json", "/sockets/Socket-3/assign", { a: "$.b" }, "/sockets/Socket-3/assign/a"],
    ["generator_parses_text", "/sockets/Socket-1/parse", "text"],
    [
      "generator_assign",
      "/sockets/Socket-1/assign",
      { workItems: "$.items" },
      "/sockets/Socket-1/assign/workItems",
    ],
    ["bad_path", `${S}/assign`, { a: "verdict" }, `${S}/assign/a`],
    ["bad_path", `${S}/assign`, { "a..b": "$.context" }, `${S}/assign/a..b`],
    ["bad_path", `${S}/advance/items`, "workItems"],
    ["bad_number", `${S}/edges/1/maxTraversals`, 0],
    ["bad_number", `${S}/edges/1/maxTraversals`, 1.5],
    ["bad_number", `${S}/edges/1/maxTraversals`, "3"],
    ["bad_number", "/budget", { maxTokens: -1 }, "/budget/maxTokens"],
    ["bad_number", "/budget", { warnAtPercent: 101 }, "/budget/warnAtPercent"],
    ["bad_number", "/limits", { maxRepairs: -1 }, "/limits/maxRepairs"],
    ["empty_loop", "/loops/items/sockets", []],
    ["unknown_socket", "/loops/items/sockets/1", "Socket-8"],
    ["loop_without_cycle", "/loops/items/sockets", ["Socket-3"]],
    ["consumes_not_generator", "/loops/items/consumes/from", "Socket-3"],
    ["unknown_socket", "/loops/items/consumes/from", "Socket-7"],
    ["consumes_unknown_output", "/loops/items/consumes/output", "tasks"],
    ["overlapping_loops", "/loops/more", { sockets: ["Socket-2"] }, "/loops/more/sockets/0"],
    ["exit_not_member", "/loops/items/exits/0/from", "Socket-1"],
    ["unknown_target", "/loops/items/exits/0/targetSocketId", "Socket-0"],
    ["unknown_condition", "/loops/items/exits/0/condition", "done"],
    ["agent_without_prompt", "/materia/Do/prompt", undefined],
    ["agent_without_tools", "/materia/Do/tools", undefined],
    ["unknown_value", "/materia/Do/tools", "everything"],
    ["unknown_value", "/materia/Do/type", "robot"],
    [
      "utility_with_prompt",
      "/materia/U",
      { type: "utility", command: ["x"], prompt: "p" },
      "/materia/U/prompt",
    ],
    ["utility_without_form", "/materia/U", { type: "utility" }],
    ["utility_many_forms", "/materia/U", { type: "utility", command: ["x"], utility: "Detect-VCS" }],
    ["unknown_utility", "/materia/U", { type: "utility", utility: "Detect-VSC" }, "/materia/U/utility"],
    ["too_few_items", "/materia/U", { type: "utility", command: [] }, "/materia/U/command"],
    ["graph_without_loadout", "/materia/U", { type: "graph" }, "/materia/U/loadout"],
    ["unknown_loadout", "/materia/U", { type: "graph", loadout: "Ful-Auto" }, "/materia/U/loadout"],
  ];
  test.each(ruled(rows))("%s", (_rule, [code, at, value, pointer = at]) => {
    const json = put(at, value);
    expect(found(json)).toContain(`${code} ${pointer}`);
    expect(checkLoadout(json)).toMatchObject({ ok: false, termination: { verdict: "unknown" } });
  });

  test("advance.when needs a socket that parses JSON", () => {
    expect(found(put(`${S}/parse`, "text"))).toContain(`needs_json ${S}/advance/when`);
  });

  test("no two exits of a loop answer the same, and no two have one id", () => {
    const exit = { id: "x", from: "Socket-2", condition: "satisfied", targetSocketId: "end" };
    const json = put("/loops/items/exits/1", exit, fine);
    expect(found(json)).toEqual(
      expect.arrayContaining([
        "duplicate_exit /loops/items/exits/1",
        "duplicate_exit_id /loops/items/exits/1/id",
      ]),
    );
  });

  test("a loop is entered by one generator only", () => {
    const json = put("/sockets/Socket-3", { materia: "Gen", edges: [always("Socket-2")] });
    expect(found(json)).toContain("loop_two_generators /loops/items");
  });

  test("one generator after the other is fine", () => {
    const piped = put(
      "/sockets/Socket-1/edges/0/to",
      "Socket-4",
      put("/sockets/Socket-4", {
        materia: "Gen",
        edges: [always("Socket-2")],
      }),
    );
    expect(checkLoadout(piped).errors).toEqual([]);
  });

  test("a config that does not say which loadout runs means its own first one, and none that comes with Baton", () => {
    const loadout = (materia: string): Json => ({ entry: "Socket-1", sockets: { "Socket-1": { materia } } });
    const one = readLoadout({ loadouts: { mine: loadout("A") }, materia: { A: agent } });
    expect(one).toMatchObject({ ok: true, warnings: [], definition: { name: "mine" } });
    const two = readLoadout({ loadouts: { b: loadout("A"), a: loadout("A") }, materia: { A: agent } });
    const warnings = [{ code: "no_active_loadout", pointer: "/activeLoadout" }];
    expect(two).toMatchObject({ ok: true, warnings, definition: { name: "b" } });
  });

  test("what the file itself defines is told where it stands, also of a loadout inside", () => {
    const loadout = (materia: string): Json => ({
      entry: "Socket-1",
      sockets: { "Socket-1": { materia } },
    });
    const json = {
      activeLoadout: "Outer",
      loadouts: { Outer: loadout("G"), Inner: loadout("A") },
      materia: { G: { type: "graph", loadout: "Inner" }, A: { tools: "none" } },
    };
    expect(found(json)).toEqual(["agent_without_prompt /materia/A/prompt"]);
    expect(JSON.stringify(checkLoadout(json).errors)).not.toContain("Another file");
  });

  test("swapped letters are a typo like any other", () => {
    const [warning] = checkLoadout(put("/sockets/Socket-3/edgse", [])).warnings;
    expect(warning).toMatchObject({ code: "unknown_field", hint: "Did you mean edges?" });
  });

  test("no loadout runs inside itself", () => {
    const graph = { type: "graph", loadout: "A" };
    const A = { entry: "Socket-1", sockets: { "Socket-1": { materia: "G" } } };
    const json = { activeLoadout: "A", loadouts: { A }, materia: { G: graph } };
    expect(found(json)).toContain("recursive_graph /materia/G/loadout");
  });

  test("loadouts of a config may share a graph that one of them is", () => {
    const inner = { entry: "Socket-1", sockets: { "Socket-1": { materia: "Do" } } };
    const outer = { entry: "Socket-1", sockets: { "Socket-1": { materia: "Sub" } } };
    const materia = { Do: agent, Sub: { type: "graph", loadout: "inner" } };
    expect(found({ activeLoadout: "outer", loadouts: { outer, inner }, materia })).toEqual([]);
  });

  test("a loadout that is broken inside of another one", () => {
    const A = { entry: "Socket-1", sockets: { "Socket-1": { materia: "Nobody" } } };
    const json = put("/materia/U", { type: "graph", loadout: "A" }, put("/loadouts", { A }));
    expect(found(put("/sockets/Socket-3/materia", "U", json))).toContain(
      "unknown_materia /loadouts/A/sockets/Socket-1/materia",
    );
    expect(readLoadout(put("/sockets/Socket-3/materia", "U", json)).ok).toBe(false);
  });

  test("a file that is something else", () => {
    for (const json of [null, [], "x", {}, { nodes: {} }]) expect(found(json)).toEqual(["not_a_loadout "]);
  });

  test("a hint shows how a field is written that has to be an object", () => {
    const hint = (json: Json, at: string) =>
      checkLoadout(json).errors.find(({ pointer }) => pointer === at)?.hint;
    expect(hint(put("/materia/Do/tools", ["read"]), "/materia/Do/tools")).toContain('"type": "custom"');
    expect(hint(put("/loops/items/parallel", true), "/loops/items/parallel")).toContain("maxConcurrency");
  });

  test("of a materia whose type is not known nothing else is said", () => {
    expect(checkLoadout(put("/materia/U", { type: "robot" })).errors).toHaveLength(1);
  });

  test("all of them come at once, each with a sentence and a hint", () => {
    let json = put("/entry", "end");
    json = put("/sockets/Socket-1/edges/0/to", "nowhere", json);
    json = put("/materia/Do/tools", undefined, json);
    json = put(`${S}/edges/1/maxTraversals`, 0, json);
    const { errors } = checkLoadout(json);
    expect(errors.map(({ code }) => code).sort()).toEqual([
      ...["agent_without_tools", "bad_number", "entry_is_end", "unknown_target"],
    ]);
    for (const { message, hint } of errors) expect(`${message} ${hint}`).toMatch(/^.+\. .+[.}]$/);
  });
});

describe("§2 warnings", () => {
  const rows: [code: string, at: string, value: Json | undefined, pointer?: string][] = [
    ["unknown_field", "/sockts", {}],
    ["unknown_field", "/sockets/Socket-1/edge", []],
    ["unusual_id", "/sockets/Report", { materia: "Do" }],
    ["unreachable_socket", "/sockets/Socket-9", { materia: "Do" }],
    ["uncovered_outcome", `${S}/edges`, [{ when: "satisfied", to: "Socket-2" }]],
    ["guard_only", `${S}/edges/1/maxTraversals`, undefined, S],
    ["unbounded_cycle", "/sockets/Socket-3/edges", [always("Socket-3")], "/sockets/Socket-3"],
    ["unbounded_cycle", "/sockets/Socket-3/edges", [always("Socket-1")], "/sockets/Socket-1"],
    ["loop_never_advances", `${S}/advance`, undefined, "/loops/items"],
    ["ignored_field", "/materia/Do/command", ["x"]],
    ["ignored_field", "/materia/Do/schema", {}],
    ["ignored_field", `${S}/limits`, { maxOutputBytes: 1 }, `${S}/limits/maxOutputBytes`],
    [
      "ignored_field",
      "/loops/items/iterator",
      { items: "state.x", as: "x", cursor: "c" },
      "/loops/items/consumes",
    ],
    ["advance_outside_loop", "/loops", undefined, `${S}/advance`],
    ["shadowed_guard", `${S}/edges/2`, { when: "satisfied", to: "end" }],
    ["shadowed_guard", `${S}/edges/2`, { when: "always", to: "end" }],
    ["exit_never_taken", "/loops/items/exits/0/condition", "not_satisfied", "/loops/items/exits/0"],
    [
      "unconsumed_generator",
      "/sockets/Socket-3",
      { materia: "Gen", edges: [{ when: "always", to: "end" }] },
      "/sockets/Socket-3",
    ],
    [
      "dead_end",
      "/sockets/Socket-3/edges",
      [{ when: "always", to: "Socket-3", maxTraversals: 2 }],
      "/sockets/Socket-3",
    ],
  ];
  test.each(ruled(rows))("%s", (_rule, [code, at, value, pointer = at]) => {
    const json = put(at, value);
    expect(found(json)).toContain(`${code} ${pointer}`);
    expect(checkLoadout(json).ok).toBe(true);
  });

  test("an unknown field is told with what was meant", () => {
    expect(checkLoadout(put("/sockets/Socket-1/edge", [])).warnings[0]?.hint).toBe("Did you mean edges?");
  });
});

describe("§2 termination", () => {
  const verdict = (json: Json) => checkLoadout(json).termination;

  test("a cycle outside of loops that nothing bounds is shown", () => {
    expect(verdict(put("/sockets/Socket-3/edges", [always("Socket-3")]))).toEqual({
      ...{ verdict: "may_not_terminate", bound: null, cycle: ["Socket-3", "Socket-3"] },
    });
  });

  test("an exit that leads back to the generator begins the loop again, however often its edges were bounded", () => {
    expect(verdict(put("/loops/items/exits/0/targetSocketId", "Socket-1")).verdict).toBe("may_not_terminate");
  });

  test("maxTraversals on the way back bounds it", () => {
    const back = [{ when: "always", to: "Socket-1", maxTraversals: 2 }];
    expect(verdict(put("/sockets/Socket-3/edges", back)).verdict).toBe("terminates");
  });

  test("a member that writes its own list leaves the end unknown", () => {
    expect(verdict(put(`${S}/assign`, { workItems: "$.workItems" })).verdict).toBe("unknown");
  });
});

describe("files and layers (§1)", () => {
  test("§11: the bundled loadouts have no faults, and can be chosen by name", () => {
    for (const name of Object.keys(BUNDLED.loadouts ?? {})) {
      expect(checkLoadout({ activeLoadout: name })).toMatchObject({ ok: true, warnings: [] });
    }
  });

  test("a higher layer replaces what a lower one has, materia by materia", () => {
    const project = { materia: { Build: { ...agent, prompt: "Build as we do." } } };
    const read = readLoadout({ activeLoadout: "Full-Auto" }, { below: [project] });
    expect(read.ok && read.definition.materia["Build"]?.prompt).toBe("Build as we do.");
    expect(read.ok && Object.keys(read.definition.materia)).not.toContain("Agree-Plan");
  });

  test("what is wrong with the materia of a lower layer is told where it is used", () => {
    const below = [{ materia: { Build: { type: "utility" } } }];
    const { errors } = checkLoadout({ activeLoadout: "Mine", loadouts: { Mine: fine } }, { below });
    expect(errors).toEqual([]);
    const json = put("/materia/Do", undefined, put("/sockets/Socket-3/materia", "Build"));
    expect(checkLoadout(json, { below }).errors).toContainEqual(
      expect.objectContaining({ code: "utility_without_form", pointer: "/sockets/Socket-3/materia" }),
    );
  });

  test("a definition is complete: it can be read again on its own", () => {
    const read = readLoadout({ activeLoadout: "Planning-Consult" });
    if (!read.ok) throw new Error("bundled");
    const again = readLoadout(read.definition as unknown as Json);
    expect(again.ok && again.definition).toEqual(read.definition);
  });

  test("the loadouts of a config are checked, also those that are not active, with pointers into the file", () => {
    const broken = put("/sockets/Socket-1/edges/0/to", "gone") as JsonObject;
    const json = { activeLoadout: "good", loadouts: { good: fine, "a/b": broken } };
    expect(found(json)).toContain("unknown_target /loadouts/a~1b/sockets/Socket-1/edges/0/to");
    expect(readLoadout(json).ok).toBe(true);
  });

  test("a loadout that is not there", () => {
    const { errors } = checkLoadout({ activeLoadout: "Full-Aut", loadouts: {} });
    expect(errors).toMatchObject([{ code: "unknown_loadout", hint: "Did you mean Full-Auto?" }]);
  });
});

test("§2: whatever stands in the file, the check answers", () => {
  const next = random("check");
  const odd: Json[] = [null, true, 0, -1, 1e9, "", "end", "Socket-1", "__proto__", [], {}, [null], { a: {} }];
  const spots: string[] = [];
  const visit = (value: Json, at: string): void => {
    if (at !== "") spots.push(at);
    if (typeof value === "object" && value !== null) {
      for (const [key, inner] of Object.entries(value)) visit(inner as Json, `${at}/${key}`);
    }
  };
  visit(fine, "");
  for (let round = 0; round < 500; round++) {
    let json: Json = fine;
    for (let change = 0; change < 3; change++) {
      const at = spots[Math.floor(next() * spots.length)] as string;
      try {
        json = put(at, odd[Math.floor(next() * odd.length)] as Json, json);
      } catch {
        // an earlier change took the place away
      }
    }
    const checked = checkLoadout(json);
    expect(checked.ok).toBe(checked.errors.length === 0);
    expect(readLoadout(json).ok).toBe(checked.ok);
  }
});
