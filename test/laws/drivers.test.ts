/** Of two drivers of one run one wins, and the other is told; commands of others disturb nobody. */
import { expect, test } from "vitest";
import { LocalRun } from "../../src/engines/local.ts";
import { MemoryJournal } from "../../src/journals/memory.ts";
import { Conflict } from "../../src/run/journal.ts";
import { done, last, open, program, RUN } from "../kit.ts";

const lines = { log: { kind: "fold", reducer: "append", initial: [] } } as const;
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test("two drivers that go on with one run: one finishes it, one gets a conflict that says so", async () => {
  const journal = new MemoryJournal();
  const made = program({
    channels: lines,
    nodes: {
      a: { run: async () => last(await wait(5), done({ log: ["a"] }, "b")) },
      b: { run: () => done() },
    },
  });
  const { run } = await open(made, journal);
  await run.send({ type: "start", writes: [] });
  const runs = await Promise.all([LocalRun.open(made, journal, RUN), LocalRun.open(made, journal, RUN)]);
  const ends = await Promise.allSettled(runs.map((each) => each.drive()));
  expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const [lost] = ends.filter((end) => end.status === "rejected");
  expect(lost?.reason).toBeInstanceOf(Conflict);
  expect(lost?.reason.message).toContain("driven by somebody else");
  const finished = journal.read(RUN, 0).filter(({ type }) => type === "task.finished");
  expect(finished).toHaveLength(2);
});

test("a driver takes in the commands that others record while it works", async () => {
  const journal = new MemoryJournal();
  const made = program({
    channels: lines,
    nodes: {
      a: { run: () => done({}, "ask", "slow") },
      ask: {
        run: (_, { answers }) =>
          answers.length > 0 ? done({ log: [...answers] }) : { kind: "asks", questions: [{ value: "?" }] },
      },
      slow: { run: async () => last(await wait(20), done({ log: ["slow"] })) },
    },
  });
  const driver = await open(made, journal);
  await driver.run.send({ type: "start", writes: [] });
  const driving = driver.run.drive();
  await wait(5);
  const other = await LocalRun.open(made, journal, RUN);
  await other.send({ type: "answer", value: "yes" });
  await driving;
  expect(driver.run.ledger.state.status).toBe("completed");
  expect(driver.run.ledger.state.cells.get("log")?.value).toEqual(["yes", "slow"]);
});

test("a command never loses to a driver: it is tried again on the state that there is", async () => {
  const journal = new MemoryJournal();
  const made = program({
    channels: lines,
    nodes: { a: { run: async () => last(await wait(1), done({ log: [1] }, "a")) } },
    limits: { steps: 50 },
  });
  const driver = await open(made, journal);
  await driver.run.send({ type: "start", writes: [] });
  const other = await LocalRun.open(made, journal, RUN);
  const driving = driver.run.drive();
  await wait(10);
  await other.send({ type: "update", writes: [{ channel: "log", value: ["told"] }] });
  await driving;
  expect(driver.run.ledger.state.cells.get("log")?.value).toContain("told");
});

test("a cancel that another process records stops the tasks in hand", async () => {
  const journal = new MemoryJournal();
  let stopped: unknown;
  const made = program({
    nodes: {
      a: {
        run: (_, { signal }) =>
          new Promise((resolve) => {
            signal.addEventListener("abort", () => {
              stopped = (signal as AbortSignal).reason;
              resolve(done());
            });
          }),
      },
    },
  });
  const driver = await LocalRun.open(made, journal, RUN);
  await driver.send({ type: "start", writes: [] });
  const driving = driver.drive({ watch: 5 });
  const other = await LocalRun.open(made, journal, RUN);
  await other.send({ type: "cancel", reason: "enough" });
  expect((await driving).kind).toBe("idle");
  expect(driver.ledger.state).toMatchObject({ status: "cancelled", reason: "enough" });
  expect(String(stopped)).toContain("was stopped");
  expect(journal.read(RUN, 0).at(-1)?.type).toBe("run.cancelled");
});
