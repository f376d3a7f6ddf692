/** An agent's visit: handoff and repair (§4), turns that fail, approvals, prompts (§8). */
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/base/json.ts";
import { MemoryJournal } from "../../src/journals/memory.ts";
import { items, no, notes, Stage, workshop, yes } from "./loadout-stage.ts";

const agent = { prompt: "Work.", tools: "none" } as const;

/** One socket that holds `materia`, JSON unless told otherwise; the rest of its fields and of the loadout after it. */
function one(materia: JsonObject, socket: JsonObject = {}, more: JsonObject = {}): JsonObject {
  return {
    entry: "Socket-1",
    sockets: {
      "Socket-1": { materia: "M", parse: "json", ...socket },
      "Socket-2": { materia: "Next", parse: "text" },
    },
    materia: { M: materia, Next: agent },
    ...more,
  };
}

const onward = { edges: [{ when: "always", to: "Socket-2" }] };
const guarded = {
  edges: [
    { when: "satisfied", to: "Socket-2" },
    { when: "not_satisfied", to: "end" },
  ],
};

describe("handoff (§4)", () => {
  const rows: [what: string, socket: JsonObject, wrong: Json, said: RegExp][] = [
    ["no JSON", {}, "I am done.", /no complete JSON object/],
    ["a list", {}, [1], /not an object/],
    ["a missing satisfied", guarded, {}, /satisfied is missing/],
    [
      "satisfied as a text",
      guarded,
      { satisfied: "yes" },
      /\/satisfied: "yes" stands where true or false belongs/,
    ],
    ["context as an object", {}, { context: {} }, /\/context: An object stands where a text belongs/],
    ["passed", {}, { passed: true }, /\/passed: .* Use satisfied instead/],
    ["tasks", {}, { tasks: [] }, /\/tasks: .* Use workItems instead/],
    ["feedback", {}, { feedback: "x" }, /\/feedback: .* Use context instead/],
    ["summary", {}, { summary: "x" }, /\/summary: .* Use context instead/],
    ["state of an agent", {}, { state: {} }, /Only utilities may patch the state/],
    [
      "a path that assign reads",
      { assign: { v: "$.verdict.text" } },
      { verdict: {} },
      /verdict\.text is missing/,
    ],
    ["an item with an id", {}, { workItems: [{ id: 1, title: "a", context: "b" }] }, /\/workItems\/0\/id/],
    [
      "an item without context",
      {},
      { workItems: [{ title: "a" }] },
      /\/workItems\/0\/context: context is missing/,
    ],
    [
      "an item with a blank title",
      {},
      { workItems: [{ title: " ", context: "b" }] },
      /\/workItems\/0\/title/,
    ],
  ];
  test.each(rows)("%s is repaired in the same visit", async (_what, socket, wrong, said) => {
    const right = { satisfied: true, ...("assign" in socket && { verdict: { text: "good" } }) };
    const stage = new Stage({
      loadout: one(agent, { ...onward, ...socket }),
      script: { "Socket-1": [wrong, right], "Socket-2": ["ok"] },
    });
    const end = await stage.play();
    expect(end).toMatchObject({ status: "completed", path: ["Socket-1", "Socket-2"] });
    expect(stage.prompts[1]?.prompt).toMatch(said);
    expect(stage.prompts[1]?.prompt.startsWith(stage.prompts[0]?.prompt ?? "?")).toBe(true);
    expect(notes(end, "repair")).toHaveLength(1);
    expect(end.path).toHaveLength(2);
  });

  test("a field that the socket's own assign names is allowed", async () => {
    const loadout = one(agent, { assign: { "review.verdict": "$.verdict", all: "$" } });
    const end = await new Stage({ loadout, script: { "Socket-1": [{ verdict: "good" }] } }).play();
    expect(end.state).toEqual({ review: { verdict: "good" }, all: { verdict: "good" } });
  });

  test("a generator assigns workItems without being told", async () => {
    const loadout = one({ ...agent, generator: true }, { parse: "json" });
    const end = await new Stage({ loadout, script: { "Socket-1": [{}, items(1)] } }).play();
    expect(end.state).toEqual(items(1));
  });

  test("after one repair the run fails, with nothing written", async () => {
    const loadout = one(agent, { ...guarded, assign: { x: "$.satisfied" } });
    const end = await new Stage({ loadout, script: { "Socket-1": ["?", { context: "?" }] } }).play();
    expect(end).toMatchObject({ status: "failed", reason: "handoff_invalid", state: {}, path: ["Socket-1"] });
    expect(end.failure).toMatchObject({
      at: "Socket-1",
      message: expect.stringContaining("satisfied is missing"),
    });
  });

  test("a run that fails names the canonical field, too", async () => {
    const end = await new Stage({
      loadout: one(agent, { parse: "json" }),
      script: { "Socket-1": [{ summary: "x" }, { passed: true }] },
    }).play();
    expect(end.failure?.message).toContain("/passed passed is not a field that is known here. Use satisfied");
  });

  test("limits.maxRepairs says how often", async () => {
    const loadout = one(agent, guarded, { limits: { maxRepairs: 3 } });
    const script = { "Socket-1": ["?", "?", "?", yes], "Socket-2": ["ok"] };
    expect(await new Stage({ loadout, script }).play()).toMatchObject({ status: "completed" });
    const never = one(agent, guarded, { limits: { maxRepairs: 0 } });
    const stage = new Stage({ loadout: never, script });
    expect(await stage.play()).toMatchObject({ reason: "handoff_invalid" });
    expect(stage.prompts).toHaveLength(1);
  });

  test("a repair lists eight issues at most", async () => {
    const wrong = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`f${index}`, 1]));
    const stage = new Stage({ loadout: one(agent), script: { "Socket-1": [wrong, {}] } });
    await stage.play();
    expect(stage.prompts[1]?.prompt.match(/^- \/f\d+/gm)).toHaveLength(8);
    expect(stage.prompts[1]?.prompt).toContain("- and 3 more.");
  });

  test("a failed handoff that a person resumes may repair as often as before", async () => {
    const stage = new Stage({
      loadout: one(agent, guarded),
      script: { "Socket-1": ["?", "?", "?", yes], A: [], "Socket-2": ["ok"] },
    });
    expect(await stage.play()).toMatchObject({ status: "failed" });
    await (await stage.open()).send({ type: "resume" });
    expect(await stage.drive()).toMatchObject({ status: "completed", path: ["Socket-1", "Socket-2"] });
    expect(stage.prompts.filter(({ node }) => node === "Socket-1")).toHaveLength(4);
  });

  test("assigning from a place in the state that is not there fails the run, and what was assigned before stays", async () => {
    const loadout = one(agent, { assign: { a: "$.context", b: "state.missing" } });
    const end = await new Stage({ loadout, script: { "Socket-1": [{ context: "kept" }] } }).play();
    expect(end).toMatchObject({ status: "failed", reason: "handoff_invalid", state: { a: "kept" } });
  });
});

describe("agents that fail (§4)", () => {
  const fail = { $: "turn", fail: "The provider is down.", usage: { tokens: 5 } };

  test("a failed turn is tried again, is no handoff violation, and what it cost counts", async () => {
    const stage = new Stage({
      loadout: one(agent, onward),
      script: { "Socket-1": [fail, {}], "Socket-2": ["ok"] },
    });
    const end = await stage.play();
    expect(end).toMatchObject({ status: "completed", path: ["Socket-1", "Socket-2"], usage: { tokens: 5 } });
    expect(notes(end, "repair")).toEqual([]);
  });

  test("when tries are used up the run pauses, and a resume goes on", async () => {
    const script = { "Socket-1": [fail, fail, fail, {}], "Socket-2": ["ok"] };
    const stage = new Stage({ loadout: one(agent, onward), script });
    const paused = await stage.play();
    expect(paused).toMatchObject({ status: "paused", reason: "agent_failed", path: ["Socket-1"] });
    expect(paused.message).toContain("The provider is down.");
    await (await stage.open()).send({ type: "resume" });
    const end = await stage.drive();
    expect(end).toMatchObject({ status: "completed", path: ["Socket-1", "Socket-2"], usage: { tokens: 15 } });
  });

  test("a script that ran out fails the run", async () => {
    const end = await new Stage({ loadout: one(agent), script: { "Socket-1": [] } }).play();
    expect(end).toMatchObject({ status: "failed", reason: "script_exhausted", failure: { at: "Socket-1" } });
  });

  test("a finished turn is not taken again after a crash, though its visit was not over", async () => {
    const journal = new MemoryJournal();
    const script = { "Socket-1": ["?", yes], "Socket-2": ["ok"] };
    const first = new Stage({ loadout: one(agent, guarded), script, journal });
    const run = await first.open();
    const stop = run.ledger.subscribe((events) => {
      if (events.some(({ type }) => type === "task.remembered")) throw new Error("the process died");
    });
    await expect(first.play()).rejects.toThrow("the process died");
    stop();
    const second = new Stage({ loadout: one(agent, guarded), script, journal });
    expect(await second.play()).toMatchObject({ status: "completed" });
    expect(second.prompts[0]?.prompt).toContain("could not be used");
  });
});

describe("approvals", () => {
  const asking = {
    ...{ $: "turn", text: "wrote", ask: { title: "Write it?", args: { path: "a.txt" } } },
    write: { path: "a.txt", content: "a" },
  };

  test("a turn that asks is taken again with the decision", async () => {
    const stage = new Stage({ loadout: one(agent, { parse: "text" }), script: { "Socket-1": [asking] } });
    const waiting = await stage.play();
    expect(waiting).toMatchObject({ status: "waiting", path: ["Socket-1"] });
    expect(waiting.questions[0]?.value).toEqual({
      ...{ kind: "approval", title: "Write it?", args: { path: "a.txt" } },
      ...{ node: "Socket-1", label: "M" },
    });
    expect(stage.written).toEqual([]);
    expect(await stage.answer({ approved: true })).toMatchObject({ status: "completed" });
    expect(stage.written).toEqual(["a.txt"]);
  });

  test("denied, it does nothing and goes on", async () => {
    const stage = new Stage({ loadout: one(agent, { parse: "text" }), script: { "Socket-1": [asking] } });
    await stage.play();
    expect(await stage.answer({ approved: false, reason: "no" })).toMatchObject({ status: "completed" });
    expect(stage.written).toEqual([]);
  });

  test("the decision on one turn is not taken for that of the next", async () => {
    const script = { "Socket-1": [asking, { ...asking, text: "{}" }] };
    const stage = new Stage({ loadout: one(agent), script });
    await stage.play();
    expect(await stage.answer({ approved: true })).toMatchObject({ status: "waiting" });
    expect(await stage.answer({ approved: true })).toMatchObject({ status: "completed", path: ["Socket-1"] });
    expect(stage.written).toEqual(["a.txt", "a.txt"]);
  });
});

describe("prompts (§8)", () => {
  test("the layers stand in their order", async () => {
    const script = {
      "Socket-1": [{ ...items(1), context: "Mind the tests." }],
      "Socket-2": ["built", "built"],
      "Socket-3": [no("Again."), yes],
      "Socket-4": [yes],
      "Socket-5": ["told"],
    };
    const stage = new Stage({ loadout: workshop(), script });
    await stage.play("Add a door.");
    const prompt = stage.prompts.filter(({ node }) => node === "Socket-2")[1]?.prompt ?? "";
    const layers = [
      "Work.",
      "Add a door.",
      "Item 1 (WI-1, 1 of 1)",
      "Runtime follow-up context",
      "Plan: Mind the tests.",
    ];
    expect(layers.map((layer) => prompt.indexOf(layer))).toEqual(
      layers.map((layer) => prompt.indexOf(layer)).sort((a, b) => a - b),
    );
    expect(layers.every((layer) => prompt.includes(layer))).toBe(true);
    expect(prompt).not.toContain("Output format");
    const [evaluating] = stage.prompts.filter(({ node }) => node === "Socket-3");
    expect(evaluating?.prompt).toMatch(/Output format\n.*\n\{"satisfied":true,"context":"…"\}/);
    expect(evaluating?.prompt).not.toContain("workItems");
  });

  test("the full prompt of each turn is an artifact", async () => {
    const stage = new Stage({ loadout: one(agent), script: { "Socket-1": ["?", {}] } });
    const end = await stage.play();
    const kept = await Promise.all(
      notes(end, "turn").map(({ prompt }) => stage.journal.text(String(prompt))),
    );
    expect(kept).toEqual(stage.prompts.map(({ prompt }) => prompt));
  });

  test("a prompt does not grow with the number of context entries", async () => {
    const script = {
      "Socket-1": [items(100)],
      "Socket-2": { outputs: ["built"], repeat: true },
      "Socket-3": { outputs: [{ satisfied: true, context: "All is well." }], repeat: true },
      "Socket-4": { outputs: [yes], repeat: true },
      "Socket-5": ["told"],
    };
    const stage = new Stage({ loadout: workshop(), script });
    expect(await stage.play()).toMatchObject({ status: "completed" });
    const [report] = stage.prompts.slice(-1);
    expect(report?.prompt.match(/All is well\./g)).toHaveLength(30);
    expect(report?.prompt).toContain("Eval (WI-100): All is well.");
  });
});
