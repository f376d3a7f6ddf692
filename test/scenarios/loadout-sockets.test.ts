/** Visits without an agent: utilities (§9), people, and loadouts within loadouts; and the budget (§10). */
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/base/json.ts";
import { budgetWrites, checkAnswer } from "../../src/loadout.ts";
import { items, notes, type Program, Stage, workshop, yes } from "./loadout-stage.ts";

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

describe("utilities (§9)", () => {
  const tool = { type: "utility", command: ["tool", "arg"] };
  const run = (socket: JsonObject, program: Program, materia: JsonObject = {}) =>
    new Stage({
      loadout: one({ ...tool, ...materia }, socket),
      programs: { tool: program },
      inputs: { known: 1 },
      script: { "Socket-2": ["ok"] },
    });

  test("it gets one JSON object and a newline on standard input, and nothing of a shell", async () => {
    const stage = run(onward, () => ({ state: { seen: true } }), { params: { p: 1 }, env: ["TOKEN"] });
    const end = await stage.play("Do it.");
    expect(end).toMatchObject({ status: "completed", state: { known: 1, seen: true } });
    const [request] = stage.commands;
    expect(request).toMatchObject({
      argv: ["tool", "arg"],
      timeoutMs: 30_000,
      maxOutputBytes: 1_048_576,
      env: ["TOKEN"],
    });
    expect(request?.stdin.endsWith("}\n")).toBe(true);
    expect(JSON.parse(request?.stdin ?? "")).toEqual({
      ...{ cwd: "/project", runDir: "/project/.baton/r", request: "Do it.", runId: "r" },
      ...{ socketId: "Socket-1", materiaId: "M", params: { p: 1 }, state: { known: 1 } },
      ...{ item: null, itemKey: null, itemLabel: null, cursor: null },
    });
  });

  test("within a loop it gets the item", async () => {
    const base = workshop() as { materia: JsonObject };
    const loadout = { ...base, materia: { ...base.materia, Build: tool } };
    const script = { "Socket-1": [items(1)], "Socket-3": [yes], "Socket-4": [yes], "Socket-5": ["told"] };
    const stage = new Stage({ loadout, script, programs: { tool: () => ({}) } });
    await stage.play();
    expect(JSON.parse(stage.commands[0]?.stdin ?? "")).toMatchObject({
      ...{ itemKey: "WI-1", itemLabel: "Item 1", cursor: 0, item: { title: "Item 1" } },
      state: { workItem: { title: "Item 1" }, workItemIndex: 0 },
    });
  });

  test("the state is merged before assign reads it, and other fields are the utility's own", async () => {
    const program: Program = () => ({ state: { a: 1 }, extra: "mine" });
    const end = await run({ assign: { b: "state.a", c: "$.extra" } }, program).play();
    expect(end.state).toEqual({ known: 1, a: 1, b: 1, c: "mine" });
  });

  const rows: [what: string, program: Program, reason: string, said: RegExp][] = [
    [
      "a non-zero exit",
      () => ({ code: 3, stderr: "no disk" }),
      "utility_failed",
      /exited with code 3: no disk/,
    ],
    ["a timeout", () => ({ ended: "timed_out", code: null, stderr: "" }), "utility_failed", /after 30000 ms/],
    [
      "a program that is not there",
      () => ({ ended: "not_started", code: null, stderr: "ENOENT" }),
      "utility_failed",
      /ENOENT/,
    ],
    [
      "too much output",
      () => ({ ended: "too_large", code: null, stderr: "" }),
      "output_too_large",
      /1048576 bytes/,
    ],
    ["no JSON", () => ({ stdout: "done", stderr: "why" }), "output_invalid", /JSON object.*why/],
    ["workItems in its state", () => ({ state: { workItems: [] } }), "handoff_invalid", /state\.workItems/],
    ["satisfied in its state", () => ({ state: { satisfied: true } }), "handoff_invalid", /state\.satisfied/],
    ["satisfied that is no boolean", () => ({ satisfied: 1 }), "handoff_invalid", /\/satisfied/],
  ];
  test.each(rows)("%s fails the run, and it is not asked again", async (_what, program, reason, said) => {
    const stage = run(onward, program);
    const end = await stage.play();
    expect(end).toMatchObject({ status: "failed", reason, state: { known: 1 } });
    expect(end.failure?.message).toMatch(said);
    expect(stage.commands).toHaveLength(1);
  });

  test("the failure tells the first 800 characters of standard error, and all of it is an artifact", async () => {
    const stage = run(onward, () => ({ code: 1, stderr: "e".repeat(2000) }));
    const end = await stage.play();
    expect(end.failure?.message.match(/e{100,}/)?.[0]).toHaveLength(800);
    const [note] = notes(end, "stderr");
    expect(await stage.artifact(note)).toHaveLength(2000);
  });

  test("limits.maxOutputBytes of the socket and timeoutMs of the materia hold", async () => {
    const stage = run({ ...onward, limits: { maxOutputBytes: 10 } }, () => ({}), { timeoutMs: 5 });
    await stage.play();
    expect(stage.commands[0]).toMatchObject({ maxOutputBytes: 10, timeoutMs: 5 });
  });

  test("a utility can be a generator", async () => {
    const stage = run({}, () => items(2), { generator: true });
    expect((await stage.play()).state).toMatchObject(items(2));
    const wrong = run({}, () => ({ workItems: [{ title: "x" }] }), { generator: true });
    expect(await wrong.play()).toMatchObject({ status: "failed", reason: "handoff_invalid" });
  });
});

describe("budget (§10)", () => {
  const costs = (tokens: number): JsonObject => ({ $: "turn", text: "{}", usage: { tokens } });
  const script = { "Socket-1": [costs(80)], "Socket-2": [costs(30)] };

  test("it is asked before a socket starts; a resume with a higher one goes on", async () => {
    const stage = new Stage({ loadout: one(agent, onward, { budget: { maxTokens: 80 } }), script });
    const paused = await stage.play();
    expect(paused).toMatchObject({ status: "paused", reason: "budget_exhausted", path: ["Socket-1"] });
    const run = await stage.open();
    await run.send({ type: "resume" });
    expect(await stage.drive()).toMatchObject({ status: "paused", reason: "budget_exhausted" });
    await run.send({ type: "resume", writes: budgetWrites({ maxTokens: 1000 }) });
    const end = await stage.drive();
    expect(end).toMatchObject({
      status: "completed",
      path: ["Socket-1", "Socket-2"],
      usage: { tokens: 110 },
    });
  });

  test("a run that has just finished is finished", async () => {
    const stage = new Stage({ loadout: one(agent, onward, { budget: { maxTokens: 110 } }), script });
    expect(await stage.play()).toMatchObject({ status: "completed" });
  });

  test("it warns once, at its share", async () => {
    const loadout = one(agent, onward, { budget: { maxTokens: 150, warnAtPercent: 50 } });
    const end = await new Stage({ loadout, script }).play();
    expect(end.warnings).toMatchObject([{ code: "budget", at: "Socket-1" }]);
  });
});

describe("§1: people", () => {
  const person = { type: "human", prompt: "Is it good?" };
  const decided = (answer: Json, socket: JsonObject = guarded, more: JsonObject = {}) => {
    const stage = new Stage({
      loadout: one({ ...person, ...more }, { ...socket, assign: {} }),
      script: { "Socket-2": ["ok"] },
    });
    return stage.play().then((waiting) => ({ waiting, end: stage.answer(answer) }));
  };

  test("an approval is satisfied, a denial is not and gives its reason", async () => {
    const yesPath = await (await decided({ approved: true })).end;
    expect(yesPath).toMatchObject({ status: "completed", path: ["Socket-1", "Socket-2"] });
    const { waiting, end } = await decided({ approved: false, reason: "too slow" });
    expect(waiting.questions).toMatchObject([
      { value: { kind: "human", title: "M", prompt: "Is it good?" } },
    ]);
    const denied = await end;
    expect(denied.path).toEqual(["Socket-1"]);
    expect(notes(denied, "context")).toMatchObject([{ label: "M" }]);
  });

  test("the question shows what came before it", async () => {
    const loadout = {
      entry: "Socket-1",
      sockets: {
        "Socket-1": { materia: "Plan", edges: [{ when: "always", to: "Socket-2" }] },
        "Socket-2": { materia: "Agree", parse: "json" },
      },
      materia: { Plan: { ...agent, generator: true }, Agree: person },
    };
    const waiting = await new Stage({ loadout, script: { "Socket-1": [items(1)] } }).play();
    const value = waiting.questions[0]?.value as JsonObject;
    expect(value["context"]).toMatchObject({ from: "Plan", text: expect.stringContaining("Item 1") });
  });

  test("a person who is a generator gives the items", async () => {
    const loadout = one({ ...person, generator: true }, {});
    const stage = new Stage({ loadout });
    const waiting = await stage.play();
    const [question] = waiting.questions;
    expect(checkAnswer(question!, { approved: true })).toMatch(/workItems is missing/);
    expect(checkAnswer(question!, items(1))).toBeUndefined();
    expect((await stage.answer(items(1))).state).toEqual(items(1));
  });

  test("an answer that cannot be used is asked for again, with what is wrong", async () => {
    const { end } = await decided({ oops: true });
    const again = await end;
    expect(again.status).toBe("waiting");
    expect(again.questions[0]?.value).toMatchObject({
      problem: expect.stringContaining("satisfied is missing"),
    });
  });

  test("the schema of the question holds for free answers", () => {
    const schema = { type: "object", properties: { size: { enum: ["S", "L"] } }, required: ["size"] };
    const question = { value: { kind: "human", contract: { parse: "text" } }, schema };
    expect(checkAnswer(question, { size: "M" })).toMatch(/the answer\.size should be "S" or "L"/);
    expect(checkAnswer(question, {})).toMatch(/should have size/);
    expect(checkAnswer(question, { size: "L" })).toBeUndefined();
    expect(checkAnswer({ value: { kind: "approval" } }, "maybe")).toMatch(/approve it or deny it/);
  });

  test("an approval does not go round the schema of the question; a denial says nothing that it holds for", () => {
    const schema = { type: "object", properties: { size: { enum: ["S", "L"] } }, required: ["size"] };
    const json = { value: { kind: "human", contract: { parse: "json", reads: [] } }, schema };
    expect(checkAnswer(json, { approved: true })).toMatch(/should have size/);
    expect(checkAnswer(json, { approved: true, args: { size: "M" } })).toMatch(/should be "S" or "L"/);
    expect(checkAnswer(json, { approved: false, reason: "No." })).toBeUndefined();
    const choice = { value: { kind: "human", contract: { parse: "text" } }, schema: { enum: ["S", "L"] } };
    expect(checkAnswer(choice, { approved: true })).toMatch(/should be "S" or "L"/);
    expect(checkAnswer(choice, { approved: true, args: "S" })).toBeUndefined();
  });

  test("a text socket gets the text", async () => {
    const loadout = one(person, { parse: "text", ...onward });
    const stage = new Stage({ loadout, script: { "Socket-2": ["ok"] } });
    await stage.play();
    const end = await stage.answer("as you like");
    const [output] = notes(end, "output");
    expect(await stage.artifact(output)).toBe("as you like");
  });
});

describe("§1: graphs", () => {
  const inner = {
    entry: "Socket-1",
    sockets: { "Socket-1": { materia: "Inner", parse: "json" } },
    materia: { Inner: agent },
  };
  const loadout = {
    activeLoadout: "Outer",
    loadouts: {
      Outer: {
        entry: "Socket-1",
        sockets: {
          "Socket-1": {
            materia: "Sub",
            parse: "json",
            assign: { got: "$.context" },
            edges: [{ when: "always", to: "Socket-2" }],
          },
          "Socket-2": { materia: "Last" },
        },
      },
      Inside: inner,
    },
    materia: { Sub: { type: "graph", loadout: "Inside" }, Last: agent },
  };

  test("another loadout runs as a child, and its last output counts", async () => {
    const stage = new Stage({
      loadout,
      script: {
        Inner: [{ $: "turn", text: '{"context":"from inside"}', usage: { tokens: 7 } }],
        Last: ["ok"],
      },
    });
    const end = await stage.play();
    expect(end).toMatchObject({
      ...{ status: "completed", state: { got: "from inside" }, path: ["Socket-1", "Socket-2"] },
      usage: { tokens: 7 },
    });
  });

  test("a question of the child is asked by the run", async () => {
    const script = { Inner: [{ $: "turn", text: "{}", ask: { title: "May I?", args: {} } }], Last: ["ok"] };
    const waiting = await new Stage({ loadout, script }).play();
    expect(waiting).toMatchObject({ status: "waiting", questions: [{ value: { title: "May I?" } }] });
  });

  test("§10: the child spends from the budget of the run, and goes on once that is higher", async () => {
    const twice = {
      entry: "Socket-1",
      sockets: {
        "Socket-1": { materia: "Inner", edges: [{ when: "always", to: "Socket-2" }] },
        "Socket-2": { materia: "Second", parse: "json" },
      },
      materia: { Inner: agent, Second: agent },
    };
    const turn = (text: string) => ({ $: "turn", text, usage: { tokens: 10 } });
    const stage = new Stage({
      loadout: { ...loadout, budget: { maxTokens: 10 }, loadouts: { ...loadout.loadouts, Inside: twice } },
      script: { Inner: [turn("one")], Second: [turn('{"context":"two"}')], Last: ["ok"] },
    });
    expect(await stage.play()).toMatchObject({ status: "paused", reason: "budget_exhausted" });
    expect(stage.prompts.map(({ node }) => node)).toEqual(["Socket-1"]);
    const run = await stage.open();
    await run.send({ type: "resume", writes: budgetWrites({ maxTokens: 100 }) });
    expect(await stage.drive()).toMatchObject({
      status: "completed",
      state: { got: "two" },
      usage: { tokens: 20 },
    });
  });
});
