/** A child run has a log of its own; its questions are its parent's, and it goes on where it stood. */
import { describe, expect, test } from "vitest";
import type { RunId } from "../../src/base/names.ts";
import type { Outcome, Program, TaskContext } from "../../src/kernel/program.ts";
import { channelValue, openQuestions } from "../../src/kernel/state.ts";
import { systemClock } from "../../src/run/clock.ts";
import { done, open, program, start } from "../kit.ts";

const log = { log: { kind: "fold", reducer: "append", initial: [] } } as const;

function asChild(child: Program, key = "") {
  return async (_: unknown, context: TaskContext): Promise<Outcome> => {
    const result = await context.child({
      key,
      program: child,
      writes: [{ channel: "log", value: ["given"] }],
    });
    return result.kind === "stopped" ? result.outcome : done({ log: [result.output["log"] ?? null] });
  };
}

describe("a child run", () => {
  test("gets its input, returns its output, and links to its parent", async () => {
    const child = program({ channels: log, nodes: { x: { run: () => done({ log: ["x"] }) } } });
    const parent = program({ channels: log, nodes: { a: { run: asChild(child) } } });
    const { run, journal } = await start(parent);
    expect(channelValue(run.ledger.state, "log")).toEqual([["given", "x"]]);
    expect(await journal.head("r/1/a" as RunId)).toMatchObject({
      status: "completed",
      parent: { run: "r", task: "1/a" },
    });
    expect((await journal.runs()).map((head) => head.run)).toEqual(["r"]);
  });

  test("asks through its parent, and does not start again after the answer", async () => {
    let starts = 0;
    const child = program({
      channels: log,
      nodes: {
        x: {
          run: () => {
            starts++;
            return done({}, "y", "z");
          },
        },
        y: ask("y"),
        z: ask("z"),
      },
    });
    const parent = program({
      channels: log,
      nodes: {
        a: { run: () => done({}, "b", "c") },
        b: { run: asChild(child) },
        c: { run: asChild(child, "again") },
      },
    });
    const { run } = await start(parent);
    const open = () =>
      openQuestions(run.ledger.state).map(({ question }) => [question.id, question.value] as const);
    expect(open().map(([, value]) => value)).toEqual(["y?", "z?", "y?", "z?"]);
    while (open().length > 0) {
      const [id, value] = open()[0] as ReturnType<typeof open>[number];
      await run.send({ type: "answer", question: id, value: `${value} yes` });
      await run.drive();
    }
    const one = ["given", "y? yes", "z? yes"];
    expect(channelValue(run.ledger.state, "log")).toEqual([one, one]);
    expect(starts).toBe(2);
  });

  test("that failed is told as the parent's failure, and a resume goes on in the child", async () => {
    let broken = true;
    const ran: string[] = [];
    const child = program({
      channels: log,
      nodes: {
        x: {
          run: () => {
            ran.push("x");
            return done({}, "y");
          },
        },
        y: {
          run: () => {
            ran.push("y");
            if (broken) throw new Error("no luck");
            return done({ log: ["y"] });
          },
        },
      },
    });
    const parent = program({ channels: log, nodes: { a: { run: asChild(child) } } });
    const { run } = await start(parent);
    expect(run.ledger.state).toMatchObject({ status: "failed", failure: { code: "child_failed", at: "a" } });
    expect(run.ledger.state.failure?.message).toContain("no luck");
    broken = false;
    await run.send({ type: "resume" });
    await run.drive();
    expect(run.ledger.state.status).toBe("completed");
    expect(ran).toEqual(["x", "y", "y"]);
  });

  test("stops with its parent", async () => {
    let stopped = false;
    const child = program({
      channels: log,
      nodes: {
        x: {
          run: (_, { signal }) =>
            new Promise((resolve) => {
              signal.addEventListener("abort", () => {
                stopped = true;
                resolve(done());
              });
            }),
        },
      },
    });
    const parent = program({ channels: log, nodes: { a: { run: asChild(child) } } });
    const { run } = await open(parent, undefined, systemClock);
    await run.send({ type: "start", writes: [] });
    const driving = run.drive();
    await new Promise((resolve) => setTimeout(resolve, 5));
    await run.send({ type: "cancel" });
    await driving;
    expect(stopped).toBe(true);
  });
});

function ask(name: string) {
  return {
    run: (_: unknown, { answers }: TaskContext): Outcome =>
      answers.length === 0
        ? { kind: "asks", questions: [{ value: `${name}?` }] }
        : done({ log: [...answers] }),
  };
}
