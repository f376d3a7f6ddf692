/** Where a run goes and why: routing (§5), loops (§6), rework (§7). */
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/base/json.ts";
import { items, no, notes, Stage, workshop, yes } from "./loadout-stage.ts";

const agent = { prompt: "Work.", tools: "none" } as const;

function play(loadout: Json, script: Json, inputs: JsonObject = {}) {
  return new Stage({ loadout, script, inputs }).play();
}

/** Sockets that hold agents; JSON unless they say otherwise. */
function chain(sockets: JsonObject, more: JsonObject = {}): JsonObject {
  const ids = Object.keys(sockets);
  return {
    entry: ids[0] ?? "",
    sockets: Object.fromEntries(
      ids.map((id) => [id, { materia: "A", parse: "json", ...(sockets[id] as JsonObject) }]),
    ),
    materia: { A: agent, G: { ...agent, generator: true } },
    ...more,
  };
}

describe("routing (§5)", () => {
  test("the first edge that matches wins, and the note says why the others did not", async () => {
    const edges = [
      { when: "satisfied", to: "Socket-2" },
      { when: "always", to: "Socket-3" },
    ];
    const loadout = chain({ "Socket-1": { edges }, "Socket-2": {}, "Socket-3": {} });
    const script = { "Socket-1": [no("not yet")], "Socket-3": [{}] };
    const end = await play(loadout, script);
    expect(end.path).toEqual(["Socket-1", "Socket-3"]);
    expect(notes(end, "routed")[0]).toMatchObject({
      chosen: { via: "edge", edge: 1, to: "Socket-3" },
      tried: [
        { edge: 0, when: "satisfied", to: "Socket-2", why: expect.stringContaining("satisfied: false") },
      ],
      satisfied: false,
    });
    expect(end.view.lastRoute?.socket).toBe("Socket-3");
  });

  test("without edges the run ends, with nothing to explain", async () => {
    expect(await play(chain({ "Socket-1": {} }), { "Socket-1": [{}] })).toMatchObject({
      ...{ status: "completed", reason: null, warnings: [], path: ["Socket-1"] },
    });
  });

  test("an edge may lead to end", async () => {
    const loadout = chain({ "Socket-1": { edges: [{ when: "always", to: "end" }] }, "Socket-2": {} });
    expect(await play(loadout, { "Socket-1": [{}] })).toMatchObject({ status: "completed", reason: null });
  });

  test("when no edge matches the run ends and says which socket it was", async () => {
    const loadout = chain({ "Socket-1": { edges: [{ when: "satisfied", to: "Socket-2" }] }, "Socket-2": {} });
    const end = await play(loadout, { "Socket-1": [no("no")] });
    expect(end).toMatchObject({ status: "completed", reason: "no_matching_edge" });
    expect(end.warnings).toMatchObject([{ code: "no_matching_edge", at: "Socket-1" }]);
  });

  test("maxTraversals: the pass after the last allowed one fails the run", async () => {
    const edges = [
      { when: "not_satisfied", to: "Socket-1", maxTraversals: 2 },
      { when: "satisfied", to: "end" },
    ];
    const stubborn = { outputs: [no("again")], repeat: true };
    const end = await play(chain({ "Socket-1": { edges } }), { "Socket-1": stubborn });
    expect(end).toMatchObject({
      status: "failed",
      reason: "edge_exhausted",
      path: Array(3).fill("Socket-1"),
    });
    expect(end.failure?.message).toContain("passed 2 times");
  });

  test("maxTraversals counts for each work item", async () => {
    const base = workshop() as { sockets: Record<string, JsonObject> };
    const edges = [
      { when: "satisfied", to: "Socket-4" },
      { when: "not_satisfied", to: "Socket-2", maxTraversals: 1 },
    ];
    const loadout = {
      ...base,
      sockets: { ...base.sockets, "Socket-3": { materia: "Eval", parse: "json", edges } },
    };
    const script = {
      "Socket-1": [items(2)],
      "Socket-2": { outputs: ["built"], repeat: true },
      "Socket-3": [no("a"), yes, no("b"), no("c")],
      "Socket-4": { outputs: [yes], repeat: true },
    };
    const end = await play(loadout, script);
    expect(end).toMatchObject({ status: "failed", reason: "edge_exhausted" });
    expect(end.failure?.detail).toMatchObject({ item: "WI-2" });
    expect(end.path.filter((entry) => entry.startsWith("Socket-3@WI-2"))).toHaveLength(2);
  });

  test("an item that goes in circles fails the run after three rounds, and the cycle is told", async () => {
    const script = {
      "Socket-1": [items(1)],
      "Socket-2": { outputs: ["built"], repeat: true },
      "Socket-3": { outputs: [no("never")], repeat: true },
    };
    const end = await play(workshop(), script);
    expect(end).toMatchObject({ status: "failed", reason: "no_progress" });
    expect(end.failure?.detail).toEqual({
      cycle: ["Socket-2", "Socket-3", "Socket-2"],
      cycles: 4,
      item: "WI-1",
    });
    expect(end.path.filter((entry) => entry === "Socket-2@WI-1")).toHaveLength(4);
  });

  test("limits.maxNoAdvanceCycles says how many rounds", async () => {
    const script = {
      "Socket-1": [items(1)],
      "Socket-2": { outputs: ["built"], repeat: true },
      "Socket-3": { outputs: [no("never")], repeat: true },
    };
    const end = await play(workshop({ limits: { maxNoAdvanceCycles: 1 } }), script);
    expect(end.path.filter((entry) => entry === "Socket-2@WI-1")).toHaveLength(2);
  });

  test("edges with maxTraversals close no cycle", async () => {
    const base = workshop() as { sockets: Record<string, JsonObject> };
    const edges = [
      { when: "satisfied", to: "Socket-4" },
      { when: "not_satisfied", to: "Socket-2", maxTraversals: 9 },
    ];
    const sockets = { ...base.sockets, "Socket-3": { materia: "Eval", parse: "json", edges } };
    const script = {
      "Socket-1": [items(1)],
      "Socket-2": { outputs: ["built"], repeat: true },
      "Socket-3": [...Array(9).fill(no("again")), yes],
      "Socket-4": [yes],
      "Socket-5": ["told"],
    };
    expect(await play({ ...base, sockets }, script)).toMatchObject({ status: "completed" });
  });

  test("limits.maxSteps bounds the steps", async () => {
    const edges = [{ when: "always", to: "Socket-1" }];
    const loadout = chain({ "Socket-1": { edges } }, { limits: { maxSteps: 4 } });
    const end = await play(loadout, { "Socket-1": { outputs: [{}], repeat: true } });
    expect(end).toMatchObject({ status: "failed", reason: "step_limit", path: Array(4).fill("Socket-1") });
  });
});

describe("loops (§6)", () => {
  const all = {
    "Socket-2": { outputs: ["built"], repeat: true },
    "Socket-3": { outputs: [yes], repeat: true },
    "Socket-4": { outputs: [yes], repeat: true },
    "Socket-5": ["told"],
  };

  test("every item runs once, in order, with its key and title", async () => {
    const end = await play(workshop(), { ...all, "Socket-1": [items(3)] });
    expect(end.path).toEqual([
      "Socket-1",
      ...[1, 2, 3].flatMap((n) => [2, 3, 4].map((socket) => `Socket-${socket}@WI-${n}`)),
      "Socket-5",
    ]);
    expect(end.view.visits[4]).toMatchObject({ item: "WI-2", title: "Item 2", label: "Build" });
    expect(end.state).toEqual(items(3));
  });

  test("while an item is in work its place in the state is derived", async () => {
    const base = workshop() as { sockets: Record<string, JsonObject> };
    const assign = { "seen.title": "state.workItem.title", "seen.index": "state.workItemIndex" };
    const build = { ...base.sockets["Socket-2"], assign } as JsonObject;
    const sockets = { ...base.sockets, "Socket-2": build };
    const end = await play({ ...base, sockets }, { ...all, "Socket-1": [items(2)] });
    expect(end.state["seen"]).toEqual({ title: "Item 2", index: 1 });
    expect(end.state).not.toHaveProperty("workItem");
  });

  test("advance that is not met retries the item over ordinary edges", async () => {
    const script = { ...all, "Socket-1": [items(2)], "Socket-4": [no("retry"), yes, yes] };
    const { path } = await play(workshop(), script);
    expect(path.filter((entry) => entry.startsWith("Socket-4"))).toEqual([
      "Socket-4@WI-1",
      "Socket-4@WI-1",
      "Socket-4@WI-2",
    ]);
  });

  test("an empty list leaves by the exit that needs no boolean, before any member runs", async () => {
    const base = workshop() as { loops: { items: JsonObject } };
    const exits = [{ id: "x", from: "Socket-4", condition: "always", targetSocketId: "Socket-5" }];
    const loadout = { ...base, loops: { items: { ...base.loops.items, exits } } };
    const end = await play(loadout, { ...all, "Socket-1": [items(0)] });
    expect(end).toMatchObject({ status: "completed", path: ["Socket-1", "Socket-5"] });
  });

  test("an empty list without such an exit ends the run", async () => {
    const end = await play(workshop(), { ...all, "Socket-1": [items(0)] });
    expect(end).toMatchObject({ status: "completed", reason: null, path: ["Socket-1"] });
  });

  const exitsOf = (...conditions: string[]): Json =>
    conditions.map((condition) => ({
      ...{ id: condition, from: "Socket-2", condition },
      targetSocketId:
        { satisfied: "Socket-5", not_satisfied: "Socket-6", always: "Socket-7" }[condition] ?? "end",
    }));
  const rows: [said: Json, exits: string[], to: string][] = [
    [yes, ["satisfied", "not_satisfied", "always"], "Socket-5"],
    [yes, ["always", "not_satisfied"], "Socket-7"],
    [yes, ["not_satisfied"], "end"],
    [no("x"), ["satisfied", "not_satisfied", "always"], "Socket-6"],
    [no("x"), ["always", "satisfied"], "Socket-7"],
    [no("x"), ["satisfied"], "end"],
    [{}, ["satisfied", "not_satisfied", "always"], "Socket-7"],
    [{}, ["satisfied", "not_satisfied"], "end"],
  ];
  test.each(rows)("exit table: %j with exits %j leads to %s", async (said, exits, to) => {
    const advance = { cursor: "c", items: "state.workItems" };
    const loadout = chain(
      {
        "Socket-1": { materia: "G", edges: [{ when: "always", to: "Socket-2" }] },
        "Socket-2": { advance, edges: [{ when: "always", to: "Socket-2" }] },
        ...{ "Socket-5": {}, "Socket-6": {}, "Socket-7": {} },
      },
      { loops: { l: { sockets: ["Socket-2"], consumes: { from: "Socket-1" }, exits: exitsOf(...exits) } } },
    );
    const script = { "Socket-1": [items(1)], "Socket-2": [said], A: [{}] };
    const end = await play(loadout, script);
    expect(end.status).toBe("completed");
    expect(end.path).toEqual(["Socket-1", "Socket-2@WI-1", ...(to === "end" ? [] : [to])]);
  });

  test("generator to generator: the later list replaces the earlier one, which it was shown", async () => {
    const loadout = chain(
      {
        "Socket-1": { materia: "G", edges: [{ when: "always", to: "Socket-2" }] },
        "Socket-2": { materia: "G", edges: [{ when: "always", to: "Socket-3" }] },
        "Socket-3": {
          advance: { cursor: "c", items: "state.workItems" },
          edges: [{ when: "always", to: "Socket-3" }],
        },
      },
      { loops: { l: { sockets: ["Socket-3"], consumes: { from: "Socket-2" } } } },
    );
    const script = { "Socket-1": [items(1)], "Socket-2": [items(2)], "Socket-3": [{}, {}] };
    const stage = new Stage({ loadout, script });
    const end = await stage.play();
    expect(end.path).toEqual(["Socket-1", "Socket-2", "Socket-3@WI-1", "Socket-3@WI-2"]);
    expect(stage.prompts[0]?.prompt).not.toContain("Upstream work items");
    expect(stage.prompts[1]?.prompt).toContain("Upstream work items");
  });

  test("two loops never share a cursor, also when it has the same name", async () => {
    const advance = { cursor: "same", items: "state.workItems" };
    const loadout = chain(
      {
        "Socket-1": { materia: "G", edges: [{ when: "always", to: "Socket-2" }] },
        "Socket-2": { advance, edges: [{ when: "always", to: "Socket-2" }] },
        "Socket-3": { advance, edges: [{ when: "always", to: "Socket-3" }] },
      },
      {
        loops: {
          one: {
            sockets: ["Socket-2"],
            consumes: { from: "Socket-1" },
            exits: [{ id: "x", from: "Socket-2", condition: "always", targetSocketId: "Socket-3" }],
          },
          two: { sockets: ["Socket-3"], consumes: { from: "Socket-1" } },
        },
      },
    );
    const end = await play(loadout, { "Socket-1": [items(2)], A: { outputs: [{}], repeat: true } });
    const expected = ["Socket-2@WI-1", "Socket-2@WI-2", "Socket-3@WI-1", "Socket-3@WI-2"];
    expect(end.path).toEqual(["Socket-1", ...expected]);
  });

  test("a loop that its generator enters again begins its new list at the first item", async () => {
    const base = workshop() as { sockets: Record<string, JsonObject> };
    const edges = [
      { when: "satisfied", to: "end" },
      { when: "not_satisfied", to: "Socket-1", maxTraversals: 2 },
    ];
    const sockets = { ...base.sockets, "Socket-5": { materia: "Tell", parse: "json", edges } };
    const script = { ...all, "Socket-1": [items(2), items(1)], "Socket-5": [no("more"), yes] };
    const { path } = await play({ ...base, sockets }, script);
    expect(path.filter((entry) => entry.startsWith("Socket-4"))).toEqual([
      ...["Socket-4@WI-1", "Socket-4@WI-2"],
      "Socket-4@WI-1",
    ]);
  });

  test("an iterator takes its items from the state, under a name of its own", async () => {
    const loadout = chain(
      {
        "Socket-1": {
          advance: { cursor: "c", items: "state.files" },
          assign: { last: "state.file" },
          edges: [{ when: "always", to: "Socket-1" }],
        },
      },
      {
        loops: { l: { sockets: ["Socket-1"], iterator: { items: "state.files", as: "file", cursor: "c" } } },
      },
    );
    const end = await play(loadout, { "Socket-1": [{}, {}] }, { files: ["a.ts", "b.ts"] });
    expect(end).toMatchObject({ path: ["Socket-1@WI-1", "Socket-1@WI-2"], state: { last: "b.ts" } });
    const other = await play(loadout, { "Socket-1": [{}, {}] }, { files: "a.ts" });
    expect(other).toMatchObject({ status: "failed", reason: "invalid_input", path: [] });
  });

  test("a list that nothing makes is asked for before anything runs", async () => {
    const always = (to: string): JsonObject => ({ when: "always", to });
    const each = { advance: { cursor: "c", items: "state.files" }, edges: [always("Socket-2")] };
    const loops = { l: { sockets: ["Socket-2"], iterator: { items: "state.files", as: "f", cursor: "c" } } };
    const loadout = (first: JsonObject) =>
      chain({ "Socket-1": { ...first, edges: [always("Socket-2")] }, "Socket-2": each }, { loops });
    const script = { "Socket-1": [{ files: ["a"] }], "Socket-2": [{}] };
    await expect(play(loadout({}), script)).rejects.toThrow("give it as the input files");
    const path = ["Socket-1", "Socket-2@WI-1"];
    expect(await play(loadout({ assign: { files: "$.files" } }), script)).toMatchObject({ path });
  });

  test("empty loops that lead into each other do not run for ever", async () => {
    const advance = { cursor: "c", items: "state.workItems" };
    const exit = (from: string, targetSocketId: string) => [
      { id: "x", from, condition: "always", targetSocketId },
    ];
    const loadout = chain(
      {
        "Socket-1": { materia: "G", edges: [{ when: "always", to: "Socket-2" }] },
        "Socket-2": { advance, edges: [{ when: "always", to: "Socket-2" }] },
        "Socket-3": { advance, edges: [{ when: "always", to: "Socket-3" }] },
      },
      {
        loops: {
          one: { sockets: ["Socket-2"], consumes: { from: "Socket-1" }, exits: exit("Socket-2", "Socket-3") },
          two: { sockets: ["Socket-3"], consumes: { from: "Socket-1" }, exits: exit("Socket-3", "Socket-2") },
        },
      },
    );
    const end = await play(loadout, { "Socket-1": [items(0)] });
    expect(end).toMatchObject({ status: "failed", reason: "no_progress", path: ["Socket-1"] });
  });

  test("what a step writes does not grow with the number of items done", async () => {
    const end = await play(workshop(), { ...all, "Socket-1": [items(200)] });
    const sizes = end.events.flatMap((event) =>
      event.type === "task.finished" && event.task.endsWith("Socket-4")
        ? [JSON.stringify(event.writes).length]
        : [],
    );
    expect(sizes).toHaveLength(200);
    expect(Math.max(...sizes.slice(1))).toBeLessThan((sizes[0] ?? 0) + 20);
  });
});

describe("rework (§7)", () => {
  const script = {
    "Socket-1": [items(2)],
    "Socket-2": { outputs: ["built"], repeat: true },
    "Socket-3": [no("  one \n\n two  "), yes, yes],
    "Socket-4": { outputs: [yes], repeat: true },
    "Socket-5": ["told"],
  };

  test("it is captured with its source, folded, shown once, and not to the next item", async () => {
    const stage = new Stage({ loadout: workshop(), script });
    const end = await stage.play();
    const prompts = stage.prompts.filter(({ node }) => node === "Socket-2").map(({ prompt }) => prompt);
    expect(prompts.map((prompt) => prompt.includes("Runtime follow-up context"))).toEqual([
      false,
      true,
      false,
    ]);
    expect(prompts[1]).toContain("- Eval (Socket-3, WI-1): one two");
    expect(notes(end, "rework")).toMatchObject([{ to: "Socket-2", reason: "one two", item: "WI-1" }]);
  });

  test("without context the reason is an excerpt of the output, at most 900 characters", async () => {
    const long = { satisfied: false, context: "x".repeat(2000) };
    const changed = { ...script, "Socket-3": [{ satisfied: false }, long, yes, yes] };
    const end = await new Stage({ loadout: workshop(), script: changed }).play();
    const [first, second] = notes(end, "rework");
    expect(first?.["reason"]).toBe('{"satisfied":false}');
    expect(second?.["reason"]).toHaveLength(900);
  });

  test("other routes inject nothing", async () => {
    const changed = { ...script, "Socket-3": [yes, yes, yes], "Socket-4": [no("not recorded"), yes, yes] };
    const stage = new Stage({ loadout: workshop(), script: changed });
    const end = await stage.play();
    expect(end.status).toBe("completed");
    expect(stage.prompts.some(({ prompt }) => prompt.includes("Runtime follow-up context"))).toBe(false);
  });

  test("it reaches a target outside of the loop too", async () => {
    const base = workshop() as { sockets: Record<string, JsonObject> };
    const edges = [
      { when: "satisfied", to: "Socket-4" },
      { when: "not_satisfied", to: "Socket-6" },
    ];
    const sockets = {
      ...base.sockets,
      "Socket-3": { materia: "Eval", parse: "json", edges },
      "Socket-6": { materia: "Tell", edges: [{ when: "always", to: "Socket-3" }] },
    };
    const stage = new Stage({ loadout: { ...base, sockets }, script: { ...script, "Socket-6": ["fixed"] } });
    const end = await stage.play();
    expect(end.path).toContain("Socket-6");
    expect(stage.prompts.find(({ node }) => node === "Socket-6")?.prompt).toContain("one two");
  });
});
