/** Inbox graphs, sections 6 to 8 of their rules: modes, stalls, prompts, edits of a run. */
import { describe, expect, test } from "vitest";
import { LocalRun } from "../../src/engines/local.ts";
import { amendInbox, compileInbox, type InboxDefinition, readInbox, resumeWrites } from "../../src/inbox.ts";
import { graph, JOURNALS, RUN, Stage, told, turn } from "./inbox-stage.ts";

const team = (changes = {}) => {
  const made = graph("lead coder", ["lead-coder"], { mode: "auto", ...changes });
  return { ...made, nodes: { lead: { kind: "orchestrator" }, coder: { kind: "task" } } };
};

const finish = turn("over", {}, { finish: { ok: true, summary: "shipped" } });

describe.each(JOURNALS)("on a %s journal", (_name, makeJournal) => {
  test("§6 the orchestrator gets an automatic turn once nothing else can run, and finishes the goal", async () => {
    const stage = new Stage({
      graph: team(),
      script: { lead: [turn("plan", { coder: "do it" }), finish], coder: ["did it"] },
      journal: makeJournal(),
    });
    const standing = await stage.play("lead: ship");
    expect(standing.status).toBe("completed");
    expect(told(standing)).toEqual([
      "lead 1 completed [1 message user: ship]",
      "coder 1 completed [1 handoff lead: do it]",
      "lead 2 completed []",
    ]);
    expect(standing.view.goal).toEqual({ node: "lead", ok: true, summary: "shipped" });
    expect(stage.requests[2]?.prompt).toContain("Everybody is idle and the goal is open.");
    expect(await stage.replays()).toBe(true);
  });

  test("§6 without new input there are at most maxAutoTurns; then the run pauses and says why", async () => {
    const stage = new Stage({
      graph: team({ limits: { maxAutoTurns: 2 } }),
      script: {
        lead: ["0", "1", "2", "3", turn("4", { coder: "x" }), "5", finish],
        coder: [turn("c", { lead: "y" })],
      },
      journal: makeJournal(),
    });
    const first = await stage.play("lead: go");
    expect(first).toMatchObject({ status: "paused", reason: "max_auto_turns" });
    expect(first.turns).toHaveLength(3);
    expect(first.message).toContain("2 automatic turns");
    await stage.tell({ type: "resume" });
    const standing = await stage.drive();
    expect(standing.status).toBe("completed");
    expect(told(standing).slice(3)).toEqual([
      "lead 4 completed []",
      "lead 5 completed []",
      "coder 1 completed [1 handoff lead: x]",
      "lead 6 completed [2 handoff coder: y]",
      "lead 7 completed []",
    ]);
  });

  test("§6 a run that begins with somebody else still comes to the orchestrator, also when a node has failed", async () => {
    const stage = new Stage({
      graph: team(),
      script: { lead: [finish], coder: [turn("", {}, { fail: "broken" })] },
      journal: makeJournal(),
    });
    const standing = await stage.play("coder: go");
    expect(standing.turns.map(({ node, status }) => `${node} ${status}`)).toEqual([
      "coder failed",
      "lead completed",
    ]);
    expect(standing).toMatchObject({ status: "failed", reason: "agent_failed" });
  });

  test("§6 nobody is nudged while a person has to answer", async () => {
    const ask = turn("x", {}, { ask: { title: "May I?", args: {} } });
    const stage = new Stage({
      graph: team(),
      script: { lead: [finish], coder: [ask] },
      journal: makeJournal(),
    });
    expect((await stage.play("coder: go")).status).toBe("waiting");
    expect(stage.requests).toHaveLength(1);
  });

  test("§6 interactive: no automatic turns; a goal that is given up is told as a warning", async () => {
    const stage = new Stage({
      graph: team({ mode: "interactive" }),
      script: { lead: [turn("no", {}, { finish: { ok: false, summary: "out of reach" } })] },
      journal: makeJournal(),
    });
    const standing = await stage.play("lead: go");
    expect(standing).toMatchObject({ status: "completed", turns: [{ node: "lead" }] });
    expect(standing.warnings).toEqual([{ code: "goal_not_reached", message: "out of reach", at: "lead" }]);
  });

  test("§6 only an orchestrator can finish", async () => {
    const stage = new Stage({ graph: graph("a", []), script: { a: [finish] }, journal: makeJournal() });
    expect((await stage.play("a: go")).warnings).toMatchObject([{ code: "finish_ignored", at: "a" }]);
  });

  test("§6 identical results pause the run with the evidence and block the node; a resume counts anew", async () => {
    const ping = { outputs: [turn("still nothing", { b: "?" })], repeat: true };
    const stage = new Stage({
      graph: graph("a b", ["a-b"], { limits: { stallAfter: 3, maxConcurrentTurns: 1 } }),
      script: { a: ping, b: { outputs: ["1", "2", "3", "4", "5", "6"].map((n) => turn(n, { a: n })) } },
      journal: makeJournal(),
    });
    const stalled = await stage.play("a: go");
    expect(stalled).toMatchObject({
      status: "paused",
      reason: "stalled",
      nodes: { a: { status: "blocked" } },
    });
    expect(stalled.detail).toMatchObject({ node: "a", period: 1, times: 3 });
    expect(stalled.turns.filter(({ node }) => node === "a")).toHaveLength(3);
    await stage.tell({ type: "resume", writes: resumeWrites() });
    const again = await stage.drive();
    expect(again.reason).toBe("stalled");
    expect(again.turns.filter(({ node }) => node === "a")).toHaveLength(6);
  });

  test("§6 a repeated cycle of results stalls too; output that keeps changing never does", async () => {
    const cycle = { outputs: [turn("x", { b: "?" }), turn("y", { b: "!" })], repeat: true };
    const answers = Array.from({ length: 20 }, (_, n) => turn(`b${n}`, { a: `${n}` }));
    const script = { a: cycle, b: answers };
    const edges = ["a-b"];
    const stalled = await new Stage({ graph: graph("a b", edges), script, journal: makeJournal() }).play(
      "a: go",
    );
    expect(stalled).toMatchObject({ reason: "stalled", detail: { node: "a", period: 2, times: 3 } });
    expect(stalled.turns.filter(({ node }) => node === "a")).toHaveLength(6);
    const fresh = Array.from({ length: 21 }, (_, n) => (n < 20 ? turn(`a${n}`, { b: `${n}` }) : "end"));
    const moving = new Stage({
      graph: graph("a b", edges),
      script: { a: fresh, b: answers },
      journal: makeJournal(),
    });
    const standing = await moving.play("a: go");
    expect(standing.status).toBe("completed");
    expect(standing.turns).toHaveLength(41);
  });

  test("§7 the first prompt of a session is full, the others are deltas; both are kept, and name no ids", async () => {
    const play = async () => {
      const stage = new Stage({
        graph: team({ mode: "interactive" }),
        script: { lead: [turn("1", { coder: "do it" }), "2"], coder: [turn("c", { lead: "did it" })] },
        journal: makeJournal(),
      });
      const { view } = await stage.play("lead: ship it");
      const { prompts } = view;
      expect(prompts.map(({ node, form }) => `${node} ${form}`)).toEqual([
        "lead full",
        "coder full",
        "lead delta",
      ]);
      const [first, , third] = prompts;
      expect(first?.sent).toBe(first?.full);
      const delta = await stage.text(third?.sent);
      const full = await stage.text(third?.full);
      expect(full.endsWith(delta)).toBe(true);
      expect(full).toContain("# You are lead");
      expect(delta).toContain("handoff from coder\ndid it");
      expect(delta).not.toContain("# You are lead");
      expect(stage.requests[2]?.prompt).toBe(delta);
      expect(third?.session).toBe("lead");
      return Promise.all(prompts.flatMap(({ sent, full: all }) => [stage.text(sent), stage.text(all)]));
    };
    expect(await play()).toEqual(await play());
  });

  test("§7 a provider or role that changed needs the full prompt again", async () => {
    const script = { a: ["1", "2", "3", "4"] };
    const journal = makeJournal();
    const nodes = (node: object) => ({ nodes: { a: { kind: "task", ...node } }, edges: [] });
    const stage = new Stage({ graph: nodes({}), script, journal });
    await stage.play("a: one");
    const goOn = async (definition: InboxDefinition) => {
      const run = await LocalRun.open(compileInbox(definition, stage.services()), journal, RUN);
      await run.send({ type: "amend" });
      await run.send({
        type: "update",
        writes: [{ channel: "inbox:a", value: { type: "message", from: "user", message: "more" } }],
      });
      await run.drive();
    };
    for (const node of [
      { prompt: "Be brief." },
      { prompt: "Be brief." },
      { prompt: "Be brief.", agent: "x" },
    ]) {
      const read = readInbox(nodes(node));
      if (read.ok) await goOn(read.definition);
    }
    const { view } = await stage.standing();
    expect(view.prompts.map(({ form }) => form)).toEqual(["full", "full", "delta", "full"]);
    expect(stage.requests.map(({ cursor }) => cursor !== undefined)).toEqual([false, true, true, false]);
  });

  test("§8 a removed edge keeps what it delivered, and takes nothing more", async () => {
    const ask = turn("x", { b: "late" }, { ask: { title: "May I?", args: {} } });
    const stage = new Stage({
      graph: graph("a b", ["a>b"]),
      script: { a: [turn("1", { b: "early" }), ask], b: ["b"] },
      journal: makeJournal(),
    });
    await stage.play("a: go");
    await stage.send("a: more");
    expect((await stage.drive()).status).toBe("waiting");
    const read = readInbox(graph("a b", []));
    if (!read.ok) throw new Error("the graph is fine");
    const definition = amendInbox(stage.definition, read.definition);
    const run = await LocalRun.open(compileInbox(definition, stage.services()), stage.journal, RUN);
    await run.send({ type: "amend" });
    await run.send({ type: "answer", value: true });
    await run.drive();
    const { deliveries, rejections } = await stage.standing();
    expect(deliveries.map(({ message }) => message)).toEqual(["early"]);
    expect(rejections).toEqual([{ from: "a", to: "b", code: "edge_removed" }]);
  });

  test("§8 a removed node's inbox becomes dead letters, one record each; an added node takes part", async () => {
    const stage = new Stage({
      graph: graph("a b", ["a>b"]),
      script: { a: ["1", turn("2", { c: "welcome" })], b: [turn("", {}, { fail: "broken" })], c: ["c"] },
      journal: makeJournal(),
    });
    await stage.play("b: lost");
    await stage.send("b: one");
    await stage.send("b: two");
    await stage.drive();
    const read = readInbox(graph("a c", ["a>c"]));
    if (!read.ok) throw new Error("the graph is fine");
    const definition = amendInbox(stage.definition, read.definition);
    expect(definition.removed).toEqual(["b"]);
    const run = await LocalRun.open(compileInbox(definition, stage.services()), stage.journal, RUN);
    await run.send({ type: "amend" });
    await run.send({ type: "retry", node: "b" });
    await run.drive();
    for (const message of ["go", "on"]) {
      await run.send({
        type: "update",
        writes: [{ channel: "inbox:a", value: { type: "message", from: "user", message } }],
      });
      await run.drive();
    }
    const { state } = run.ledger;
    expect(state.status).toBe("completed");
    const { events, nodes, turns } = await stage.standing();
    const dead = events.flatMap((event) =>
      event.type === "task.noted" && event.kind === "inbox.dead_letter" ? [event.data] : [],
    );
    expect(dead).toMatchObject([
      { node: "b", letter: { message: "lost" } },
      { node: "b", letter: { message: "one" } },
      { node: "b", letter: { message: "two" } },
    ]);
    expect(Object.keys(nodes)).toEqual(["a", "c"]);
    expect(turns.at(-1)).toMatchObject({ node: "c", consumed: [{ message: "welcome" }] });
  });
});
