import { describe, expect, test } from "vitest";
import type { StagedSend } from "../../agent/agent.ts";
import { Staging } from "./staging.ts";

const judge = ({ to }: StagedSend) =>
  to === "b" ? undefined : ({ from: "a", to, code: "no_edge", message: "No." } as const);

const send = (message: string, more: Partial<StagedSend> = {}): StagedSend => ({ to: "b", message, ...more });

describe("law 1: the agent hears at once", () => {
  test("what may go and what may not; a rejection is kept", () => {
    const staging = new Staging(judge);
    expect(staging.stage(send("x"))).toEqual({ ok: true });
    expect(staging.stage({ to: "c", message: "y" })).toEqual({ ok: false, code: "no_edge", message: "No." });
    expect(staging.rejections).toMatchObject([{ from: "a", to: "c", code: "no_edge" }]);
    expect(staging.close()).toEqual([send("x")]);
  });

  test("a turn that is over takes nothing more", () => {
    const staging = new Staging(judge);
    staging.close();
    expect(staging.stage(send("late"))).toMatchObject({ ok: false, code: "turn_over" });
    expect(staging.close()).toEqual([]);
  });
});

describe("law 2: one send, however often it is said", () => {
  test.each([
    ["what is returned as well", ["x"], ["x"], ["x"]],
    ["in any order", ["x", "y"], ["y", "z", "x"], ["x", "y", "z"]],
    ["said twice by both", ["x", "x"], ["x", "x"], ["x", "x"]],
    ["said once more by one", ["x"], ["x", "x"], ["x", "x"]],
    ["staged twice", ["x", "x"], [], ["x", "x"]],
  ])("%s", (_what, staged, returned, expected) => {
    const staging = new Staging(judge);
    for (const message of staged) staging.stage(send(message));
    expect(staging.close(returned.map((message) => send(message)))).toEqual(
      expected.map((message) => send(message)),
    );
  });

  test("with other data or artifacts it is another one", () => {
    const staging = new Staging(judge);
    staging.stage(send("x"));
    const others = [send("x", { structured: 1 }), send("x", { artifacts: [{ kind: "log", ref: "r" }] })];
    expect(staging.close(others)).toEqual([send("x"), ...others]);
    expect(
      new Staging(judge, { sends: [send("x")], rejections: [] }).close([send("x", { artifacts: [] })]),
    ).toEqual([send("x")]);
  });

  test("what was staged before a question and is staged again after it", () => {
    const staging = new Staging(judge, { sends: [send("x"), send("y")], rejections: [] });
    staging.stage(send("x"));
    staging.stage(send("x"));
    expect(staging.close()).toEqual([send("x"), send("y"), send("x")]);
  });
});
