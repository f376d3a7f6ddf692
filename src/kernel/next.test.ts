import { describe, expect, test } from "vitest";
import { append, done, last, open, program, start, sum, virtualClock } from "../../test/kit.ts";
import { failure } from "../base/failure.ts";
import type { TaskId } from "../base/names.ts";
import { LocalRun } from "../engines/local.ts";
import { archiveState, restoreState } from "./archive.ts";
import type { Plan } from "./plan.ts";
import type { Handler, Outcome, Program } from "./program.ts";
import { replay } from "./replay.ts";
import { channelValue, openQuestions } from "./state.ts";

const list = { kind: "fold", reducer: "append", initial: [] } as const;

describe("pace step", () => {
  test("tasks of a step see one snapshot, and their writes fold in definition order", async () => {
    const seen: unknown[] = [];
    const branch = (name: string, wait: number) => ({
      run: async (input: { snapshot: { read(name: string): unknown } }) => {
        for (let i = 0; i < wait; i++) await undefined;
        seen.push(input.snapshot.read("log"));
        return done({ log: [name] });
      },
    });
    const made = program({
      channels: { log: list },
      nodes: { a: { run: () => done({}, "c", "b") }, b: branch("b", 9), c: branch("c", 0) },
    });
    const { run, types } = await start(made);
    expect(channelValue(run.ledger.state, "log")).toEqual(["b", "c"]);
    expect(seen).toEqual([[], []]);
    expect(types()).toEqual([
      ...["run.started", "step.opened", "task.finished", "step.committed"],
      ...["step.opened", "task.finished", "task.finished", "step.committed", "run.finished"],
    ]);
  });

  test("two writes to one value in a step fail the run and change nothing", async () => {
    const made = program({
      channels: { x: { kind: "last", initial: 1 } },
      nodes: {
        a: { run: () => done({}, "b", "c") },
        b: { run: () => done({ x: 2 }) },
        c: { run: () => done({ x: 3 }) },
      },
    });
    const { run } = await start(made);
    expect(run.ledger.state).toMatchObject({ status: "failed", failure: { code: "invalid_update" } });
    expect(run.ledger.state.failure?.message).toContain("b and c");
    expect(channelValue(run.ledger.state, "x")).toBe(1);
  });

  test("a failed task fails the run after its siblings, and a resume runs only what did not finish", async () => {
    const ran: string[] = [];
    let broken = true;
    const made = program({
      channels: { log: list },
      nodes: {
        a: { run: () => done({}, "b", "c") },
        b: {
          run: () => {
            ran.push("b");
            if (broken) throw new Error("no");
            return done({ log: ["b"] });
          },
        },
        c: {
          run: async () => {
            ran.push("c");
            return done({ log: ["c"] });
          },
        },
      },
    });
    const { run } = await start(made);
    expect(run.ledger.state).toMatchObject({ status: "failed", failure: { code: "node_failed", at: "b" } });
    broken = false;
    await run.send({ type: "resume" });
    await run.drive();
    expect(run.ledger.state.status).toBe("completed");
    expect(ran).toEqual(["b", "c", "b"]);
    expect(channelValue(run.ledger.state, "log")).toEqual(["b", "c"]);
  });

  test("sends run after triggered nodes, in the order in which they were sent", async () => {
    const made = program({
      channels: { log: list },
      nodes: {
        a: {
          run: () => ({
            ...done({}, "c"),
            kind: "done",
            writes: [],
            route: [">c"],
            sends: [
              { node: "b", input: 1 },
              { node: "c", input: 2 },
              { node: "b", input: 3 },
            ],
          }),
        },
        b: { run: ({ input }) => done({ log: [`b${input}`] }) },
        c: { run: ({ input, sent }) => done({ log: [sent ? `c${input}` : "c"] }) },
      },
    });
    const { run, events } = await start(made);
    expect(channelValue(run.ledger.state, "log")).toEqual(["c", "b1", "c2", "b3"]);
    const opened = events().filter((event) => event.type === "step.opened");
    expect(opened[1]?.tasks.map(({ task }) => task)).toEqual(["2/c", "2/b", "2/c#1", "2/b#1"]);
  });

  test("a gate waits for all of its nodes over several steps and arms again", async () => {
    let rounds = 0;
    const made = program({
      channels: { log: list, "=bd": { kind: "gate", waitsFor: ["b", "d"] } },
      nodes: {
        a: { run: () => done({}, "b", "c") },
        b: { run: () => done({}, "=bd") },
        c: { run: () => done({}, "d") },
        d: { run: () => done({}, "=bd") },
        join: { triggers: ["=bd"], run: () => done({ log: ["join"] }, ...(rounds++ === 0 ? ["a"] : [])) },
      },
    });
    const { run } = await start(made);
    expect(channelValue(run.ledger.state, "log")).toEqual(["join", "join"]);
    expect(run.ledger.state.step).toBe(8);
  });

  test("a deferred node runs when nothing else can", async () => {
    const made = program({
      channels: { log: list },
      nodes: {
        a: { run: () => done({}, "last", "b") },
        last: { deferred: true, run: () => done({ log: ["last"] }) },
        b: { run: () => done({ log: ["b"] }, "c") },
        c: { run: () => done({ log: ["c"] }) },
      },
    });
    const { run } = await start(made);
    expect(channelValue(run.ledger.state, "log")).toEqual(["b", "c", "last"]);
  });

  test("what is fleeting is gone after the next step", async () => {
    const seen: unknown[] = [];
    const look = ({ snapshot }: { snapshot: { read(name: string): unknown } }) => {
      seen.push([snapshot.read("e"), snapshot.read("t")]);
    };
    const made = program({
      channels: {
        e: { kind: "ephemeral", guard: true },
        t: { kind: "topic", unique: true, accumulate: false },
        all: { kind: "topic", unique: true, accumulate: true },
      },
      nodes: {
        a: { run: () => done({ e: 1, t: [1, 1, 2], all: [1] }, "b") },
        b: { run: (input) => last(look(input), done({ all: [1, 2] }, "c")) },
        c: { run: (input) => last(look(input), done({ all: 3 })) },
      },
    });
    const { run } = await start(made);
    expect(seen).toEqual([
      [1, [1, 2]],
      [undefined, undefined],
    ]);
    expect(channelValue(run.ledger.state, "all")).toEqual([1, 2, 3]);
  });

  test("the limit of steps fails the run, and a higher one goes on from there", async () => {
    const made = program({
      channels: { n: sum },
      nodes: {
        a: {
          run: ({ snapshot }) => done({ n: 1 }, ...((snapshot.read("n") as number) < 9 ? ["a"] : [])),
        },
      },
    });
    const { run } = await start(made, { limits: { steps: 4 } });
    expect(run.ledger.state).toMatchObject({ status: "failed", reason: "step_limit", step: 4 });
    await run.send({ type: "resume", limits: { steps: 6 } });
    await run.drive();
    expect(run.ledger.state).toMatchObject({ status: "completed", step: 10 });
    expect(channelValue(run.ledger.state, "n")).toBe(10);
  });
});

describe("pace turn", () => {
  test("each task commits as it ends, and what it triggers starts while others run", async () => {
    const order: string[] = [];
    let release = () => {};
    const slow = new Promise<void>((resolve) => {
      release = resolve;
    });
    const made = program({
      pace: "turn",
      channels: { log: list },
      nodes: {
        a: { run: () => done({}, "slow", "fast") },
        slow: { run: async () => last(await slow, order.push("slow"), done({ log: ["slow"] })) },
        fast: { run: async () => last(order.push("fast"), done({ log: ["fast"] }, "after")) },
        after: { run: () => last(order.push("after"), release(), done({ log: ["after"] })) },
      },
    });
    const { run } = await start(made);
    expect(order).toEqual(["fast", "after", "slow"]);
    expect(channelValue(run.ledger.state, "log")).toEqual(["fast", "after", "slow"]);
  });

  test("a snapshot does not show what others commit while the task runs", async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const seen: unknown[] = [];
    const made = program({
      pace: "turn",
      channels: { log: list },
      nodes: {
        a: { run: () => done({ log: ["a"] }, "slow", "fast") },
        slow: { run: async ({ snapshot }) => last(await gate, seen.push(snapshot.read("log")), done()) },
        fast: { run: () => last(queueMicrotask(release), done({ log: ["fast"] })) },
      },
    });
    await start(made);
    expect(seen).toEqual([["a"]]);
  });

  test("a queue is consumed whole by the turn that takes it; what comes later waits for the next", async () => {
    const turns: unknown[] = [];
    const made = program({
      pace: "turn",
      channels: { inbox: { kind: "queue" } },
      nodes: {
        feed: { run: () => done({ inbox: 1 }, "more") },
        more: { run: () => done({ inbox: 2 }) },
        reader: {
          triggers: ["inbox"],
          run: async ({ taken }) => {
            turns.push(taken["inbox"]);
            for (let i = 0; i < 20; i++) await undefined;
            return done();
          },
        },
      },
    });
    const { run } = await start(made);
    expect(turns).toEqual([[1], [2]]);
    expect(run.ledger.state.status).toBe("completed");
  });

  test("with a limit, the node that became runnable first starts first, then definition order", async () => {
    const order: string[] = [];
    const node = (name: string, ...route: string[]) => ({
      run: async () => last(order.push(name), await undefined, done({}, ...route)),
    });
    const made = program({
      pace: "turn",
      limits: { concurrency: 1 },
      nodes: { start: node("start", "c", "b"), a: node("a"), b: node("b", "a"), c: node("c") },
    });
    await start(made);
    expect(order).toEqual(["start", "b", "c", "a"]);
  });

  test("a failed task that is held blocks only its node; the run fails at its end, and retry goes on", async () => {
    let broken = true;
    const made = program({
      pace: "turn",
      onFailure: "hold",
      channels: { log: list },
      nodes: {
        a: { run: () => done({}, "bad", "good") },
        bad: {
          run: () =>
            broken ? { kind: "failed", failure: failure("agent_failed", "No.") } : done({ log: ["bad"] }),
        },
        good: { run: () => done({ log: ["good"] }, "next") },
        next: { run: () => done({ log: ["next"] }) },
      },
    });
    const { run } = await start(made);
    expect(run.ledger.state).toMatchObject({ status: "failed", failure: { at: "bad" } });
    expect(channelValue(run.ledger.state, "log")).toEqual(["good", "next"]);
    broken = false;
    await run.send({ type: "resume" });
    await run.drive();
    expect(run.ledger.state.status).toBe("completed");
    expect(channelValue(run.ledger.state, "log")).toEqual(["good", "next", "bad"]);
  });
});

describe("questions", () => {
  const asking = program({
    channels: { log: list },
    nodes: {
      a: { run: () => done({}, "b", "c") },
      b: {
        run: (_, { answers }) =>
          answers.length < 2
            ? { kind: "asks", questions: [{ value: `q${answers.length}` }] }
            : done({ log: [...answers] }),
      },
      c: { run: () => done({ log: ["c"] }) },
    },
  });

  test("a task waits for its answers, is run again with them, and asks nothing twice", async () => {
    const { run, types } = await start(asking);
    const questions = () => openQuestions(run.ledger.state).map(({ question }) => question.id);
    expect(questions()).toEqual(["2/b:0"]);
    await run.send({ type: "answer", value: false });
    await run.drive();
    expect(questions()).toEqual(["2/b:1"]);
    await run.send({ type: "answer", question: questions()[0] as never, value: null });
    await run.drive();
    expect(channelValue(run.ledger.state, "log")).toEqual([false, null, "c"]);
    expect(types().filter((type) => type === "task.finished")).toHaveLength(3);
  });

  test("an answer is not given twice, nor to a question that nobody asked", async () => {
    const { run } = await start(asking);
    await run.send({ type: "answer", value: 1 });
    await expect(run.send({ type: "answer", question: "2/b:0" as never, value: 2 })).rejects.toMatchObject({
      code: "already_answered",
    });
    await expect(run.send({ type: "answer", question: "9/x:0" as never, value: 2 })).rejects.toMatchObject({
      code: "unknown_question",
    });
  });
});

describe("attempts", () => {
  const flaky = (times: number, attempts: object) => {
    let left = times;
    return program({
      nodes: {
        a: {
          attempts: {
            max: 3,
            initialInterval: 100,
            backoffFactor: 2,
            maxInterval: 150,
            jitter: false,
            ...attempts,
          },
          run: () => {
            if (left-- > 0) throw new Error("flaky");
            return done();
          },
        },
      },
    });
  };

  test("a failed task is tried again after a growing wait, up to its cap", async () => {
    const clock = virtualClock(0);
    const { run, events } = await open(flaky(2, {}), undefined, clock);
    await run.send({ type: "start", writes: [] });
    await run.drive();
    expect(run.ledger.state.status).toBe("completed");
    expect(clock.time).toBe(250);
    const failed = events().filter((event) => event.type === "task.failed");
    expect(failed.map(({ attempt, retryAt }) => [attempt, retryAt])).toEqual([
      [1, 100],
      [2, 250],
    ]);
  });

  test("after the last attempt the run fails; a resume gives a new allowance", async () => {
    const made = flaky(4, {});
    const { run } = await start(made);
    expect(run.ledger.state.status).toBe("failed");
    await run.send({ type: "resume" });
    await run.drive();
    expect(run.ledger.state.status).toBe("completed");
  });

  test("jitter is drawn from the run, task and attempt: the same in every process", async () => {
    const waits = async () => {
      const clock = virtualClock(0);
      const { run } = await open(flaky(2, { jitter: true }), undefined, clock);
      await run.send({ type: "start", writes: [] });
      await run.drive();
      return clock.time;
    };
    const first = await waits();
    expect(first).toBeGreaterThanOrEqual(125);
    expect(first).toBeLessThan(250);
    expect(await waits()).toBe(first);
  });
});

describe("keys", () => {
  /** Nodes that all need one thing for themselves; each waits for the test, and says what ran with it. */
  const sharing = (names: string, plan: Partial<Pick<Plan, "pace" | "onFailure">> = {}) => {
    const open: string[] = [];
    const most = { open: 0 };
    const ends = new Map<string, (outcome: Outcome) => void>();
    const run: Handler = async (_input, { node, answers }) => {
      open.push(node);
      most.open = Math.max(most.open, open.length);
      const outcome =
        answers.length > 0 ? done() : await new Promise<Outcome>((resolve) => ends.set(node, resolve));
      open.splice(open.indexOf(node), 1);
      return outcome;
    };
    const nodes = Object.fromEntries(names.split(" ").map((name) => [name, { exclusive: "folder", run }]));
    const made = program({ nodes, pace: "turn", entry: names.split(" ").map((name) => `>${name}`), ...plan });
    const end = async (node: string, outcome: Outcome = done()): Promise<void> => {
      ends.get(node)?.(outcome);
      ends.delete(node);
      for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
    };
    return { made, open, most, end };
  };

  const broken: Outcome = { kind: "failed", failure: failure("node_failed", "no") };

  /** Starts it and drives it beside the test. */
  const driven = async (made: Program) => {
    const opened = await open(made);
    await opened.run.send({ type: "start", writes: [] });
    const stop = opened.run.drive();
    for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
    return { ...opened, stop };
  };

  test.each(["turn", "step"] as const)(
    "at pace %s, of the nodes with one key one at a time has an open task",
    async (pace) => {
      const { made, most, open: running, end } = sharing("a b c", { pace });
      const { stop, run, events } = await driven(made);
      for (const node of ["a", "b", "c"]) {
        expect(running).toEqual([node]);
        await end(node);
      }
      expect(await stop).toMatchObject({ kind: "idle" });
      expect(most.open).toBe(1);
      expect(replay(made, run.ledger.run, events())).toMatchObject({ ok: true });
    },
  );

  test("nodes with other keys and without one run beside it", async () => {
    const { made, open: running, end } = sharing("a b c d");
    const nodes = { ...made.plan.nodes, c: { ...made.plan.nodes["c"]!, exclusive: "other" } };
    const { exclusive: _, ...free } = made.plan.nodes["d"]!;
    const { stop } = await driven({ ...made, plan: { ...made.plan, nodes: { ...nodes, d: free } } });
    expect(running).toEqual(["a", "c", "d"]);
    for (const node of ["a", "b", "c", "d"]) await end(node);
    expect(await stop).toMatchObject({ kind: "idle" });
  });

  test("sends keep to it, in their order", async () => {
    const seen: unknown[] = [];
    let running = 0;
    const b: Handler = async ({ input }) => {
      expect(++running).toBe(1);
      await undefined;
      running--;
      seen.push(input);
      return done();
    };
    const sends = [1, 2, 3].map((input) => ({ node: "b", input }));
    const a: Handler = () => ({ kind: "done", writes: [], route: [], sends });
    const { run } = await start(program({ nodes: { a: { run: a }, b: { exclusive: "x", run: b } } }));
    expect(seen).toEqual([1, 2, 3]);
    expect(run.ledger.state.status).toBe("completed");
  });

  test("a task that waits for an answer keeps its key; the run waits with it", async () => {
    const { made, end, open: running } = sharing("a b");
    const { run, stop } = await driven(made);
    await end("a", { kind: "asks", questions: [{ value: "?" }] });
    expect(await stop).toMatchObject({ kind: "waiting" });
    expect(running).toEqual([]);
    await run.send({ type: "answer", value: true });
    const again = run.drive();
    await end("nobody");
    expect(running).toEqual(["b"]);
    await end("b");
    expect(await again).toMatchObject({ kind: "idle" });
    expect(run.ledger.state.status).toBe("completed");
  });

  test("one that failed stops no other, and its retry waits until the key is free", async () => {
    const { made, end, most, open: running } = sharing("a b c", { onFailure: "hold" });
    const { run, stop, events } = await driven(made);
    await end("a", broken);
    expect(running).toEqual(["b"]);
    await run.send({ type: "retry", node: "a" });
    await end("nobody");
    expect(running).toEqual(["b"]);
    const restored = restoreState(run.ledger.run, JSON.parse(JSON.stringify(archiveState(run.ledger.state))));
    expect([...restored.keys]).toEqual([["folder", "2/b"]]);
    expect(restored.tasks.get("1/a" as TaskId)).toMatchObject({ phase: "failed", isQueued: true });
    await end("b");
    expect(running).toEqual(["a"]);
    await end("a");
    await end("c");
    expect(await stop).toMatchObject({ kind: "idle" });
    expect(most.open).toBe(1);
    expect(run.ledger.state.status).toBe("completed");
    expect(replay(made, run.ledger.run, events()).ok).toBe(true);
  });

  test("a changed plan that takes the key away lets go what waited for it", async () => {
    const { made, end, open: running } = sharing("a b", { onFailure: "hold" });
    const { run, stop } = await driven(made);
    await end("a", broken);
    await end("b", { kind: "asks", questions: [{ value: "?" }] });
    expect(await stop).toMatchObject({ kind: "waiting" });
    await run.send({ type: "retry", node: "a" });
    expect(await run.drive()).toMatchObject({ kind: "waiting" });
    const free = Object.fromEntries(
      Object.entries(made.plan.nodes).map(([name, { exclusive: _, ...node }]) => [name, node]),
    );
    const amended = { ...made, id: { ...made.id, revision: "2" }, plan: { ...made.plan, nodes: free } };
    const other = new LocalRun(amended, run.ledger);
    await other.send({ type: "amend" });
    const again = other.drive();
    await end("nobody");
    expect(running).toEqual(["a"]);
    await end("a");
    expect(await again).toMatchObject({ kind: "waiting" });
  });
});

describe("pauses", () => {
  const line = (pause: "before" | "after" | "both") =>
    program({
      channels: { log: list },
      nodes: {
        a: { run: () => done({ log: ["a"] }, "b") },
        b: { pause, run: () => done({ log: ["b"] }, "c") },
        c: { run: () => done({ log: ["c"] }) },
      },
    });

  test.each([
    ["before", ["a"]],
    ["after", ["a", "b"]],
  ] as const)("a node that pauses %s stops the run there, and a resume goes on", async (pause, log) => {
    const { run } = await start(line(pause));
    expect(run.ledger.state).toMatchObject({ status: "paused", reason: `interrupt_${pause}` });
    expect(channelValue(run.ledger.state, "log")).toEqual(log);
    await run.send({ type: "resume" });
    await run.drive();
    expect(channelValue(run.ledger.state, "log")).toEqual(["a", "b", "c"]);
  });

  test("a task that is held pauses the run and runs again after a resume", async () => {
    let money = 0;
    const made = program({
      nodes: {
        a: {
          run: () =>
            money > 0
              ? done()
              : { kind: "held", reason: "budget_exhausted", message: "The budget is used up." },
        },
      },
    });
    const { run } = await start(made);
    expect(run.ledger.state).toMatchObject({ status: "paused", reason: "budget_exhausted" });
    money = 1;
    await run.send({ type: "resume" });
    await run.drive();
    expect(run.ledger.state.status).toBe("completed");
  });

  test("a task may end the run: completed for a reason, failed after its writes, or paused", async () => {
    const ending = (halt: object) =>
      start(
        program({
          channels: { x: { kind: "last" } },
          nodes: { a: { run: () => ({ ...done({ x: 1 }), halt }) as never } },
        }),
      );
    const completed = await ending({ status: "completed", reason: "no_matching_edge" });
    expect(completed.run.ledger.state).toMatchObject({ status: "completed", reason: "no_matching_edge" });
    const failed = await ending({ status: "failed", failure: failure("edge_exhausted", "Enough.") });
    expect(failed.run.ledger.state).toMatchObject({ status: "failed", reason: "edge_exhausted" });
    expect(channelValue(failed.run.ledger.state, "x")).toBe(1);
    await expect(failed.run.send({ type: "resume" })).rejects.toMatchObject({ code: "wrong_state" });
    const paused = await ending({ status: "paused", reason: "stalled" });
    expect(paused.run.ledger.state).toMatchObject({ status: "paused", reason: "stalled" });
  });
});

test("a run that is started again keeps its values and starts at the entry", async () => {
  const made = program({
    channels: { log: { kind: "fold", reducer: "append", initial: [] } },
    nodes: { a: { run: () => done({ log: ["a"] }) } },
    reducers: { append },
  });
  const { run, events } = await start(made);
  await run.send({ type: "start", writes: [{ channel: "log", value: ["again"] }], again: true });
  await run.drive();
  expect(channelValue(run.ledger.state, "log")).toEqual(["a", "again", "a"]);
  expect(
    events()
      .filter((event) => event.type === "run.started")
      .map(({ plan }) => plan !== undefined),
  ).toEqual([true, false]);
  expect(replay(made, run.ledger.run, events()).ok).toBe(true);
});
