import { expect, test } from "vitest";
import type { Turn, TurnRequest } from "../../agent/agent.ts";
import { failed } from "./limits.ts";
import { type Try, TurnTaking, type TurnTakingOptions } from "./turn-taking.ts";

const SOON = { initialInterval: 1, maxInterval: 1 };

const lost: Try = {
  turn: { kind: "failed", failure: failed("429", true), usage: { tokens: 3, costUsd: 1 } },
  isLost: true,
};
const done: Try = {
  turn: { kind: "done", text: "Done.", usage: { tokens: 4, costUsd: 1 }, cursor: null },
  isLost: false,
};

async function take(
  tries: readonly Try[],
  options: TurnTakingOptions,
  more: Partial<TurnRequest> = {},
): Promise<{ turn: Turn; made: number; shown: string[] }> {
  const shown: string[] = [];
  let made = 0;
  const request: TurnRequest = {
    ...{ node: "n", prompt: "Do it.", tools: "none", idempotencyKey: "1" },
    ...{ signal: new AbortController().signal, ...more },
    progress: (chunk) => void (chunk.kind === "thought" && shown.push(chunk.text)),
  };
  const turn = await new TurnTaking(options).turn(request, async () => tries[made++] ?? done);
  return { turn, made, shown };
}

test("without a word about it, nothing is tried again", async () => {
  expect(await take([lost], {})).toMatchObject({ turn: { kind: "failed" }, made: 1, shown: [] });
});

test("a lost try is followed by another one, which is told, and what it cost counts", async () => {
  expect(await take([lost, done], { retries: { max: 3, ...SOON } })).toMatchObject({
    turn: { kind: "done", usage: { tokens: 7, costUsd: 2 } },
    ...{ made: 2, shown: ["429 Trying again.\n"] },
  });
});

test("there are so many tries and no more", async () => {
  const { turn, made } = await take([lost, lost, lost], { retries: { max: 2, ...SOON } });
  expect([turn.kind, made]).toEqual(["failed", 2]);
});

test("a failure after something was done stands, and so does one after a decision (1)", async () => {
  const retries = { max: 3, ...SOON };
  expect(await take([{ ...lost, isLost: false }], { retries })).toMatchObject({ made: 1 });
  expect(await take([lost], { retries }, { approval: { approved: true } })).toMatchObject({ made: 1 });
});

test("a turn that is stopped while it waits for its next try is over at once", async () => {
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 20);
  const waiting = take(
    [lost],
    { retries: { max: 2, initialInterval: 60_000, maxInterval: 60_000 } },
    { signal: stop.signal },
  );
  expect(await waiting).toMatchObject({
    turn: { kind: "failed", failure: { message: "The turn was stopped." } },
    made: 1,
  });
});
