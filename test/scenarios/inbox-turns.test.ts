/** Inbox graphs, sections 2 to 4 of their rules: inboxes, turns, sends and envelopes. */
import { describe, expect, test } from "vitest";
import { Gates, graph, JOURNALS, Stage, settled, told, turn } from "./inbox-stage.ts";

describe.each(JOURNALS)("on a %s journal", (_name, makeJournal) => {
  test("§2 what has arrived is consumed whole, in the order of its numbers; what comes later waits for the next turn", async () => {
    const gates = new Gates();
    const stage = new Stage({
      graph: graph("a b c", ["b>a", "c>a"], { limits: { maxConcurrentTurns: 3 } }),
      script: { a: ["one", "two"], b: [turn("sent", { a: "from b" })], c: [turn("sent", { a: "from c" })] },
      journal: makeJournal(),
      before: gates.hold,
    });
    await stage.start("a: first", "a: second", "b: go", "c: go");
    const driving = stage.drive();
    await gates.pass("c");
    await gates.pass("b");
    await gates.pass("a");
    await gates.pass("a");
    const standing = await driving;
    expect(standing.status).toBe("completed");
    expect(told(standing)).toEqual([
      "a 1 completed [1 message user: first | 2 message user: second]",
      "b 1 completed [1 message user: go]",
      "c 1 completed [1 message user: go]",
      "a 2 completed [3 handoff c: from c | 4 handoff b: from b]",
    ]);
    expect(await stage.replays()).toBe(true);
  });

  test("§2 who became runnable first starts first, then definition order; no more turns at once than allowed", async () => {
    const gates = new Gates();
    const stage = new Stage({
      graph: graph("a b c d", ["a>d", "a>b"], { limits: { maxConcurrentTurns: 1 } }),
      script: { a: [turn("x", { d: "hi", b: "hi" })], b: ["b"], c: ["c"], d: ["d"] },
      journal: makeJournal(),
      before: gates.hold,
    });
    await stage.start("a: go");
    const driving = stage.drive();
    await gates.begun("a");
    await stage.send("c: go");
    await settled();
    expect(stage.requests.map(({ node }) => node)).toEqual(["a"]);
    for (const node of ["a", "c", "b", "d"]) await gates.pass(node);
    expect((await driving).turns.map(({ node }) => node)).toEqual(["a", "c", "b", "d"]);
  });

  test("§2 a slow node delays no other: everything that does not wait for it is recorded before it ends", async () => {
    const gates = new Gates();
    const stage = new Stage({
      graph: graph("slow a b", ["a-b", "slow>a"]),
      script: {
        slow: [turn("late", { a: "at last" })],
        a: [turn("1", { b: "x" }), turn("3", { b: "y" }), "5"],
        b: [turn("2", { a: "x" }), "4"],
      },
      journal: makeJournal(),
      before: (request) => (request.node === "slow" ? gates.hold(request) : undefined),
    });
    await stage.start("slow: go", "a: go");
    const driving = stage.drive();
    await settled();
    const before = await stage.standing();
    expect(before.turns.filter(({ status }) => status === "completed").map(({ node }) => node)).toEqual([
      "a",
      "b",
      "a",
      "b",
    ]);
    expect(before.nodes["slow"]).toEqual({ status: "running", inbox: 0 });
    await gates.pass("slow");
    const standing = await driving;
    expect(told(standing).at(-1)).toBe("a 3 completed [3 handoff slow: at last]");
    const commits = standing.events.flatMap((event) => (event.type === "step.committed" ? event.ran : []));
    expect(commits.map((task) => task.split("/")[1])).toEqual(["a", "b", "a", "b", "slow", "a"]);
  });

  test("§3 sends are delivered with the commit of their turn, and only over an edge in that direction", async () => {
    const stage = new Stage({
      graph: graph("a b c", ["a>b"]),
      script: {
        a: [turn("sent", { b: "work", c: "no edge", nobody: "who?", bb: "typo" })],
        b: [turn("back", { a: "against the edge" })],
      },
      journal: makeJournal(),
    });
    const standing = await stage.play("a: go");
    expect(standing.status).toBe("completed");
    expect(standing.deliveries).toEqual([
      { seq: 1, from: "a", to: "b", type: "handoff", message: "work", artifacts: [] },
    ]);
    expect(standing.rejections).toEqual([
      { from: "a", to: "c", code: "no_edge" },
      { from: "a", to: "nobody", code: "unknown_target" },
      { from: "a", to: "bb", code: "unknown_target" },
      { from: "b", to: "a", code: "no_edge" },
    ]);
  });

  test("§3 a send that is no message is rejected as invalid, and the agent is told in its next turn", async () => {
    const stage = new Stage({
      graph: graph("a b", ["a-b"]),
      script: { a: [turn("sent", { b: " " }), "again"] },
      journal: makeJournal(),
    });
    expect((await stage.play("a: go")).rejections).toEqual([{ from: "a", to: "b", code: "invalid" }]);
    await stage.send("a: go on");
    await stage.drive();
    expect(stage.requests[1]?.prompt).toContain("- to b (invalid): ");
  });

  test("§3 a turn without a final message fails and says why", async () => {
    const stage = new Stage({
      graph: graph("a b", ["a-b"]),
      script: { a: [turn("", { b: "never" })] },
      journal: makeJournal(),
    });
    const standing = await stage.play("a: go");
    expect(standing).toMatchObject({ status: "failed", reason: "output_invalid", deliveries: [] });
    expect(standing.message).toContain("without a final message");
    expect(standing.nodes).toEqual({ a: { status: "failed", inbox: 0 }, b: { status: "idle", inbox: 0 } });
  });

  test("§3 two parallel edges and one send make one envelope; an edge that points there is preferred", async () => {
    const edges = [
      { id: "e1", from: "a", to: "b" },
      { id: "e2", from: "a", to: "b", type: "report" },
      { id: "e3", from: "b", to: "a", type: "report", direction: "directional" },
    ];
    const stage = new Stage({
      graph: graph("a b", edges),
      script: { a: [turn("x", { b: "work" }), "end"], b: [turn("y", { a: "done" })] },
      journal: makeJournal(),
    });
    const { deliveries, events } = await stage.play("a: go");
    expect(deliveries.map(({ to, type }) => `${type} to ${to}`)).toEqual(["handoff to b", "report to a"]);
    const writes = events.flatMap((event) => (event.type === "task.finished" ? event.writes : []));
    const envelopes = writes.filter(({ channel }) => channel.startsWith("inbox:")).map(({ value }) => value);
    expect(envelopes).toMatchObject([
      { id: "a/1/1", edge: "e1", from: "a", to: "b", turn: 1 },
      { id: "b/1/1", edge: "e3", from: "b", to: "a", turn: 1 },
    ]);
  });

  test("§3 an automatic edge carries the final message forwards, and never back to the sender of the turn's input", async () => {
    const edges = [
      { from: "a", to: "b", auto: true },
      { from: "b", to: "a", auto: true, direction: "directional" },
      { from: "b", to: "c", auto: true, type: "report" },
    ];
    const stage = new Stage({
      graph: graph("a b c", edges),
      script: { a: ["from a"], b: ["from b"], c: ["from c"] },
      journal: makeJournal(),
    });
    const standing = await stage.play("a: go");
    expect(
      standing.deliveries.map(({ from, to, type, message }) => `${from}>${to} ${type}: ${message}`),
    ).toEqual(["a>b handoff: from a", "b>c report: from b"]);
  });

  test("§3 a diff that the runtime took is kept, and every envelope of its turn refers to it", async () => {
    const marks: string[] = [];
    const stage = new Stage({
      graph: graph("a b c", ["a>b", "a>c"]),
      script: { a: [turn("x", { b: "see", c: "see" })], b: ["ok"], c: ["ok"] },
      journal: makeJournal(),
      mayWrite: true,
      services: {
        tree: {
          mark: async () => `before turn ${marks.length + 1}`,
          changes: async (mark) => {
            marks.push(String(mark));
            return marks.length === 1 ? { diff: "+ a line", paths: ["a.txt"] } : undefined;
          },
          restore: async () => {},
        },
      },
    });
    const { deliveries } = await stage.play("a: go");
    expect(marks).toEqual(["before turn 1", "before turn 2", "before turn 3"]);
    const [first, second] = deliveries;
    expect(first?.artifacts).toEqual([{ kind: "diff", ref: expect.stringMatching(/^sha256:/) }]);
    expect(second?.artifacts).toEqual(first?.artifacts);
    expect(await stage.text(first?.artifacts[0]?.ref)).toBe("+ a line");
  });

  test("§4 ids and numbers are the same in every run, whatever order turns end in", async () => {
    const play = async (order: readonly string[]) => {
      const gates = new Gates();
      const stage = new Stage({
        graph: graph("a b c", ["a>c", "b>c"], { limits: { stallAfter: 9 } }),
        script: {
          a: [turn("1", { c: "a1" }), turn("2", { c: "a2" })],
          b: [turn("1", { c: "b1" })],
          c: { outputs: ["ok"], repeat: true },
        },
        journal: makeJournal(),
        before: (request) => (request.node === "c" ? undefined : gates.hold(request)),
      });
      await stage.start("a: x", "b: x");
      const driving = stage.drive();
      await gates.begun("a");
      await stage.send("a: y");
      for (const node of order) await gates.pass(node);
      const { deliveries, turns } = await driving;
      const consumed = turns.filter(({ node }) => node === "c").flatMap((line) => line.consumed);
      expect(consumed.map(({ seq, message }) => [seq, message])).toEqual(
        deliveries.map(({ seq, message }) => [seq, message]),
      );
      expect(consumed.map(({ seq }) => seq)).toEqual([1, 2, 3]);
      return deliveries.map(({ message }) => message);
    };
    expect(await play(["a", "b", "a"])).toEqual(["a1", "b1", "a2"]);
    expect(await play(["b", "a", "a"])).toEqual(["b1", "a1", "a2"]);
    expect(await play(["a", "a", "b"])).toEqual(["a1", "a2", "b1"]);
  });
});

test.concurrent.each(JOURNALS)(
  "§2 a node that sleeps two seconds delays no other by more than its own deliveries do, in the recorded order (%s)",
  async (_name, makeJournal) => {
    const stage = new Stage({
      graph: graph("sleeper a b c", ["a-b", "sleeper>c"]),
      script: {
        sleeper: [turn("awake", { c: "at last" }, { delayMs: 2000 })],
        a: [turn("1", { b: "x" }), turn("2", { b: "y" }), "3"],
        b: [turn("1", { a: "x" }), turn("2", { a: "y" })],
        c: ["1", "2"],
      },
      journal: makeJournal(),
      inRealTime: true,
    });
    const { events, status } = await stage.play("sleeper: go", "a: go", "c: go");
    expect(status).toBe("completed");
    const committed = events.flatMap((event) => (event.type === "step.committed" ? event.ran : []));
    const order = committed.map((task) => task.split("/")[1]);
    const [others, after] = [order.slice(0, order.indexOf("sleeper")), order.slice(order.indexOf("sleeper"))];
    expect(others.toSorted()).toEqual(["a", "a", "a", "b", "b", "c"]); // all that does not wait for it
    expect(after).toEqual(["sleeper", "c"]); // and what it delivers itself
  },
);

test("what the log keeps of a turn does not grow with the number of turns before it", async () => {
  const rally = (from: string, to: string) =>
    Array.from({ length: 400 }, (_, n) => turn(`${from} ${1000 + n}`, { [to]: `${1000 + n}` }));
  const stage = new Stage({
    graph: graph("a b", ["a-b"]),
    script: { a: rally("a", "b"), b: [...rally("b", "a").slice(0, 399), "end"] },
  });
  const { events, turns, status } = await stage.play("a: 1000");
  expect(status).toBe("completed");
  expect(turns).toHaveLength(800);
  const size = (from: number, to: number) => JSON.stringify(events.slice(from, to)).length;
  const [early, late] = [size(500, 1000), size(events.length - 1000, events.length - 500)];
  expect(late / early).toBeLessThan(1.02);
});
