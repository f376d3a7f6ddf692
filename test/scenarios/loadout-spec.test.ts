/**
 * Sentences of the loadout rules that no other scenario is about. docs/loadout/rules.md lists them all, each with the
 * test that holds it.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { TurnRequest } from "../../src/agent/agent.ts";
import type { Json, JsonObject } from "../../src/base/json.ts";
import { contractOf, handoffIssues } from "../../src/dialects/loadout/handoff.ts";
import { MemoryJournal } from "../../src/journals/memory.ts";
import {
  checkLoadout,
  compileLoadout,
  type LoadoutDefinition,
  type LoadoutDrawing,
  readLoadout,
} from "../../src/loadout.ts";
import { CommandLine } from "./cli-harness.ts";
import { LanesStage, lanes, usual } from "./lanes-stage.ts";
import { items, no, notes, Stage, workshop, yes } from "./loadout-stage.ts";

const agent = { prompt: "Work.", tools: "none" };
const always = (to: string): JsonObject => ({ when: "always", to });

function definition(json: Json): LoadoutDefinition {
  const read = readLoadout(json);
  if (!read.ok) throw new Error(JSON.stringify(read.errors));
  return read.definition;
}

describe("§1: a file", () => {
  test("may be a config with named loadouts or one loadout with its materia, and both mean the same", () => {
    const { materia, ...loadout } = workshop();
    const alone = definition({ name: "L", ...loadout, materia: materia as JsonObject });
    const within = definition({
      activeLoadout: "L",
      loadouts: { L: loadout },
      materia: materia as JsonObject,
    });
    expect(within).toEqual(alone);
  });

  test("of a higher layer wins over a lower one: bundled, user, project, --config", async () => {
    const cli = new CommandLine();
    const label = async (...more: string[]) => {
      const args = ["graph", "Full-Auto", ...more];
      const { document } = await cli.json<LoadoutDrawing>(...args);
      return document.nodes.find(({ materia }) => materia === "Build")?.label;
    };
    const config = (folder: string) => {
      mkdirSync(join(cli.cwd, folder), { recursive: true });
      const Build = { ...agent, label: folder };
      writeFileSync(join(cli.cwd, folder, "config.json"), JSON.stringify({ materia: { Build } }));
    };
    expect(await label()).toBe("Build");
    config("home/baton");
    expect(await label()).toBe("home/baton");
    config(".baton");
    expect(await label()).toBe(".baton");
    config("named");
    expect(await label("--config", "named/config.json")).toBe("named");
  });

  test("may leave gaps between the ids of its sockets", () => {
    const sockets = {
      "Socket-2": { materia: "A", edges: [always("Socket-9")] },
      "Socket-9": { materia: "A" },
    };
    expect(checkLoadout({ entry: "Socket-2", sockets, materia: { A: agent } })).toMatchObject({
      ok: true,
      warnings: [],
    });
  });
});

test("§1: the socket owns parse; what its utility says holds where the socket says nothing", () => {
  const utility = { type: "utility" as const, command: ["x"], parse: "json" as const };
  expect(contractOf({ materia: "U" }, utility).parse).toBe("json");
  expect(contractOf({ materia: "U", parse: "text" }, utility).parse).toBe("text");
  expect(contractOf({ materia: "A" }, { prompt: "Work.", tools: "none" }).parse).toBe("text");
});

test("§1: consumes takes workItems when it names no output", async () => {
  const { loops } = workshop() as { loops: { items: JsonObject } };
  expect(loops.items["consumes"]).toEqual({ from: "Socket-1" });
  const named = { items: { ...loops.items, consumes: { from: "Socket-1", output: "workItems" } } };
  for (const loadout of [workshop(), workshop({ loops: named })])
    expect(checkLoadout(loadout)).toMatchObject({ ok: true, termination: { bound: expect.any(String) } });
});

test("§1: an agent gets the tools, the model and the effort that its materia names", async () => {
  const requests: TurnRequest[] = [];
  const tools = { type: "custom", tools: ["read", "grep"] };
  const A = { prompt: "Work.", tools, model: "small", thinking: "high" };
  const loadout = { entry: "Socket-1", sockets: { "Socket-1": { materia: "A" } }, materia: { A } };
  const play = (request: TurnRequest) => {
    requests.push(request);
    return "done";
  };
  expect(await new LanesStage({ loadout, play }).play()).toMatchObject({ status: "completed" });
  expect(requests).toMatchObject([{ role: "A", tools, model: "small", thinking: "high" }]);
});

describe("§3: after an output", () => {
  const json: JsonObject = { context: "Told.", satisfied: false, state: { a: 1 }, mine: 2 };
  const loadout = {
    entry: "Socket-1",
    sockets: {
      "Socket-1": { materia: "G", edges: [always("Socket-2")] },
      "Socket-2": {
        materia: "U",
        parse: "json",
        assign: { kept: "$.mine", seen: "state.a" },
        advance: { cursor: "c", items: "state.workItems", when: "not_satisfied" },
        edges: [{ when: "not_satisfied", to: "Socket-2" }],
      },
      "Socket-3": { materia: "A" },
    },
    loops: {
      work: {
        sockets: ["Socket-2"],
        consumes: { from: "Socket-1" },
        exits: [{ id: "x", from: "Socket-2", condition: "not_satisfied", targetSocketId: "Socket-3" }],
      },
    },
    materia: { G: { ...agent, generator: true }, A: agent, U: { type: "utility", command: ["u"] } },
  };

  test("the effects come in their order: artifact, state, context, assign, advance, route", async () => {
    const script = { "Socket-1": [items(1)], "Socket-3": ["ok"] };
    const end = await new Stage({ loadout, script, programs: { u: () => json } }).play();
    const order = end.events.flatMap((event) =>
      event.type === "task.noted" && (event.data as JsonObject)["socket"] === "Socket-2" ? [event.kind] : [],
    );
    expect(order.map((kind) => kind.slice("loadout.".length))).toEqual([
      ...["entered", "output", "patched", "context", "assigned", "assigned", "advanced", "routed"],
    ]);
    expect(end.state).toMatchObject({ a: 1, kept: 2, seen: 1 });
  });

  test("the raw output is an artifact, as it was said and not as it was read", async () => {
    const said = 'Here: {"satisfied": true , "context":"x"} - done.';
    const one = {
      entry: "Socket-1",
      sockets: { "Socket-1": { materia: "A", parse: "json" } },
      materia: { A: agent },
    };
    const stage = new Stage({ loadout: one, script: { A: [said] } });
    const [output] = notes(await stage.play(), "output");
    expect(await stage.artifact(output)).toBe(said);
  });

  test("context is logged with the label of its socket", async () => {
    const labelled = { ...agent, label: "The reviewer" };
    const two = {
      entry: "Socket-1",
      sockets: {
        "Socket-1": { materia: "R", parse: "json", edges: [always("Socket-2")] },
        "Socket-2": { materia: "A" },
      },
      materia: { R: labelled, A: agent },
    };
    const stage = new Stage({ loadout: two, script: { R: [{ context: "Mind the gap." }], A: ["ok"] } });
    await stage.play();
    expect(stage.prompts.at(-1)?.prompt).toContain("- The reviewer: Mind the gap.");
  });

  test("what was assigned stays when the route fails the run", async () => {
    const edges = [{ when: "not_satisfied", to: "Socket-1", maxTraversals: 1 }];
    const one = {
      entry: "Socket-1",
      sockets: { "Socket-1": { materia: "A", parse: "json", assign: { why: "$.context" }, edges } },
      materia: { A: agent },
    };
    const end = await new Stage({ loadout: one, script: { A: [no("first"), no("second")] } }).play();
    expect(end).toMatchObject({ status: "failed", reason: "edge_exhausted", state: { why: "second" } });
  });
});

describe("§4: a handoff", () => {
  const contract = contractOf({ materia: "A", parse: "json" }, { prompt: "Work.", tools: "none" });
  const meant: readonly (readonly [old: string, field: string])[] = [
    ...["passed", "verdict"].map((old) => [old, "satisfied"] as const),
    ...["tasks", "task", "work"].map((old) => [old, "workItems"] as const),
    ...["summary", "guidance", "decisions", "risks", "feedback", "missing"].map(
      (old) => [old, "context"] as const,
    ),
    ...["reason", "failure", "rework"].map((old) => [old, "context"] as const),
  ];

  test.each(meant)("with %s is refused, and %s is named for it", (old, field) => {
    expect(handoffIssues(contract, { [old]: "x" })).toMatchObject([
      { code: "unknown_field", pointer: `/${old}`, hint: `Use ${field} instead.` },
    ]);
  });

  test.each(["id", "description", "acceptance"])("has no work item with %s", (field) => {
    const item = { title: "a", context: "b", [field]: "c" };
    expect(handoffIssues(contract, { workItems: [item] })).toMatchObject([
      { pointer: `/workItems/0/${field}` },
    ]);
  });

  test("has no work item whose context is an object", () => {
    const issues = handoffIssues(contract, { workItems: [{ title: "a", context: { text: "b" } }] });
    expect(issues).toMatchObject([{ pointer: "/workItems/0/context" }]);
  });
});

test("§5: no number of steps ends a run unless limits.maxSteps says so", () => {
  const services = {
    agent: () => {
      throw new Error("nobody is asked");
    },
    commands: { run: () => Promise.reject(new Error("nothing is run")) },
    utility: () => undefined,
    ...{ cwd: "/", runDir: "/run" },
  };
  expect(compileLoadout(definition(workshop()), services).plan.limits).toEqual({});
  const limited = definition(workshop({ limits: { maxSteps: 7 } }));
  expect(compileLoadout(limited, services).plan.limits).toEqual({ steps: 7 });
});

describe("§6: a loop of two, as build and keep,", () => {
  const loadout = {
    entry: "Socket-1",
    sockets: {
      "Socket-1": {
        materia: "Plan",
        parse: "json",
        assign: { workItems: "$.workItems" },
        edges: [always("Socket-3")],
      },
      "Socket-3": { materia: "A", edges: [always("Socket-4")] },
      "Socket-4": {
        materia: "A",
        parse: "json",
        advance: { cursor: "workItemIndex", items: "state.workItems", when: "satisfied" },
        edges: [always("Socket-3")],
      },
    },
    loops: {
      work: {
        sockets: ["Socket-3", "Socket-4"],
        consumes: { from: "Socket-1", output: "workItems" },
        exits: [],
      },
    },
    materia: { Plan: { ...agent, generator: true }, A: agent },
  };

  test("tries an item again until it is satisfied, and ends the run after the last one when it has no exit", async () => {
    const script = {
      "Socket-1": [items(2)],
      "Socket-3": ["a", "b", "c"],
      "Socket-4": [no("Not yet."), yes, yes],
    };
    const end = await new Stage({ loadout, script }).play();
    expect(end).toMatchObject({ status: "completed", reason: null, warnings: [] });
    const turns = ["3@WI-1", "4@WI-1", "3@WI-1", "4@WI-1", "3@WI-2", "4@WI-2"];
    expect(end.path).toEqual(["Socket-1", ...turns.map((turn) => `Socket-${turn}`)]);
  });
});

/** The layer of a prompt that shows rework; what was said stands in the context log besides. */
const FOLLOW_UP = "## Runtime follow-up context";

describe("§7: rework", () => {
  test("is dropped when the item advances on the very edge that would bring it back", async () => {
    const { sockets, ...rest } = workshop() as { sockets: Record<string, JsonObject> } & JsonObject;
    const edges = [{ when: "not_satisfied", to: "Socket-2" }, always("Socket-2")];
    const advance = { cursor: "c", items: "state.workItems" };
    const loadout = {
      ...rest,
      sockets: { ...sockets, "Socket-4": { materia: "Keep", parse: "json", advance, edges } },
    };
    const script = {
      "Socket-1": [items(2)],
      "Socket-2": { outputs: ["built"], repeat: true },
      "Socket-3": { outputs: [yes], repeat: true },
      "Socket-4": [no("Never mind."), yes],
      "Socket-5": ["told"],
    };
    const stage = new Stage({ loadout, script });
    expect(await stage.play()).toMatchObject({ status: "completed" });
    expect(stage.prompts.some(({ prompt }) => prompt.includes(FOLLOW_UP))).toBe(false);
  });

  test("of a graph socket is told to whoever is prompted first inside of it, once", async () => {
    const inner = {
      entry: "Socket-1",
      sockets: {
        "Socket-1": { materia: "U", parse: "json", edges: [always("Socket-2")] },
        "Socket-2": { materia: "First", edges: [always("Socket-3")] },
        "Socket-3": { materia: "Second" },
      },
    };
    const outer = {
      entry: "Socket-1",
      sockets: {
        "Socket-1": { materia: "Sub", edges: [always("Socket-2")] },
        "Socket-2": {
          materia: "Judge",
          parse: "json",
          edges: [
            { when: "satisfied", to: "end" },
            { when: "not_satisfied", to: "Socket-1", maxTraversals: 1 },
          ],
        },
      },
    };
    const materia = {
      ...{ First: agent, Second: agent, Judge: agent, U: { type: "utility", command: ["u"] } },
      Sub: { type: "graph", loadout: "inner" },
    };
    const loadout = { activeLoadout: "outer", loadouts: { outer, inner }, materia };
    const repeat = (text: string) => ({ outputs: [text], repeat: true });
    const script = { First: repeat("a"), Second: repeat("b"), Judge: [no("Do it in green."), yes] };
    const stage = new Stage({ loadout, script, programs: { u: () => ({}) } });
    expect(await stage.play()).toMatchObject({ status: "completed" });
    const told = stage.prompts.map(({ node, prompt }) => [node, prompt.includes(FOLLOW_UP)]);
    expect(told).toEqual([
      ...[
        ["Socket-2", false],
        ["Socket-3", false],
        ["Socket-2", false],
      ],
      ...[
        ["Socket-2", true],
        ["Socket-3", false],
        ["Socket-2", false],
      ],
    ]);
    expect(stage.prompts[3]?.prompt).toContain("- Judge (Socket-2): Do it in green.");
  });

  test("that leads back into a parallel loop is told to the lane of its first item", async () => {
    const { sockets, ...rest } = lanes() as { sockets: Record<string, JsonObject> } & JsonObject;
    const edges = [
      { when: "satisfied", to: "end" },
      { when: "not_satisfied", to: "Socket-2", maxTraversals: 1 },
    ];
    const loadout = {
      ...rest,
      sockets: { ...sockets, "Socket-4": { materia: "Tell", parse: "json", edges } },
    };
    const work = usual(2);
    const stage = new LanesStage({
      loadout,
      play: (request, turns) =>
        request.node === "Socket-4" ? (turns === 1 ? no("Paint it green.") : yes) : work(request, turns),
    });
    expect(await stage.play()).toMatchObject({ status: "completed" });
    const told = [...stage.prompts].filter(([, prompt]) => prompt.includes(FOLLOW_UP));
    expect(told.map(([turn]) => turn)).toEqual(["Socket-2@WI-1 2"]);
    expect(told[0]?.[1]).toContain("Tell (Socket-4): Paint it green.");
  });
});

test("§8: a prompt is built from the record alone: a process that takes over builds the same one", async () => {
  const person = { type: "human", prompt: "Go on?" };
  const loadout = {
    entry: "Socket-1",
    sockets: {
      "Socket-1": { materia: "A", parse: "json", edges: [always("Socket-2")] },
      "Socket-2": {
        materia: "P",
        parse: "json",
        edges: [
          { when: "satisfied", to: "Socket-3" },
          { when: "not_satisfied", to: "Socket-3" },
        ],
      },
      "Socket-3": { materia: "A" },
    },
    materia: { A: agent, P: person },
  };
  const options = { loadout, script: { "Socket-1": [{ context: "Mind the cat." }], "Socket-3": ["ok"] } };
  const denial = { approved: false, reason: "Feed the cat first." };
  const one = new Stage(options);
  await one.play();
  await one.answer(denial);
  const journal = new MemoryJournal();
  await new Stage({ ...options, journal }).play();
  const other = new Stage({ ...options, journal });
  expect(await other.answer(denial)).toMatchObject({ status: "completed" });
  expect(other.prompts).toEqual(one.prompts.slice(-1));
  for (const told of ["Mind the cat.", "Feed the cat first."])
    expect(other.prompts[0]?.prompt).toContain(told);
});

describe("§10: a cost", () => {
  const two = (budget: JsonObject) => ({
    entry: "Socket-1",
    sockets: { "Socket-1": { materia: "A", edges: [always("Socket-2")] }, "Socket-2": { materia: "A" } },
    materia: { A: agent },
    budget,
  });
  const turn = (costUsd: number | null): JsonObject => ({
    $: "turn",
    text: "x",
    usage: { tokens: 5, costUsd },
  });

  test("in dollars pauses the run like one in tokens", async () => {
    const script = { "Socket-1": [turn(0.5)], "Socket-2": [turn(0.5)] };
    const end = await new Stage({ loadout: two({ maxCostUsd: 0.5 }), script }).play();
    expect(end).toMatchObject({ status: "paused", reason: "budget_exhausted", usage: { costUsd: 0.5 } });
  });

  test("that is unknown is told as unknown; what is known besides still counts", async () => {
    const script = { "Socket-1": [turn(null)], "Socket-2": [turn(0.5)] };
    const end = await new Stage({ loadout: two({ maxCostUsd: 1 }), script }).play();
    expect(end).toMatchObject({ status: "completed", usage: { tokens: 10, costUsd: null } });
    const dear = { "Socket-1": [{ ...turn(null) }], "Socket-2": [turn(0.5)], "Socket-3": [turn(0.1)] };
    const three = two({ maxCostUsd: 0.5 });
    const sockets = {
      ...three.sockets,
      "Socket-2": { materia: "A", edges: [always("Socket-3")] },
      "Socket-3": { materia: "A" },
    };
    const held = await new Stage({ loadout: { ...three, sockets }, script: dear }).play();
    expect(held).toMatchObject({
      status: "paused",
      reason: "budget_exhausted",
      path: ["Socket-1", "Socket-2"],
    });
  });
});
