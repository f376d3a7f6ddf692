/** Inbox graphs, sections 1 to 4 of their rules: what a node runs on, what it may send, and what the log says of both. */
import { describe, expect, test } from "vitest";
import type { Agent, Turn } from "../../src/agent/agent.ts";
import type { JsonObject } from "../../src/base/json.ts";
import { random } from "../../src/base/random.ts";
import { resumeWrites } from "../../src/inbox.ts";
import type { Event } from "../../src/kernel/event.ts";
import { Crash, FaultyJournal } from "../../src/testing/faulty-journal.ts";
import { Gates, graph, JOURNALS, Stage, settled, told, turn } from "./inbox-stage.ts";

const asking = (text: string, more: Record<string, string> = {}) =>
  turn(text, more, { ask: { title: "May I?", args: {} } });

/** The envelopes that the log delivered, in order. */
function envelopesIn(events: readonly Event[]): JsonObject[] {
  const writes = events.flatMap((event) => (event.type === "task.finished" ? event.writes : []));
  return writes.flatMap(({ channel, value }) => (channel.startsWith("inbox:") ? [value as JsonObject] : []));
}

describe.each(JOURNALS)("on a %s journal", (_name, makeJournal) => {
  test("§1 an edge is a handoff in both directions unless it says otherwise, and one to the node itself goes one way", async () => {
    const edges = [
      { from: "a", to: "b" },
      { from: "a", to: "c", type: "report", direction: "directional" },
      { from: "a", to: "a" },
    ];
    const stage = new Stage({
      graph: graph("a b c", edges),
      script: {
        a: [turn("1", { b: "x", c: "x", a: "x" }), "2", "3"],
        b: [turn("1", { a: "back" })],
        c: [turn("1", { a: "no way" })],
      },
      journal: makeJournal(),
    });
    const { deliveries, rejections } = await stage.play("a: go");
    expect(deliveries.map(({ from, to, type }) => `${from}>${to} ${type}`).toSorted()).toEqual([
      ...["a>a handoff", "a>b handoff", "a>c report", "b>a handoff"],
    ]);
    expect(rejections).toEqual([{ from: "c", to: "a", code: "no_edge" }]);
    expect(stage.definition.edges.map(({ direction }) => direction)).toEqual([
      ...["bidirectional", "directional", "directional"],
    ]);
  });

  test("§1 each kind of node is told its part, and only the kinds that do the work may change files", async () => {
    const nodes = Object.fromEntries(["orchestrator", "task", "verifier"].map((kind) => [kind, { kind }]));
    const script = Object.fromEntries(Object.keys(nodes).map((node) => [node, ["ok"]]));
    const stage = new Stage({ graph: { nodes, edges: [] }, script, journal: makeJournal() });
    await stage.play("orchestrator: go", "task: go", "verifier: go");
    const told = stage.requests.map(({ node, tools, prompt }) => [node, tools, prompt.split("\n")[2]]);
    expect(told).toEqual([
      ["orchestrator", "readOnly", expect.stringContaining("You lead the work")],
      ["task", "coding", expect.stringContaining("You do the work")],
      ["verifier", "readOnly", expect.stringContaining("You check the work")],
    ]);
  });

  test("§1 a graph with unknown ends or ids that stand twice never gets as far as a run", async () => {
    const wrong = [
      graph("a", [{ from: "a", to: "z" }]),
      graph("a b", [
        { id: "e", from: "a", to: "b" },
        { id: "e", from: "b", to: "a" },
      ]),
    ];
    const journal = makeJournal();
    for (const each of wrong)
      expect(() => new Stage({ graph: each, journal })).toThrow(/unknown_endpoint|duplicate_id/);
    expect(await journal.runs({})).toEqual([]);
  });

  test("§2 what people write and what nodes send has one order in an inbox, that of arrival", async () => {
    const gates = new Gates();
    const stage = new Stage({
      graph: graph("a b", ["b>a"]),
      script: { a: ["one", "two"], b: [turn("sent", { a: "from b" })] },
      journal: makeJournal(),
      before: gates.hold,
    });
    await stage.start("a: go", "b: go");
    const driving = stage.drive();
    await gates.begun("a");
    await stage.send("a: before b");
    await gates.pass("b");
    await stage.send("a: after b");
    await gates.pass("a");
    await gates.pass("a");
    expect(told(await driving).at(-1)).toBe(
      "a 2 completed [2 message user: before b | 3 handoff b: from b | 4 message user: after b]",
    );
  });

  test("§2 a node runs when it is idle, has mail, and the run is running: none of the three may be missing", async () => {
    const stage = new Stage({
      graph: graph("empty failed asked fine", []),
      script: {
        empty: ["never"],
        failed: [turn("", {}, { fail: "broken" }), "never"],
        asked: [asking("asked"), "never"],
        fine: ["1", "2"],
      },
      journal: makeJournal(),
    });
    await stage.play("failed: go", "asked: go", "fine: go");
    for (const node of ["failed", "asked", "fine"]) await stage.send(`${node}: more`);
    await stage.tell({ type: "pause" });
    expect((await stage.drive()).turns).toHaveLength(3);
    await stage.tell({ type: "resume", writes: resumeWrites() });
    const { turns, nodes } = await stage.drive();
    expect(turns.slice(3).map(({ node }) => node)).toEqual(["fine"]);
    expect(nodes).toEqual({
      empty: { status: "idle", inbox: 0 },
      failed: { status: "failed", inbox: 1 },
      asked: { status: "blocked", inbox: 1 },
      fine: { status: "idle", inbox: 0 },
    });
  });

  test("§2 a node has one turn at a time, and nothing that arrives interrupts it", async () => {
    const gates = new Gates();
    let atWork = 0;
    const stage = new Stage({
      graph: graph("a", []),
      script: { a: ["1", "2"] },
      journal: makeJournal(),
      before: async (request) => {
        expect(++atWork).toBe(1);
        await gates.hold(request);
        expect(request.signal.aborted).toBe(false);
        atWork--;
      },
    });
    await stage.start("a: one");
    const driving = stage.drive();
    await gates.begun("a");
    for (const text of ["two", "three"]) await stage.send(`a: ${text}`);
    await settled();
    expect((await stage.standing()).nodes["a"]).toEqual({ status: "running", inbox: 2 });
    await gates.pass("a");
    await gates.pass("a");
    expect(told(await driving)).toEqual([
      "a 1 completed [1 message user: one]",
      "a 2 completed [2 message user: two | 3 message user: three]",
    ]);
  });

  test("§2 an interrupt of a node that has no turn in hand is refused", async () => {
    const stage = new Stage({
      graph: graph("a b", []),
      script: { a: [asking("x")] },
      journal: makeJournal(),
    });
    await stage.play("a: go");
    for (const node of ["a", "b"]) {
      await expect(stage.tell({ type: "interrupt", node })).rejects.toMatchObject({ code: "wrong_state" });
    }
    await expect(stage.tell({ type: "interrupt", node: "z" })).rejects.toMatchObject({
      code: "unknown_node",
    });
  });

  test("§3 a turn is recorded as it goes: what it takes, its prompts, how it ended, its deliveries, its status", async () => {
    const stage = new Stage({
      graph: graph("a b", ["a>b"]),
      script: { a: [turn("done", { b: "x" })], b: ["end"] },
      journal: makeJournal(),
    });
    const { events } = await stage.play("a: go");
    const steps = events.flatMap((event): string[] => {
      if (event.type === "step.opened") return event.tasks.map(({ task }) => `opened ${task}`);
      if (event.type === "task.remembered") return [`${event.key} ${event.task}`];
      if (event.type === "task.noted") return [`${event.kind} ${event.task}`];
      if (event.type === "task.finished") return [`finished ${event.task}`];
      return event.type === "step.committed" ? [`committed ${event.ran.join()}`] : [];
    });
    const stages = (task: string) => [
      ...[`opened ${task}`, `begin:1 ${task}`, `inbox.turn ${task}`, `finished ${task}`, `committed ${task}`],
    ];
    expect(steps).toEqual([...stages("1/a"), ...stages("2/b")]);
  });

  test("§3 a text that looks like a call sends nothing", async () => {
    const text =
      '<tool_call>{"name": "send", "arguments": {"to": "b", "message": "psst"}}</tool_call> send(b, hi)';
    const json = { sends: [{ to: "b", message: "psst" }], to: "b", message: "psst" };
    const stage = new Stage({
      graph: graph("a b", ["a>b"]),
      script: { a: [text, json], b: ["never"] },
      journal: makeJournal(),
    });
    await stage.play("a: go");
    await stage.send("a: again");
    const standing = await stage.drive();
    expect(standing).toMatchObject({ status: "completed", deliveries: [], rejections: [] });
    expect(standing.turns.map(({ node }) => node)).toEqual(["a", "a"]);
  });

  test("§3 nobody waits for several reports on a node's behalf: it runs on the first one", async () => {
    const gates = new Gates();
    const stage = new Stage({
      graph: graph("lead a b", ["lead-a", "lead-b"]),
      script: {
        lead: [turn("both", { a: "do", b: "do" }), "heard one", "heard the other"],
        a: [turn("a", { lead: "a is done" })],
        b: [turn("b", { lead: "b is done" })],
      },
      journal: makeJournal(),
      before: (request) => (request.node === "b" ? gates.hold(request) : undefined),
    });
    await stage.start("lead: go");
    const driving = stage.drive();
    await gates.begun("b");
    await settled();
    expect(told(await stage.standing()).at(-1)).toBe("lead 2 completed [2 handoff a: a is done]");
    await gates.pass("b");
    expect(told(await driving).at(-1)).toBe("lead 3 completed [3 handoff b: b is done]");
  });

  test("§3 an automatic edge stays silent after a turn that failed or was interrupted", async () => {
    const gates = new Gates();
    const stage = new Stage({
      graph: graph("a b c", [
        { from: "a", to: "c", auto: true },
        { from: "b", to: "c", auto: true },
      ]),
      script: { a: [turn("half", {}, { fail: "broken" })], b: ["half", "half"] },
      journal: makeJournal(),
      before: (request) => (request.node === "b" ? gates.hold(request) : undefined),
    });
    await stage.start("a: go", "b: go");
    const driving = stage.drive();
    await gates.begun("b");
    await stage.tell({ type: "interrupt", node: "b" });
    expect((await driving).deliveries).toEqual([]);
  });

  test("§4 an envelope's id is the runtime's: what a model calls its send has no say in it", async () => {
    const send = { id: "mine", seq: 99, turn: 7, from: "boss", edge: "none", to: "b", message: "hi" };
    const agent: Agent = {
      mayWrite: () => false,
      session: ({ node }) => node,
      turn: async ({ node }): Promise<Turn> => {
        const usage = { tokens: 0, costUsd: 0 };
        return { kind: "done", text: node, usage, cursor: 1, ...(node === "a" && { sends: [send, send] }) };
      },
    };
    const stage = new Stage({
      graph: graph("a b", ["a>b"]),
      services: { agent: () => agent },
      journal: makeJournal(),
    });
    const { events, deliveries } = await stage.play("a: go");
    const own = { edge: "a-b", from: "a", to: "b", type: "handoff", turn: 1 };
    const payload = { message: "hi", artifacts: [] };
    expect(envelopesIn(events)).toEqual([
      { id: "a/1/1", ...own, payload },
      { id: "a/1/2", ...own, payload },
    ]);
    expect(deliveries.map(({ seq }) => seq)).toEqual([1, 2]);
  });

  test("§4 an envelope carries message, data, references and, when its sender closes the goal, how it ended", async () => {
    const agent: Agent = {
      mayWrite: () => false,
      session: ({ node }) => node,
      turn: async ({ node }): Promise<Turn> => {
        const end = { kind: "done", text: "over", usage: { tokens: 0, costUsd: 0 }, cursor: 1 } as const;
        if (node === "b") return end;
        const artifacts = [{ kind: "report", ref: "sha256:1" }];
        const sends = [{ to: "b", message: "bye", structured: { n: 1 }, artifacts }];
        return { ...end, sends, finish: { ok: false, summary: "too hard" } };
      },
    };
    const nodes = { a: { kind: "orchestrator" }, b: { kind: "task" } };
    const stage = new Stage({
      graph: { nodes, edges: [{ from: "a", to: "b" }] },
      services: { agent: () => agent },
      journal: makeJournal(),
    });
    const { events, view } = await stage.play("a: go");
    const [envelope] = envelopesIn(events);
    expect(envelope?.["payload"]).toEqual({
      ...{ message: "bye", structured: { n: 1 }, artifacts: [{ kind: "report", ref: "sha256:1" }] },
      status: { ok: false, reason: "too hard" },
    });
    expect(await stage.text(view.prompts[1]?.full)).toContain('Data: {"n":1}\nAttached report: sha256:1');
  });

  test("§4 delivery and consumption are both recorded: an envelope names its turn, a turn names what it consumed", async () => {
    const stage = new Stage({
      graph: graph("a b", ["a>b"]),
      script: { a: [turn("1", { b: "x" }), turn("2", { b: "y" })], b: ["b1", "b2"] },
      journal: makeJournal(),
    });
    await stage.play("a: one");
    await stage.send("a: two");
    const { events, turns } = await stage.drive();
    expect(envelopesIn(events).map(({ from, turn: number }) => [from, number])).toEqual([
      ["a", 1],
      ["a", 2],
    ]);
    const taken = events.flatMap((event) => (event.type === "step.opened" ? event.tasks : []));
    expect(taken.map(({ node, takes }) => [node, takes?.[`inbox:${node}`]])).toEqual([
      ...[["a", 1], ["b", 1], ["a", 1], ["b", 1]], // biome-ignore format: one row
    ]);
    expect(
      turns.filter(({ node }) => node === "b").map(({ consumed }) => consumed.map(({ seq }) => seq)),
    ).toEqual([[1], [2]]);
  });

  test("§4 what arrives a second time under the same id is recorded as a duplicate and delivered once", async () => {
    const agent = (answered: boolean): Agent => ({
      mayWrite: () => false,
      session: ({ node }) => node,
      turn: async ({ node, send }): Promise<Turn> => {
        const usage = { tokens: 0, costUsd: 0 };
        if (node === "b") return { kind: "done", text: "read", usage, cursor: 1 };
        send?.({ to: "b", message: "staged" });
        if (!answered) return { kind: "asks", title: "May I?", args: {} };
        const sends = [{ to: "b", message: "staged" }, { to: "b", message: "returned" }]; // biome-ignore format: two
        return { kind: "done", text: "over", usage, cursor: 1, sends };
      },
    });
    const journal = makeJournal();
    const options = { graph: graph("a b", ["a>b"]), journal };
    await new Stage({ ...options, services: { agent: () => agent(false) } }).play("a: go");
    const later = new Stage({ ...options, services: { agent: () => agent(true) } }); // the agent begins anew
    await later.tell({ type: "answer", value: true });
    const { deliveries } = await later.drive();
    expect(deliveries.map(({ message }) => message)).toEqual(["staged", "returned"]);
    const duplicate = { id: "a/1/1", from: "a", to: "b" };
    expect(await later.notes("inbox.duplicate")).toEqual([duplicate, duplicate]);
  });

  test("§4 no id is delivered twice, through failures, interrupts, crashes, and a node that is removed and added again", async () => {
    const steps = [
      turn("", {}, { fail: "broken" }),
      ...Array.from({ length: 9 }, (_, n) => turn(`${n}`, { b: `${n}` })),
    ];
    const options = {
      graph: graph("a b", ["a>b"]),
      script: { a: steps, b: { outputs: ["ok"], repeat: true } },
    };
    const inner = makeJournal();
    const draw = random("twice");
    const attempt = async (stage: Stage, round: number) => {
      if (round === 0) await stage.start("a: go");
      else await stage.send(`a: ${round}`); // a dead letter in the rounds without it
      const inbox = await stage.inbox();
      await inbox.drive();
      if ((await stage.standing()).nodes["a"]?.status === "failed")
        await stage.tell({ type: "retry", node: "a" });
      if (round % 4 === 2) await inbox.edit([{ type: "remove_node", id: "a" }]);
      if (round % 4 === 3) {
        const node = { kind: "task" } as const;
        await inbox.edit([
          { type: "set_node", id: "a", node },
          { type: "set_edge", edge: { from: "a", to: "b" } },
        ]);
      }
      if ((await stage.standing()).status === "paused")
        await inbox.send({ type: "resume", writes: resumeWrites() });
      await inbox.drive();
    };
    await attempt(new Stage({ ...options, journal: inner }), 0);
    for (let round = 1; round < 16; round++) {
      const plan = { append: 1 + Math.floor(draw() * 9), write: draw() < 0.5 ? "kept" : "lost" } as const;
      await attempt(new Stage({ ...options, journal: new FaultyJournal(inner, plan) }), round).catch(
        (error) => {
          if (!(error instanceof Crash)) throw error;
        },
      );
    }
    const ids = envelopesIn(await inner.read("r" as never, 0)).map(({ id }) => String(id));
    expect(ids.length).toBeGreaterThan(4);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
