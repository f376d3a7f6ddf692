/** A simulation finds the runs that break a law, and hands over the shortest script that shows it. */
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/base/json.ts";
import { readLaws } from "../../src/dialects/loadout/simulate/laws.ts";
import type { Violation } from "../../src/dialects/loadout/simulate/report.ts";
import { type Simulated, simulate, simulateFile } from "../../src/engines/simulate.ts";
import { type LoadoutDefinition, readLoadout } from "../../src/loadout.ts";
import { Stage, type StageOptions, workshop } from "./loadout-stage.ts";

function definitionOf(loadout: Json): LoadoutDefinition {
  const read = readLoadout(loadout);
  if (!read.ok) throw new Error(JSON.stringify(read.errors));
  return read.definition;
}

async function report(loadout: Json, laws: Json, runs = 150) {
  const simulated = await simulateFile(loadout, { seed: "s", runs, laws: { json: laws } });
  if (simulated.exit === 2) throw new Error(JSON.stringify(simulated.issues));
  return simulated.report;
}

/** Plays the script of a violation as `run --script` does, with programs and people as it says. */
async function replayed(loadout: Json, { script, programs, answers }: Violation): Promise<readonly string[]> {
  const used = new Map<string, number>();
  const program = (input: JsonObject) => {
    const socket = String(input["socketId"]);
    const index = used.get(socket) ?? 0;
    used.set(socket, index + 1);
    const move = programs[socket]?.[index];
    if (move === undefined) return { satisfied: true };
    if (move.kind === "prints") return move.output;
    return move.kind === "exits" ? { stderr: "no", code: move.code } : { ended: "timed_out", stdout: "" };
  };
  const names = ["look", "Ignore-Artifacts", "Detect-VCS"];
  const play: StageOptions["programs"] = Object.fromEntries(names.map((name) => [name, program]));
  const stage = new Stage({ loadout, script, programs: play });
  let standing = await stage.play();
  for (let index = 0; standing.status === "waiting"; index++) {
    const { node } = standing.questions[0]!.value as JsonObject;
    standing = await stage.answer(answers[String(node)]?.[index] ?? { approved: true });
  }
  return standing.path;
}

test("the same seed gives the same report, another one others", async () => {
  const definition = definitionOf(workshop());
  const laws = readLaws({ atMost: [{ visits: 2, of: "Socket-3", per: "item" }] }, definition);
  if (!laws.ok) throw new Error("the laws are fine");
  const { invariants } = laws;
  const [a, b, c] = [
    await simulate(definition, { seed: "1", runs: 40, invariants }),
    await simulate(definition, { seed: "1", runs: 40, invariants }),
    await simulate(definition, { seed: "2", runs: 40, invariants }),
  ];
  expect(b).toEqual(a);
  expect(c.outcomes).not.toEqual(a.outcomes);
});

test("a law about visits: the shortest script is the visits themselves", async () => {
  const loadout = workshop();
  const { ok, violations } = await report(loadout, { atMost: [{ visits: 2, of: "Socket-3", per: "item" }] });
  expect(ok).toBe(false);
  expect(violations).toHaveLength(1);
  const [violation] = violations as [Violation];
  expect(violation).toMatchObject({
    invariant: "at most 2 visits of Socket-3 per item",
    message: "Socket-3 was visited 3 times for WI-1, more than 2.",
  });
  expect(violation.path).toEqual([
    ...["Socket-1", "Socket-2@WI-1", "Socket-3@WI-1", "Socket-2@WI-1", "Socket-3@WI-1"],
    ...["Socket-2@WI-1", "Socket-3@WI-1"],
  ]);
  expect(violation.script).toEqual({
    "Socket-1": [{ workItems: [{ title: "Item 1", context: "Do it." }] }],
    "Socket-2": ["Done.", "Done.", "Done."],
    "Socket-3": [{ satisfied: false }, { satisfied: false }],
  });
  expect(await replayed(loadout, violation)).toEqual(violation.path);
});

test("a law about the end: an empty plan ends before the work", async () => {
  const loadout = workshop();
  const { violations } = await report(loadout, { never: [{ end: { before: "Socket-4" } }] });
  const [violation] = violations as [Violation];
  expect(violation.script).toEqual({ "Socket-1": [{ workItems: [] }] });
  expect(violation.path).toEqual(["Socket-1"]);
  expect(await replayed(loadout, violation)).toEqual(violation.path);
});

test("the run of a violation can be had alone, by its seed", async () => {
  const laws = { json: { never: [{ fail: { with: "no_progress" } }] } };
  const all = await simulateFile(workshop(), { seed: "s", runs: 200, laws });
  const [violation] = violationsOf(all);
  const alone = await simulateFile(workshop(), { seed: violation?.seed ?? "", runs: 1, laws });
  expect(violationsOf(alone)[0]).toMatchObject({ invariant: "never fail with no_progress", runs: 1 });
  expect(violationsOf(alone)[0]?.script).toEqual(violation?.script);
});

function violationsOf(simulated: Simulated): readonly Violation[] {
  return simulated.exit === 2 ? [] : simulated.report.violations;
}

test("a law about malformed answers: the script has the answers that cannot be used", async () => {
  const loadout = workshop();
  const { violations } = await report(loadout, { never: [{ fail: { with: "handoff_invalid" } }] });
  const [violation] = violations as [Violation];
  expect(violation.path).toEqual(["Socket-1"]);
  expect(violation.script["Socket-1"]).toHaveLength(2);
  expect(await replayed(loadout, violation)).toEqual(violation.path);
});

const prompt = { prompt: "Work.", tools: "none" } as const;

/** A check by a program, then a person who agrees, then the work. */
const consult: JsonObject = {
  entry: "Socket-1",
  sockets: {
    "Socket-1": {
      materia: "Look",
      parse: "json",
      edges: [
        { when: "satisfied", to: "Socket-2" },
        { when: "not_satisfied", to: "Socket-3" },
      ],
    },
    "Socket-2": {
      materia: "Agree",
      parse: "json",
      edges: [
        { when: "satisfied", to: "Socket-3" },
        { when: "not_satisfied", to: "Socket-1", maxTraversals: 2 },
      ],
    },
    "Socket-3": { materia: "Work" },
  },
  materia: { Look: { type: "utility", command: ["look"] }, Agree: { type: "human" }, Work: prompt },
};

test("programs and people are played too, and what they have to do is told with the script", async () => {
  const { violations, coverage } = await report(consult, {
    never: [{ visit: { socket: "Socket-3", before: "Socket-2" } }, { fail: { with: "edge_exhausted" } }],
    atMost: [{ visits: 1, of: "Socket-2" }],
  });
  expect(coverage).toEqual({ sockets: [], edges: [], exits: [] });
  const [early, exhausted, twice] = violations as [Violation, Violation, Violation];
  expect(early).toMatchObject({
    path: ["Socket-1", "Socket-3"],
    programs: { "Socket-1": [{ kind: "prints", output: { satisfied: false } }] },
    answers: {},
  });
  expect(exhausted.answers["Socket-2"]).toHaveLength(3);
  expect(twice.path).toEqual(["Socket-1", "Socket-2", "Socket-1", "Socket-2", "Socket-3"]);
  for (const violation of violations) expect(await replayed(consult, violation)).toEqual(violation.path);
});

test.each(["Full-Auto", "Planning-Consult"])(
  "%s: every violation is a script that shows it",
  async (name) => {
    const loadout = { activeLoadout: name };
    const { violations, coverage } = await report(loadout, {
      never: [
        { end: { before: "Socket-8" } },
        { fail: { with: "edge_exhausted" } },
        { fail: { with: "utility_failed" } },
        { visit: { socket: "Socket-7", before: "Socket-6", per: "item" } },
      ],
      atMost: [{ visits: 3, of: "Socket-5", per: "item" }],
      always: [{ after: "Socket-5", eventually: "Socket-7", per: "item" }],
    });
    expect(violations.map(({ invariant }) => invariant)).toEqual([
      "never fail with edge_exhausted",
      "never fail with utility_failed",
      "at most 3 visits of Socket-5 per item",
    ]);
    expect(coverage.sockets).toEqual([]);
    for (const violation of violations) expect(await replayed(loadout, violation)).toEqual(violation.path);
  },
);

test("every run ends: one that goes in circles for ever is cut, and counted", async () => {
  const loadout = {
    entry: "Socket-1",
    sockets: {
      "Socket-1": { materia: "Work", edges: [{ when: "always", to: "Socket-2" }] },
      "Socket-2": { materia: "Work", edges: [{ when: "always", to: "Socket-1" }] },
    },
    materia: { Work: prompt },
  };
  const simulated = await simulateFile(loadout, { seed: "s", runs: 5, mostMoves: 50 });
  if (simulated.exit === 2) throw new Error("the loadout is fine");
  const { unfinished, paused } = simulated.report.outcomes;
  expect(unfinished + (paused["agent_failed"] ?? 0)).toBe(5);
  expect(unfinished).toBeGreaterThan(0);
});

test("outcomes add up, and coverage names what never happened", async () => {
  const loadout = workshop();
  const sockets = loadout["sockets"] as JsonObject;
  const unreachable = { ...sockets, "Socket-9": { materia: "Tell" } };
  const { outcomes, coverage } = await report({ ...loadout, sockets: unreachable }, {});
  const { completed, failed, paused, waiting, unfinished } = outcomes;
  const sum = (counts: Readonly<Record<string, number>>) =>
    Object.values(counts).reduce((total, count) => total + count, 0);
  expect(completed + sum(failed) + sum(paused) + waiting + unfinished).toBe(150);
  expect(Object.keys(failed)).toContain("no_progress");
  expect(Object.keys(paused)).toEqual(["agent_failed"]);
  expect(coverage).toEqual({ sockets: ["Socket-9"], edges: [], exits: [] });
});

describe("a module of laws", () => {
  test("its functions are laws, by their names", async () => {
    const module = {
      endsWithReport: ({ path, end }: { path: string[]; end: { kind: string } }) =>
        end.kind !== "completed" || path.at(-1) === "Socket-5" || "It ended without its report.",
      version: 1,
    };
    const simulated = await simulateFile(workshop(), { seed: "s", runs: 60, laws: { module } });
    expect(simulated).toMatchObject({
      exit: 1,
      report: { violations: [{ invariant: "endsWithReport", message: "It ended without its report." }] },
    });
  });

  test("a law that throws or answers later is broken, and says so", async () => {
    const module = {
      throws: () => {
        throw new Error("oops");
      },
      later: async () => true,
    };
    const simulated = await simulateFile(workshop(), { seed: "s", runs: 1, laws: { module } });
    const said = violationsOf(simulated).map(({ message }) => message);
    expect(said[0]).toBe("throws threw: oops");
    expect(said[1]).toContain("has to answer at once");
  });

  test("a module without functions is refused", async () => {
    const simulated = await simulateFile(workshop(), { seed: "s", runs: 1, laws: { module: {} } });
    expect(simulated).toMatchObject({ exit: 2, in: "invariants", issues: [{ code: "no_laws" }] });
  });
});

describe("what is wrong with a file of laws is told with its place", () => {
  const rows: [name: string, laws: Json, issue: JsonObject][] = [
    ["no object", [], { code: "wrong_type", pointer: "" }],
    [
      "a misspelt kind",
      { nevr: [] },
      { code: "unknown_field", pointer: "/nevr", hint: "Did you mean never?" },
    ],
    [
      "an unknown socket",
      { never: [{ end: { before: "Socket-44" } }] },
      { code: "unknown_socket", pointer: "/never/0/end/before" },
    ],
    [
      "two laws in one",
      { never: [{ end: { before: "Socket-1" }, fail: { with: "no_progress" } }] },
      { code: "not_one_law", pointer: "/never/0" },
    ],
    ["none", { never: [{}] }, { code: "not_one_law", pointer: "/never/0" }],
    [
      "an unknown failure",
      { never: [{ fail: { with: "no_progres" } }] },
      { code: "unknown_value", pointer: "/never/0/fail/with", hint: 'Did you mean "no_progress"?' },
    ],
    ["half a visit", { atMost: [{ visits: 1.5, of: "Socket-1" }] }, { code: "bad_number" }],
    [
      "items outside of loops",
      { atMost: [{ visits: 1, of: "Socket-1", per: "item" }] },
      { code: "no_items", pointer: "/atMost/0/of" },
    ],
    [
      "nothing to follow",
      { always: [{ after: "Socket-1" }] },
      { code: "missing_field", pointer: "/always/0/eventually" },
    ],
  ];
  test.each(rows)("%s", (_, laws, issue) => {
    const read = readLaws(laws, definitionOf(workshop()));
    expect(read).toMatchObject({ ok: false, issues: [issue] });
  });
});

test("a loadout that is not fit to run is not simulated", async () => {
  const simulated = await simulateFile({ entry: "x", sockets: {} }, { seed: "s", runs: 1 });
  expect(simulated).toMatchObject({ exit: 2, in: "loadout" });
});
