/** Inbox graphs, sections 2 and 5 of their rules: interrupts, approvals, failures, pauses, budgets. */
import { describe, expect, test } from "vitest";
import type { QuestionId } from "../../src/base/names.ts";
import { checkAnswer, resumeWrites, startInbox } from "../../src/inbox.ts";
import { Gates, graph, JOURNALS, Stage, settled, told, turn } from "./inbox-stage.ts";

const asking = turn(
  "done",
  { b: "deployed" },
  { ask: { title: "Deploy?", args: { to: "b", message: "deployed" } } },
);

describe.each(JOURNALS)("on a %s journal", (_name, makeJournal) => {
  test("§2 an interrupt ends the turn: what was said is kept, sends are dropped, inputs are used up, the inbox stays", async () => {
    const gates = new Gates();
    const stage = new Stage({
      graph: graph("a b", ["a>b"]),
      script: { a: [turn("half an answer", { b: "never" }, { delayMs: 1 }), "next"], b: ["b"] },
      journal: makeJournal(),
      before: async (request) => {
        if (stage.requests.length > 1) return;
        request.progress({ kind: "text", text: "half an " });
        await gates.hold(request);
      },
    });
    await stage.start("a: first");
    const driving = stage.drive();
    await gates.begun("a");
    await stage.send("a: second");
    await expect(stage.tell({ type: "interrupt", node: "b" })).rejects.toMatchObject({ code: "wrong_state" });
    await stage.tell({ type: "interrupt", node: "a", reason: "enough" });
    const standing = await driving;
    expect(told(standing)).toEqual([
      "a 1 interrupted [1 message user: first]",
      "a 2 completed [2 message user: second]",
    ]);
    expect(standing.deliveries).toEqual([]);
    const notes = standing.events.flatMap((event) => (event.type === "task.noted" ? [event] : []));
    expect(notes[0]).toMatchObject({ kind: "inbox.turn", data: { status: "interrupted", reason: "enough" } });
    const { output } = notes[0]!.data as { output: { kind: string; ref: string } };
    expect(output.kind).toBe("partial");
    expect(await stage.text(output.ref)).toBe("half an ");
    expect(stage.requests[1]?.cursor).toEqual({ script: "script", taken: 1 });
  });

  test("§2 what an interrupted agent wanted to send is dropped and recorded", async () => {
    const gates = new Gates();
    const stage = new Stage({ graph: graph("a b", ["a>b"]), journal: makeJournal() });
    const stubborn = {
      session: () => "a",
      turn: async (request: Parameters<Gates["hold"]>[0]) => {
        await gates.hold(request);
        const sends = [{ to: "b", message: "anyway" }];
        return {
          kind: "done",
          text: "all of it",
          sends,
          usage: { tokens: 7, costUsd: 0 },
          cursor: 1,
        } as const;
      },
    };
    const other = new Stage({
      graph: graph("a b", ["a>b"]),
      journal: stage.journal,
      services: { agent: () => stubborn },
    });
    await other.start("a: go");
    const driving = other.drive();
    await gates.begun("a");
    await other.tell({ type: "interrupt", node: "a" });
    const standing = await driving;
    expect(standing).toMatchObject({ status: "completed", deliveries: [], usage: { tokens: 7 } });
    const kinds = standing.events.flatMap((event) =>
      event.type === "task.noted" ? [[event.kind, event.data]] : [],
    );
    expect(kinds[1]).toEqual(["inbox.dropped", { from: "a", to: "b", message: "anyway" }]);
  });

  test("§5 a question blocks its node only; the answer goes on with the same turn and its prompt", async () => {
    const stage = new Stage({
      graph: graph("a b c", ["a>b"]),
      script: { a: [asking, "later"], b: ["b"], c: ["c"] },
      journal: makeJournal(),
    });
    const waiting = await stage.play("a: go", "c: go");
    expect(waiting.status).toBe("waiting");
    expect(waiting.nodes["a"]).toEqual({ status: "blocked", inbox: 0 });
    expect(told(waiting)).toEqual(["a 1 blocked [1 message user: go]", "c 1 completed [1 message user: go]"]);
    await stage.send("a: more");
    expect((await stage.standing()).nodes["a"]).toEqual({ status: "blocked", inbox: 1 });
    await stage.tell({ type: "answer", value: { approved: true } });
    const standing = await stage.drive();
    expect(told(standing)[0]).toBe("a 1 completed [1 message user: go]");
    expect(standing.status).toBe("completed");
    const [first, , again] = stage.requests;
    expect(again?.prompt).toBe(first?.prompt);
    expect(again?.approval).toMatchObject({ approved: true, asked: { title: expect.any(String) } });
  });

  test("§5 approved with edits: the edited version runs, and both are recorded", async () => {
    const stage = new Stage({
      graph: graph("a b", ["a>b"]),
      script: { a: [asking], b: ["b"] },
      journal: makeJournal(),
    });
    await stage.play("a: go");
    await stage.tell({
      type: "answer",
      value: { approved: true, args: { to: "b", message: "staged only" } },
    });
    const { deliveries, events } = await stage.drive();
    expect(deliveries.map(({ message }) => message)).toEqual(["staged only"]);
    const remembered = events.flatMap((event) => (event.type === "task.remembered" ? [event] : []));
    expect(remembered.find(({ key }) => key === "ask:0")?.value).toMatchObject({
      args: { message: "deployed" },
    });
    expect(remembered.find(({ key }) => key === "begin:2")?.value).toMatchObject({
      why: "answered",
      approval: { approved: true, args: { message: "staged only" } },
    });
  });

  test("§5 denied: the agent is told why, and the turn goes on without the action", async () => {
    const stage = new Stage({
      graph: graph("a b", ["a>b"]),
      script: { a: [asking] },
      journal: makeJournal(),
    });
    await stage.play("a: go");
    await stage.tell({ type: "answer", value: { approved: false, reason: "not on a Friday" } });
    const standing = await stage.drive();
    expect(standing).toMatchObject({ status: "completed", deliveries: [] });
    expect(stage.requests[1]?.approval).toMatchObject({ approved: false, reason: "not on a Friday" });
  });

  test("§5 a decision on something else, or a friendly text, approves nothing: it is asked again", async () => {
    const stage = new Stage({
      graph: graph("a b", ["a>b"]),
      script: { a: [asking], b: ["b"] },
      journal: makeJournal(),
    });
    const { questions } = await stage.play("a: go");
    const [question] = questions;
    const { digest } = question!.value as { digest: string };
    expect(digest).toMatch(/^sha256:/);
    expect(checkAnswer(question as never, "yes, go ahead")).toContain("A text approves nothing");
    expect(checkAnswer(question as never, { approved: true, digest: "sha256:0" })).toContain(
      "something else",
    );
    expect(checkAnswer(question as never, { approved: true, digest })).toBeUndefined();
    await stage.tell({ type: "answer", value: "yes, go ahead" });
    expect(await stage.drive()).toMatchObject({ status: "waiting", deliveries: [] });
    await stage.tell({ type: "answer", value: { approved: true, digest: "sha256:0" } });
    const again = await stage.drive();
    expect(again).toMatchObject({ status: "waiting", deliveries: [] });
    expect(again.questions[0]?.value).toEqual(question?.value);
    expect(stage.requests).toHaveLength(1);
    await expect(
      stage.tell({ type: "answer", question: question?.id as QuestionId, value: true }),
    ).rejects.toMatchObject({ code: "already_answered" });
    await stage.tell({ type: "answer", value: { approved: true, digest } });
    expect((await stage.drive()).deliveries).toHaveLength(1);
  });

  test("§5 resolving twice is a conflict: of two decisions at the same time one counts, and one that comes after the turn is a conflict too", async () => {
    const journal = makeJournal();
    const options = { graph: graph("a b", ["a>b"]), script: { a: [asking], b: ["b"] }, journal };
    const stage = new Stage(options);
    const { questions } = await stage.play("a: go");
    const question = questions[0]?.id as QuestionId;
    const other = new Stage(options);
    await other.open();
    const decided = await Promise.allSettled([
      stage.tell({ type: "answer", question, value: { approved: false } }),
      other.tell({ type: "answer", question, value: { approved: true } }),
    ]);
    expect(decided).toMatchObject([
      { status: "fulfilled" },
      { status: "rejected", reason: { code: "already_answered" } },
    ]);
    const { deliveries, events } = await stage.drive();
    expect(deliveries).toEqual([]);
    expect(events.filter(({ type }) => type === "task.answered")).toHaveLength(1);
    await expect(stage.tell({ type: "answer", question, value: true })).rejects.toMatchObject({
      code: "already_answered",
    });
    await expect(
      stage.tell({ type: "answer", question: "1/a:7" as QuestionId, value: true }),
    ).rejects.toMatchObject({ code: "unknown_question" });
    expect((await stage.standing()).events).toHaveLength(events.length);
  });

  test("§5 an agent that changes what it asked for is asked about again", async () => {
    let asked = 0;
    const changing = {
      session: () => "a",
      turn: async ({ approval }: { approval?: { args?: unknown } }) => {
        asked++;
        if (asked < 3) return { kind: "asks", title: "Run", args: { command: `step ${asked}` } } as const;
        return {
          kind: "done",
          text: JSON.stringify(approval),
          usage: { tokens: 0, costUsd: 0 },
          cursor: 1,
        } as const;
      },
    };
    const stage = new Stage({
      graph: graph("a", []),
      journal: makeJournal(),
      services: { agent: () => changing },
    });
    const first = await stage.play("a: go");
    await stage.tell({ type: "answer", value: true });
    const second = await stage.drive();
    expect(second.status).toBe("waiting");
    const digests = [first, second].map(
      ({ questions }) => (questions[0]!.value as { digest: string }).digest,
    );
    expect(new Set(digests).size).toBe(2);
    await stage.tell({ type: "answer", value: true });
    expect(told(await stage.drive())).toEqual(["a 1 completed [1 message user: go]"]);
  });

  test("§5 a failed turn keeps its inputs: a retry runs them first, what came later waits for the turn after", async () => {
    const stage = new Stage({
      graph: graph("a b", ["a>b"]),
      script: { a: [turn("", {}, { fail: "no disk" }), turn("well", { b: "x" }), "more"], b: ["b"] },
      journal: makeJournal(),
    });
    const failed = await stage.play("a: first", "a: second");
    expect(failed).toMatchObject({ status: "failed", reason: "agent_failed" });
    await stage.send("a: later");
    const collecting = await stage.drive();
    expect(collecting.nodes["a"]).toEqual({ status: "failed", inbox: 1 });
    expect(collecting.status).toBe("failed");
    await stage.tell({ type: "retry", node: "a" });
    const standing = await stage.drive();
    expect(standing.status).toBe("completed");
    expect(told(standing)).toEqual([
      "a 1 failed [1 message user: first | 2 message user: second]",
      "a 2 completed [1 message user: first | 2 message user: second]",
      "a 3 completed [3 message user: later]",
      "b 1 completed [1 handoff a: x]",
    ]);
    expect(await stage.replays()).toBe(true);
  });

  test("§5 one failed node stops no other, and a message to another goes on with the run", async () => {
    const stage = new Stage({
      graph: graph("a b c", ["b>c"]),
      script: { a: [turn("", {}, { fail: "broken" })], b: [turn("b", { c: "x" }), "again"], c: ["c"] },
      journal: makeJournal(),
    });
    const standing = await stage.play("a: go", "b: go");
    expect(standing.status).toBe("failed");
    expect(standing.turns.map(({ node, status }) => `${node} ${status}`)).toEqual([
      "a failed",
      "b completed",
      "c completed",
    ]);
    await stage.send("b: more");
    const more = await stage.drive();
    expect(more.turns.at(-1)).toMatchObject({ node: "b", turn: 2, status: "completed" });
    expect(more).toMatchObject({ status: "failed", nodes: { a: { status: "failed" } } });
  });

  test("§5 a pause starts nothing new; running turns finish and are recorded; a resume continues", async () => {
    const gates = new Gates();
    const stage = new Stage({
      graph: graph("a b", ["a>b"]),
      script: { a: [turn("x", { b: "y" })], b: ["b"] },
      journal: makeJournal(),
      before: gates.hold,
    });
    await stage.start("a: go");
    const driving = stage.drive();
    await gates.begun("a");
    await stage.tell({ type: "pause" });
    await gates.pass("a");
    const paused = await driving;
    expect(paused).toMatchObject({ status: "paused", nodes: { a: { status: "idle" }, b: { inbox: 1 } } });
    await stage.tell({ type: "resume", writes: resumeWrites() });
    const resumed = stage.drive();
    await gates.pass("b");
    expect((await resumed).status).toBe("completed");
  });

  test("§5 a message to a run that was completed goes on with it", async () => {
    const stage = new Stage({ graph: graph("a", []), script: { a: ["1", "2"] }, journal: makeJournal() });
    expect((await stage.play("a: go")).status).toBe("completed");
    await stage.send("a: more");
    const standing = await stage.drive();
    expect(standing.status).toBe("completed");
    expect(standing.turns).toHaveLength(2);
  });

  test("§5 a cancelled run ends its turns and takes no more messages", async () => {
    const gates = new Gates();
    const stage = new Stage({
      graph: graph("a", []),
      script: { a: ["1"] },
      journal: makeJournal(),
      before: gates.hold,
    });
    await stage.start("a: go");
    const driving = stage.drive();
    await gates.begun("a");
    await stage.tell({ type: "cancel" });
    expect((await driving).status).toBe("cancelled");
    await expect(stage.send("a: more")).rejects.toMatchObject({ code: "wrong_state" });
  });

  test("a budget holds the next turn with its inputs, and a higher one lets it go on", async () => {
    const usage = { usage: { tokens: 60 } };
    const stage = new Stage({
      graph: graph("a b", ["a>b"], { budget: { maxTokens: 100 }, limits: { maxConcurrentTurns: 1 } }),
      script: { a: [turn("1", {}, usage), turn("2", { b: "x" }, usage)], b: [turn("3", {}, usage)] },
      journal: makeJournal(),
    });
    await stage.play("a: go");
    await stage.send("a: more");
    const held = await stage.drive();
    expect(held).toMatchObject({ status: "paused", reason: "budget_exhausted", usage: { tokens: 120 } });
    expect(held.nodes["b"]).toEqual({ status: "blocked", inbox: 0 });
    expect(held.warnings).toMatchObject([{ code: "budget", at: "a" }]);
    await stage.tell({ type: "resume", writes: [{ channel: "budget", value: { maxTokens: 500 } }] });
    const standing = await stage.drive();
    expect(told(standing).at(-1)).toBe("b 1 completed [1 handoff a: x]");
    expect(standing.status).toBe("completed");
  });

  test("a run needs a message to somebody who is there", () => {
    const { definition } = new Stage({ graph: graph("coder", []) });
    expect(() => startInbox(definition, [])).toThrow("needs a message");
    expect(() => startInbox(definition, [{ node: "codr", text: "x" }])).toThrow("Did you mean coder?");
    expect(() => startInbox(definition, [{ node: "coder", text: " " }])).toThrow("is empty");
  });
});

test.each(JOURNALS)(
  "§2 an interrupt that finds its turn dead ends it without asking the agent again (%s)",
  async (_name, makeJournal) => {
    const gates = new Gates();
    const script = { a: ["1"] };
    const stage = new Stage({ graph: graph("a", []), script, journal: makeJournal(), before: gates.hold });
    await stage.start("a: go");
    const died = new AbortController();
    const driving = stage.drive(died.signal);
    await gates.begun("a");
    died.abort();
    await driving;
    const other = new Stage({ graph: graph("a", []), script: { a: ["1"] }, journal: stage.journal });
    await other.tell({ type: "interrupt", node: "a" });
    await settled();
    expect(told(await other.drive())).toEqual(["a 1 interrupted [1 message user: go]"]);
    expect(other.requests).toHaveLength(0);
  },
);
