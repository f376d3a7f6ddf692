import { describe, expect, test } from "vitest";
import { done, open, program, start, sum } from "../../test/kit.ts";
import type { Command } from "./command.ts";
import { channelValue, openQuestions } from "./state.ts";

const asking = program({
  channels: { n: sum, x: { kind: "last", initial: 1 } },
  nodes: {
    a: { run: () => done({ n: 1 }, "b", "c") },
    b: {
      run: (_, { answers }) =>
        answers.length === 0 ? { kind: "asks", questions: [{ value: "b?" }] } : done(),
    },
    c: {
      run: (_, { answers }) =>
        answers.length === 0 ? { kind: "asks", questions: [{ value: "c?" }] } : done(),
    },
  },
});

async function refusal(command: Command, before: "new" | "waiting" | "completed"): Promise<unknown> {
  const opened = before === "new" ? await open(asking) : await start(asking);
  const { run, events } = opened;
  if (before === "completed") {
    for (const { question } of openQuestions(run.ledger.state)) {
      await run.send({ type: "answer", question: question.id, value: 1 });
    }
    await run.drive();
  }
  const seen = events().length;
  const error = await run.send(command).then(
    () => undefined,
    (thrown) => thrown,
  );
  expect(events()).toHaveLength(seen);
  return error;
}

describe("a command that cannot be carried out is refused with a reason, and records nothing", () => {
  test.each([
    ["start", { type: "start", writes: [] }, "waiting", "already_exists"],
    ["start", { type: "start", writes: [{ channel: "nowhere", value: 1 }] }, "new", "invalid_value"],
    ["start", { type: "start", writes: [{ channel: ">a", value: 1 }] }, "new", "invalid_value"],
    ["resume", { type: "resume" }, "new", "unknown_run"],
    ["resume", { type: "resume" }, "completed", "wrong_state"],
    ["answer", { type: "answer", value: 1 }, "new", "unknown_run"],
    ["answer", { type: "answer", value: 1 }, "waiting", "ambiguous_question"],
    ["answer", { type: "answer", value: 1 }, "completed", "unknown_question"],
    ["answer", { type: "answer", question: "2/zzz:0" as never, value: 1 }, "waiting", "unknown_question"],
    ["pause", { type: "pause" }, "completed", "wrong_state"],
    ["cancel", { type: "cancel" }, "new", "unknown_run"],
    ["cancel", { type: "cancel" }, "completed", "wrong_state"],
    ["interrupt", { type: "interrupt", node: "zzz" }, "waiting", "unknown_node"],
    ["interrupt", { type: "interrupt", node: "b" }, "waiting", "wrong_state"],
    ["retry", { type: "retry", node: "b" }, "waiting", "wrong_state"],
    [
      "update",
      {
        type: "update",
        writes: [
          { channel: "x", value: 1 },
          { channel: "x", value: 2 },
        ],
      },
      "waiting",
      "invalid_value",
    ],
  ] as const)("%s %o in a run that is %3$s", async (_, command, before, code) => {
    expect(await refusal(command, before)).toMatchObject({ name: "Refusal", code });
  });
});

describe("a command that can be", () => {
  test("starts with writes folded onto the initial values", async () => {
    const { run } = await start(asking, { writes: [{ channel: "n", value: 5 }] });
    expect(channelValue(run.ledger.state, "n")).toBe(6);
  });

  test("updates channels in the name of a node, whatever the run waits for", async () => {
    const { run, events } = await start(asking);
    await run.send({ type: "update", writes: [{ channel: "n", value: 10 }], as: "a" });
    expect(channelValue(run.ledger.state, "n")).toBe(11);
    expect(events().at(-1)).toMatchObject({ type: "state.updated", as: "a" });
  });

  test("names the open questions where one must be chosen", async () => {
    expect(await refusal({ type: "answer", value: 1 }, "waiting")).toMatchObject({
      message: "2 questions are open; say which one: 2/b:0, 2/c:0.",
    });
  });

  test("pauses: what is in hand settles, and nothing new starts until a resume", async () => {
    const made = program({
      channels: { n: sum },
      nodes: {
        a: {
          run: async (_, { step }) => {
            if (step === 1) await paused;
            return done({ n: 1 }, ...(step < 3 ? ["a"] : []));
          },
        },
      },
    });
    let release = () => {};
    const paused = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { run } = await open(made);
    await run.send({ type: "start", writes: [] });
    const driving = run.drive();
    await run.send({ type: "pause" });
    release();
    await driving;
    expect(run.ledger.state).toMatchObject({ status: "paused", reason: "requested", step: 1 });
    expect(channelValue(run.ledger.state, "n")).toBe(1);
    await run.send({ type: "resume" });
    await run.drive();
    expect(channelValue(run.ledger.state, "n")).toBe(3);
  });

  test("amends the plan that the run has, and new channels get their initial values", async () => {
    const { run } = await start(asking);
    const grown = program({
      revision: "2",
      channels: { n: sum, x: { kind: "last", initial: 1 }, fresh: { kind: "last", initial: "here" } },
      nodes: {
        a: { run: () => done() },
        b: { run: (_, { answers }) => done({ x: answers[0] ?? null }) },
        c: { run: () => done({ fresh: "changed" }) },
      },
    });
    const opened = await open(grown, run.ledger.journal);
    await opened.run.send({ type: "resume" });
    expect(channelValue(opened.run.ledger.state, "fresh")).toBe("here");
    for (const { question } of openQuestions(opened.run.ledger.state)) {
      await opened.run.send({ type: "answer", question: question.id, value: "yes" });
    }
    await opened.run.drive();
    expect(opened.run.ledger.state.status).toBe("completed");
    expect(channelValue(opened.run.ledger.state, "fresh")).toBe("changed");
  });
});

test("a driver whose program was replaced lets its tasks end and says so", async () => {
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const nodes = (log: string[], name: string) => ({
    a: {
      run: async () => {
        log.push(`${name} a`);
        await gate;
        return done({}, "b");
      },
    },
    b: {
      run: () => {
        log.push(`${name} b`);
        return done();
      },
    },
  });
  const log: string[] = [];
  const first = await open(program({ nodes: nodes(log, "old") }));
  await first.run.send({ type: "start", writes: [] });
  const driving = first.run.drive();
  const changed = program({ revision: "2", nodes: nodes(log, "new") });
  await (await open(changed, first.journal)).run.send({ type: "amend" });
  release();
  expect((await driving).kind).toBe("amended");
  const second = await open(changed, first.journal);
  await second.run.drive();
  expect(log).toEqual(["old a", "new b"]);
  expect(second.run.ledger.state.status).toBe("completed");
});
