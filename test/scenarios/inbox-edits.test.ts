/** Inbox graphs, section 8 of their rules: a graph that is changed while it runs. */
import { describe, expect, test } from "vitest";
import { runId } from "../../src/base/names.ts";
import { InboxRun } from "../../src/inbox.ts";
import { Ledger } from "../../src/run/ledger.ts";
import { Crash, FaultyJournal } from "../../src/testing/faulty-journal.ts";
import { virtualClock } from "../kit.ts";
import { Gates, graph, JOURNALS, RUN, Stage, told, turn } from "./inbox-stage.ts";

const task = { kind: "task" } as const;

describe.each(JOURNALS)("on a %s journal", (_name, makeJournal) => {
  test("§8 edits are recorded commands; the driver goes on with the changed graph", async () => {
    const gates = new Gates();
    const stage = new Stage({
      graph: graph("a b", ["a>b"]),
      script: { a: [turn("1", { b: "x" }), turn("2", { c: "welcome" })], b: ["b"], c: ["c"] },
      journal: makeJournal(),
      before: gates.hold,
    });
    await stage.start("a: go");
    const inbox = await stage.inbox();
    const driving = inbox.drive();
    await gates.begun("a");
    const edited = await inbox.edit([
      { type: "set_node", id: "c", node: task },
      { type: "set_edge", edge: { id: "new", from: "a", to: "c" } },
    ]);
    expect(edited).toMatchObject({ ok: true, definition: { nodes: { c: { workspace: "shared" } } } });
    for (const node of ["a", "b"]) await gates.pass(node);
    expect(await driving).toMatchObject({ kind: "idle" });
    await stage.send("a: more");
    const again = inbox.drive();
    for (const node of ["a", "c"]) await gates.pass(node);
    expect(await again).toMatchObject({ kind: "idle" });
    const standing = await stage.standing();
    expect(told(standing)).toEqual([
      "a 1 completed [1 message user: go]",
      "b 1 completed [1 handoff a: x]",
      "a 2 completed [2 message user: more]",
      "c 1 completed [1 handoff a: welcome]",
    ]);
    expect(standing.events.filter(({ type }) => type === "plan.amended")).toHaveLength(1);
    expect(await stage.replays()).toBe(true);
  });

  test("§8 a send that was staged over an edge which is removed meanwhile is rejected at commit", async () => {
    const gates = new Gates();
    const verdicts: unknown[] = [];
    const stage = new Stage({
      graph: graph("a b", ["a>b"]),
      script: { a: ["said"], b: ["b"] },
      journal: makeJournal(),
      before: async (request) => {
        if (request.node !== "a") return;
        verdicts.push(request.send?.({ to: "b", message: "staged" }));
        await gates.hold(request);
        verdicts.push(request.send?.({ to: "b", message: "too late" }));
      },
    });
    await stage.start("a: go", "b: hello");
    const inbox = await stage.inbox();
    const driving = inbox.drive();
    await gates.begun("a");
    await inbox.edit([{ type: "remove_edge", id: "a-b" }]);
    await gates.pass("a");
    await driving;
    const { deliveries, rejections, status } = await stage.standing();
    expect(verdicts).toMatchObject([{ ok: true }, { ok: false, code: "edge_removed" }]);
    expect({ status, deliveries }).toEqual({ status: "completed", deliveries: [] });
    expect(rejections).toEqual([
      { from: "a", to: "b", code: "edge_removed" },
      { from: "a", to: "b", code: "edge_removed" },
    ]);
  });

  test("§8 a turn ends on the graph and the interrupts that the log has by then, whoever recorded them", async () => {
    const gates = new Gates();
    const journal = makeJournal();
    const options = {
      graph: graph("a b c", ["a>b", "c>b"]),
      script: { a: [turn("x", { b: "late" })], c: [turn("y", { b: "late" })], b: ["b"] },
    };
    const stage = new Stage({ ...options, journal, before: gates.hold });
    await stage.start("a: go", "c: go");
    const driving = (await stage.inbox()).drive(); // it looks at the log for nobody else meanwhile
    for (const node of ["a", "c"]) await gates.begun(node);
    const other = await new Stage({ ...options, journal }).inbox();
    await other.edit([{ type: "remove_edge", id: "a-b" }]);
    await other.send({ type: "interrupt", node: "c" });
    for (const node of ["a", "c"]) await gates.pass(node);
    await driving;
    const { deliveries, rejections, turns } = await stage.standing();
    expect(deliveries).toEqual([]);
    expect(rejections).toEqual([{ from: "a", to: "b", code: "edge_removed" }]);
    expect(turns.map(({ node, status }) => `${node} ${status}`)).toEqual(["a completed", "c interrupted"]);
  });

  test("§8 a removed edge keeps what it delivered: the envelope is read", async () => {
    const stage = new Stage({
      graph: graph("a b", ["a>b"]),
      script: { a: [turn("1", { b: "early" })], b: ["b"] },
      journal: makeJournal(),
    });
    await stage.start("a: go");
    const first = stage.drive();
    await stage.tell({ type: "pause" });
    await first;
    await stage.tell({ type: "resume" });
    const inbox = await stage.inbox();
    await inbox.edit([{ type: "remove_edge", id: "a-b" }]);
    await inbox.drive();
    expect(told(await stage.standing()).at(-1)).toBe("b 1 completed [1 handoff a: early]");
  });

  test("§8 a removed node's inbox becomes dead letters, one record each; its retry set too", async () => {
    const stage = new Stage({
      graph: graph("a b", ["a>b"]),
      script: { a: [turn("1", { b: "from a" })], b: [turn("", {}, { fail: "broken" })] },
      journal: makeJournal(),
    });
    await stage.play("b: first", "b: second");
    await stage.send("a: go");
    expect((await stage.drive()).nodes["b"]).toEqual({ status: "failed", inbox: 1 });
    const inbox = await stage.inbox();
    expect(await inbox.edit([{ type: "remove_node", id: "b" }])).toMatchObject({ ok: true });
    expect(await inbox.drive()).toMatchObject({ kind: "idle" });
    const { nodes, status } = await stage.standing();
    expect({ nodes: Object.keys(nodes), status }).toEqual({ nodes: ["a"], status: "completed" });
    expect(await stage.notes("inbox.dead_letter")).toMatchObject([
      { node: "b", letter: { message: "first" } },
      { node: "b", letter: { message: "second" } },
      { node: "b", letter: { payload: { message: "from a" } } },
    ]);
  });

  test("§8 a removed node that waits for an answer is asked nothing any more", async () => {
    const ask = turn("x", {}, { ask: { title: "May I?", args: {} } });
    const stage = new Stage({ graph: graph("a b", ["a>b"]), script: { b: [ask] }, journal: makeJournal() });
    expect((await stage.play("b: go")).status).toBe("waiting");
    const inbox = await stage.inbox();
    await inbox.edit([{ type: "remove_node", id: "b" }]);
    await inbox.drive();
    const { status, questions } = await stage.standing();
    expect({ status, questions }).toEqual({ status: "completed", questions: [] });
    expect(await stage.notes("inbox.dead_letter")).toMatchObject([{ letter: { message: "go" } }]);
  });

  test("§8 a node that is removed during its turn ends the turn; what it sends has no edge any more", async () => {
    const gates = new Gates();
    const stage = new Stage({
      graph: graph("a b", ["a-b"]),
      script: { a: ["a"], b: [turn("last words", { a: "unheard" })] },
      journal: makeJournal(),
      before: gates.hold,
    });
    await stage.start("b: go");
    const inbox = await stage.inbox();
    const driving = inbox.drive();
    await gates.begun("b");
    await stage.send("b: unread");
    await inbox.edit([{ type: "remove_node", id: "b" }]);
    await gates.pass("b");
    expect(await driving).toMatchObject({ kind: "idle" });
    const { status, turns, rejections } = await stage.standing();
    expect(status).toBe("completed");
    expect(turns).toMatchObject([{ node: "b", turn: 1, status: "completed" }]);
    expect(rejections).toEqual([{ from: "b", to: "a", code: "edge_removed" }]);
    expect(await stage.notes("inbox.dead_letter")).toMatchObject([{ letter: { message: "unread" } }]);
  });

  test("§8 an edit that leaves something wrong changes nothing and says what", async () => {
    const stage = new Stage({ graph: graph("a b", ["a>b"]), script: { a: ["1"] }, journal: makeJournal() });
    const before = (await stage.play("a: go")).events.length;
    const inbox = await stage.inbox();
    const edited = await inbox.edit([{ type: "set_edge", edge: { from: "a", to: "z" } }]);
    expect(edited).toMatchObject({ ok: false, errors: [{ code: "unknown_endpoint" }] });
    expect((await stage.standing()).events).toHaveLength(before);
    await stage.send("a: more");
    await stage.tell({ type: "cancel" });
    await expect(inbox.edit([{ type: "remove_edge", id: "a-b" }])).rejects.toMatchObject({
      code: "wrong_state",
    });
  });

  test("§8 of two edits at the same time, from two processes, neither is lost", async () => {
    const journal = makeJournal();
    const stage = new Stage({ graph: graph("a b", ["a>b"]), script: { a: ["1"] }, journal });
    await stage.play("a: go");
    const one = await stage.inbox();
    const ledger = await Ledger.open(journal, RUN, { clock: virtualClock() });
    const two = await InboxRun.open({ ledger, services: stage.services() });
    await Promise.all([
      one.edit([{ type: "set_node", id: "c", node: task }]),
      two.edit([{ type: "remove_edge", id: "a-b" }]),
    ]);
    await one.ledger.refresh();
    await two.ledger.refresh();
    expect(Object.keys(one.definition.nodes)).toEqual(["a", "b", "c"]);
    expect(one.definition.edges).toEqual([]);
    expect(two.definition).toEqual(one.definition);
  });

  test("§8 §6 the phase is a setting: an edit lets the next turn change what it needs", async () => {
    const stage = new Stage({
      graph: graph("a", [], { phase: "planning" }),
      script: { a: ["plan", "build"] },
      journal: makeJournal(),
    });
    await stage.play("a: plan");
    const inbox = await stage.inbox();
    await inbox.edit([{ type: "set", phase: "implementation" }]);
    await stage.send("a: build");
    await inbox.drive();
    expect(stage.requests.map(({ writes }) => writes)).toEqual(["docs", "all"]);
    expect(stage.requests[1]?.prompt).toContain("This is the implementation phase");
  });

  test("§8 §9 a process that dies right after an edit leaves it to the next one", async () => {
    const inner = makeJournal();
    const options = { graph: graph("a b", ["a>b"]), script: { a: ["1"], c: ["c"] } };
    const calm = new Stage({ ...options, journal: inner });
    await calm.play("a: go");
    const dying = new Stage({ ...options, journal: new FaultyJournal(inner, { append: 1, write: "kept" }) });
    const inbox = await dying.inbox();
    await expect(inbox.edit([{ type: "set_node", id: "c", node: task }])).rejects.toThrow(Crash);
    const later = new Stage({ ...options, journal: inner });
    const next = await later.inbox();
    expect(Object.keys(next.definition.nodes)).toEqual(["a", "b", "c"]);
    await next.send({
      type: "update",
      writes: [{ channel: "inbox:c", value: { type: "message", from: "user", message: "hi" } }],
    });
    await next.drive();
    expect(told(await later.standing()).at(-1)).toBe("c 1 completed [1 message user: hi]");
  });
});

test("there is nothing to take up where no run was started", async () => {
  const stage = new Stage({ graph: graph("a", []) });
  const ledger = await Ledger.open(stage.journal, runId("none"));
  await expect(InboxRun.open({ ledger, services: stage.services() })).rejects.toMatchObject({
    code: "unknown_run",
  });
});
