/** Inbox graphs, section 3 of their rules: sends that are staged while a turn is under way, and what they carry. */

import { describe, expect, test } from "vitest";
import type { Agent, SendVerdict, StagedSend, Turn, TurnRequest } from "../../src/agent/agent.ts";
import type { Json } from "../../src/base/json.ts";
import { Gates, graph, JOURNALS, Stage, turn } from "./inbox-stage.ts";

const OK = { usage: { tokens: 1, costUsd: 0 }, cursor: 1 } as const;

/** An agent whose turns are functions; other nodes just end. */
function acting(
  turns: Readonly<Record<string, (request: TurnRequest) => Partial<Turn> | Promise<Partial<Turn>>>>,
): Agent {
  return {
    session: ({ node }) => node,
    mayWrite: () => false,
    turn: async (request) => {
      const made = await turns[request.node]?.(request);
      return { kind: "done", text: "over", ...OK, ...made } as Turn; // the parts of a turn
    },
  };
}

const stageFor = (agent: Agent, journal: Stage["journal"], edges = ["a-b"]) =>
  new Stage({ graph: graph("a b c", edges), journal, services: { agent: () => agent } });

describe.each(JOURNALS)("on a %s journal", (_name, makeJournal) => {
  test("§3 an agent hears at once whether a send may go; a rejection is recorded, and not told again", async () => {
    const verdicts: (SendVerdict | undefined)[] = [];
    const prompts: string[] = [];
    const agent = acting({
      a: ({ send, prompt }) => {
        prompts.push(prompt);
        if (prompts.length > 1) return {};
        for (const to of ["b", "c", "bb"]) verdicts.push(send?.({ to, message: `to ${to}` }));
        verdicts.push(send?.({ to: "b" } as StagedSend));
        return { sends: [{ to: "nobody", message: "returned" }] };
      },
    });
    const stage = stageFor(agent, makeJournal());
    const standing = await stage.play("a: go");
    expect(verdicts).toMatchObject([
      { ok: true },
      { ok: false, code: "no_edge", message: "No edge leads from a to c. You can send to: b." },
      { ok: false, code: "unknown_target" },
      { ok: false, code: "invalid" },
    ]);
    expect(standing.deliveries.map(({ to, message }) => `${to}: ${message}`)).toEqual(["b: to b"]);
    expect(standing.rejections.map(({ to, code }) => `${to} ${code}`)).toEqual([
      "c no_edge",
      "bb unknown_target",
      "b invalid",
      "nobody unknown_target",
    ]);
    await stage.send("a: more");
    await stage.drive();
    expect(prompts[1]).toContain("- to nobody (unknown_target)");
    expect(prompts[1]).not.toContain("no_edge");
  });

  test("§3 staged sends go out with the commit of their turn; staged and returned as well they are one", async () => {
    const gates = new Gates();
    const agent = acting({
      a: async (request) => {
        request.send?.({ to: "b", message: "x" });
        request.send?.({ to: "b", message: "x" });
        await gates.hold(request);
        return {
          sends: [
            { to: "b", message: "x" },
            { to: "b", message: "y" },
          ],
        };
      },
    });
    const stage = stageFor(agent, makeJournal());
    await stage.start("a: go");
    const driving = stage.drive();
    await gates.begun("a");
    expect((await stage.standing()).deliveries).toEqual([]);
    await gates.pass("a");
    const { deliveries, events } = await driving;
    expect(deliveries.map(({ message }) => message)).toEqual(["x", "x", "y"]);
    const written = events.flatMap((event) => (event.type === "task.finished" ? event.writes : []));
    const ids = written.flatMap(({ channel, value }) =>
      channel === "inbox:b" ? [(value as { id: string }).id] : [],
    );
    expect(ids).toEqual(["a/1/1", "a/1/2", "a/1/3"]);
  });

  test("§3 what was staged before a question goes out after the answer, in whatever process, and only once", async () => {
    const asking = acting({
      a: ({ send }) => {
        send?.({ to: "b", message: "before" });
        send?.({ to: "c", message: "no way" });
        return { kind: "asks", title: "May I?", args: {} };
      },
    });
    const journal = makeJournal();
    expect((await stageFor(asking, journal).play("a: go")).status).toBe("waiting");
    const answering = acting({
      a: ({ send }) => {
        send?.({ to: "b", message: "before" });
        send?.({ to: "b", message: "after" });
        return {};
      },
    });
    const later = stageFor(answering, journal);
    await later.tell({ type: "answer", value: "a text decides nothing" });
    expect((await later.drive()).status).toBe("waiting");
    await later.tell({ type: "answer", value: true });
    const { deliveries, rejections, status } = await later.drive();
    expect(status).toBe("completed");
    expect(deliveries.map(({ message }) => message)).toEqual(["before", "after"]);
    expect(rejections).toEqual([{ from: "a", to: "c", code: "no_edge" }]);
  });

  test("§2 §3 what an interrupted or failed turn had staged is dropped and recorded, and nothing is taken any more", async () => {
    const gates = new Gates();
    let late: SendVerdict | undefined;
    const agent = acting({
      a: async (request) => {
        request.send?.({ to: "b", message: "dropped", structured: { n: 1 } });
        await gates.hold(request);
        setImmediate(() => {
          late = request.send?.({ to: "b", message: "late" });
        });
        return {};
      },
      c: ({ send }) => {
        send?.({ to: "b", message: "failed" });
        return { text: "" };
      },
    });
    const stage = stageFor(agent, makeJournal(), ["a-b", "c-b"]);
    await stage.start("a: go", "c: go");
    const driving = stage.drive();
    await gates.begun("a");
    await stage.tell({ type: "interrupt", node: "a" });
    expect((await driving).deliveries).toEqual([]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(late).toMatchObject({ ok: false, code: "turn_over" });
    expect(await stage.notes("inbox.dropped")).toEqual([
      { from: "c", to: "b", message: "failed" },
      { from: "a", to: "b", message: "dropped", structured: { n: 1 } },
    ]);
  });

  test("§3 a send carries what it refers to; what is no reference is rejected", async () => {
    const log = { kind: "log", ref: "sha256:1" };
    const stage = new Stage({
      graph: graph("a b", ["a-b"]),
      script: {
        a: [
          {
            $: "turn",
            text: "x",
            sends: [
              { to: "b", message: "see", artifacts: [log] },
              { to: "b", message: "broken", artifacts: [{ kind: "", ref: "x" }] },
            ],
          },
        ],
        b: ["ok"],
      },
      journal: makeJournal(),
    });
    const { deliveries, rejections } = await stage.play("a: go");
    expect(deliveries).toMatchObject([{ message: "see", artifacts: [log] }]);
    expect(rejections).toEqual([{ from: "a", to: "b", code: "invalid" }]);
    expect(stage.requests[1]?.prompt).toContain("Attached log: sha256:1");
  });

  test("§3 data that is nested too deep is rejected, however it is sent, and the run goes on", async () => {
    let deep: Json = {};
    for (let level = 0; level < 20_000; level++) deep = [deep];
    const verdicts: unknown[] = [];
    const agent = acting({
      a: ({ send }) => {
        verdicts.push(send?.({ to: "b", message: "staged", structured: deep }));
        return { sends: [{ to: "b", message: "returned", structured: deep }] };
      },
    });
    const stage = stageFor(agent, makeJournal());
    const { deliveries, rejections } = await stage.play("a: go");
    expect(verdicts).toMatchObject([{ ok: false, code: "invalid", message: expect.stringContaining("500") }]);
    expect(rejections.map(({ code }) => code)).toEqual(["invalid", "invalid"]);
    expect(deliveries).toEqual([]);
  });

  test("§3 the same send with other artifacts is no repeated result", async () => {
    const say = (n: number) => ({
      ...{ $: "turn", text: "x" },
      sends: [{ to: "b", message: "see", artifacts: [{ kind: "log", ref: `${n}` }] }],
    });
    const stage = new Stage({
      graph: graph("a b", ["a-b"], { limits: { stallAfter: 2 } }),
      script: { a: [say(1), say(2)], b: [turn("1", { a: "again" }), "2"] },
      journal: makeJournal(),
    });
    expect((await stage.play("a: go")).status).toBe("completed");
  });

  test("§7 a turn that is sent a delta is given the full prompt beside it", async () => {
    const stage = new Stage({
      graph: graph("a", []),
      script: { a: ["1", "2"] },
      journal: makeJournal(),
    });
    await stage.play("a: one");
    await stage.send("a: two");
    const { view } = await stage.drive();
    expect(stage.requests.map(({ fullPrompt }) => fullPrompt !== undefined)).toEqual([false, true]);
    expect(stage.requests[1]?.fullPrompt).toBe(await stage.text(view.prompts[1]?.full));
    expect(stage.requests[1]?.fullPrompt).toContain(stage.requests[1]?.prompt);
  });
});
