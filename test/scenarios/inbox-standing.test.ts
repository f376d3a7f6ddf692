/** Inbox graphs, sections 5 to 9 of their rules: how nodes and runs stand, and what of it outlives a process. */
import { describe, expect, test } from "vitest";
import type { Agent, Turn } from "../../src/agent/agent.ts";
import { failure } from "../../src/base/failure.ts";
import { resumeWrites } from "../../src/inbox.ts";
import type { Event } from "../../src/kernel/event.ts";
import { Crash, FaultyJournal } from "../../src/testing/faulty-journal.ts";
import { Gates, graph, JOURNALS, Stage, type Standing, settled, told, turn, viewOf } from "./inbox-stage.ts";

const asking = (text: string, more: Record<string, string> = {}) =>
  turn(text, more, { ask: { title: "May I?", args: {} } });

/** The statuses that a node went through, as the events of the log show them. */
function statusesOf(node: string, events: readonly Event[]): string[] {
  const seen = events.map((_, index) => viewOf(events.slice(0, index + 1)).nodes[node]?.status ?? "");
  return seen.filter((status, index) => status !== seen[index - 1]);
}

const blockedIn = ({ nodes }: Pick<Standing, "nodes">) =>
  Object.keys(nodes).filter((node) => nodes[node]?.status === "blocked");

describe.each(JOURNALS)("on a %s journal", (_name, makeJournal) => {
  test("§5 a node is idle, then running, then idle; blocked between question and answer; failed until a retry", async () => {
    const stage = new Stage({
      graph: graph("plain asks fails", []),
      script: { plain: ["ok"], asks: [asking("asked")], fails: [turn("", {}, { fail: "no" }), "ok"] },
      journal: makeJournal(),
    });
    await stage.play("plain: go", "asks: go", "fails: go");
    await stage.tell({ type: "answer", value: true });
    await stage.tell({ type: "retry", node: "fails" });
    const { events, status } = await stage.drive();
    expect(status).toBe("completed");
    expect(statusesOf("plain", events)).toEqual(["idle", "running", "idle"]);
    expect(statusesOf("asks", events)).toEqual(["idle", "running", "blocked", "running", "idle"]);
    expect(statusesOf("fails", events)).toEqual(["idle", "running", "failed", "running", "idle"]);
  });

  test("§5 a run with an open question is running while others can run, then waiting, then completed", async () => {
    const gates = new Gates();
    const stage = new Stage({
      graph: graph("asks works", []),
      script: { asks: [asking("asked")], works: ["ok"] },
      journal: makeJournal(),
      before: (request) => (request.node === "works" ? gates.hold(request) : undefined),
    });
    await stage.start("asks: go", "works: go");
    const driving = stage.drive();
    await gates.begun("works");
    await settled();
    expect((await stage.open()).ledger.state).toMatchObject({
      status: "running",
      count: { asked: 1, ready: 1 },
    });
    await gates.pass("works");
    expect(await driving).toMatchObject({ status: "waiting", nodes: { works: { status: "idle" } } });
    await stage.tell({ type: "answer", value: true });
    expect(await stage.drive()).toMatchObject({ status: "completed" });
  });

  test("§5 a failure that may pass is tried again by itself, three times at most, each a turn of its own; any other waits", async () => {
    const failing = (retryable: boolean): Agent => ({
      mayWrite: () => false,
      session: ({ node }) => node,
      turn: async () => {
        const why = failure("agent_failed", "busy", { retryable });
        return { kind: "failed", failure: why, usage: { tokens: 5, costUsd: 0 } };
      },
    });
    const play = (retryable: boolean) => {
      const services = { agent: () => failing(retryable) };
      return new Stage({ graph: graph("a", []), services, journal: makeJournal() }).play("a: go");
    };
    const passing = await play(true);
    expect(told(passing)).toEqual([1, 2, 3].map((n) => `a ${n} failed [1 message user: go]`));
    expect(passing).toMatchObject({ status: "failed", nodes: { a: { status: "failed" } } });
    expect(told(await play(false))).toEqual(["a 1 failed [1 message user: go]"]);
  });

  test("§5 a budget says once what it cannot count: a cost or tokens that nobody knows", async () => {
    const agent: Agent = {
      mayWrite: () => false,
      session: ({ node }) => node,
      turn: async ({ prompt }): Promise<Turn> => {
        const usage = { tokens: 5, costUsd: null, uncounted: true } as const;
        return { kind: "done", text: prompt, usage, cursor: 1 };
      },
    };
    const budget = { maxTokens: 100, maxCostUsd: 1 };
    const services = { agent: () => agent };
    const stage = new Stage({ graph: graph("a", [], { budget }), services, journal: makeJournal() });
    await stage.play("a: go");
    await stage.send("a: more");
    const { warnings } = await stage.drive();
    expect(warnings.map(({ code }) => code)).toEqual(["tokens_unknown", "cost_unknown"]);
  });

  test("§5 a retry of a node that has not failed is refused", async () => {
    const stage = new Stage({ graph: graph("a", []), script: { a: ["ok"] }, journal: makeJournal() });
    await stage.play("a: go");
    await expect(stage.tell({ type: "retry", node: "a" })).rejects.toMatchObject({ code: "wrong_state" });
  });

  test("§7 after a reset of its session a node gets the full prompt again, and every turn keeps both with their session", async () => {
    const journal = makeJournal();
    const options = { graph: graph("a", []), script: { a: ["1", "2", "3"] }, journal };
    await new Stage(options).play("a: one");
    const forgetful: Agent = {
      session: ({ node }) => node,
      turn: async ({ fullPrompt }): Promise<Turn> => {
        expect(fullPrompt).toContain("# You are a"); // whoever lost the conversation sends this instead
        return { kind: "done", text: "begun anew", usage: { tokens: 0, costUsd: 0 }, cursor: "new" };
      },
    };
    const lost = new Stage({ ...options, services: { agent: () => forgetful } });
    await lost.send("a: two");
    await lost.drive();
    const { view } = await lost.standing();
    for (const { full, sent, session, form } of view.prompts) {
      expect(await lost.text(full)).toContain("# You are a");
      expect((await lost.text(full)).endsWith(await lost.text(sent))).toBe(true);
      expect([session, full.slice(0, 7)]).toEqual(["a", "sha256:"]);
      expect(form === "full").toBe(full === sent);
    }
    expect(view.prompts.map(({ form }) => form)).toEqual(["full", "delta"]);
  });

  test("§8 an edge or node that is changed counts as it is from the next turn on", async () => {
    const stage = new Stage({
      graph: graph("a b", [{ id: "e", from: "a", to: "b", direction: "directional" }]),
      script: { a: [turn("1", { b: "x" }), turn("2", { b: "y" })], b: ["1", turn("2", { a: "back" })] },
      journal: makeJournal(),
    });
    await stage.play("a: go");
    const inbox = await stage.inbox();
    const edited = await inbox.edit([
      { type: "set_edge", edge: { id: "e", from: "a", to: "b", type: "report" } },
      { type: "set_node", id: "b", node: { kind: "verifier", prompt: "Look twice." } },
    ]);
    expect(edited.ok).toBe(true);
    await stage.send("a: more");
    await inbox.drive();
    const { deliveries } = await stage.standing();
    expect(deliveries.map(({ from, to, type }) => `${from}>${to} ${type}`)).toEqual([
      ...["a>b handoff", "a>b report", "b>a report"],
    ]);
    expect(stage.requests.findLast(({ node }) => node === "b")?.prompt).toContain("Look twice.");
  });

  test("§5 what failed turns cost counts against the budget before anything of them is committed", async () => {
    const costly = { fail: "broken", usage: { tokens: 60 } };
    const stage = new Stage({
      graph: graph("a b", [], { budget: { maxTokens: 100 } }),
      script: { a: [turn("", {}, costly), turn("", {}, costly), "never"], b: ["held"] },
      journal: makeJournal(),
    });
    await stage.start("a: go");
    const inbox = await stage.inbox();
    await inbox.drive();
    await inbox.send({ type: "retry", node: "a" });
    await inbox.drive();
    await stage.send("b: go");
    await inbox.drive();
    const held = await stage.standing();
    expect(held).toMatchObject({ status: "paused", reason: "budget_exhausted", usage: { tokens: 120 } });
    expect(held.warnings).toMatchObject([{ code: "budget", at: "a" }]);
    const other = new Stage({ graph: graph("a b", []), script: { b: ["ok"] }, journal: stage.journal });
    await other.tell({ type: "resume" });
    await (await other.inbox()).drive(); // another process knows it too
    expect(await other.standing()).toMatchObject({ status: "paused", reason: "budget_exhausted" });
    await other.tell({ type: "resume", writes: [{ channel: "budget", value: { maxTokens: 500 } }] });
    await (await other.inbox()).drive();
    expect((await other.standing()).turns.at(-1)).toMatchObject({ node: "b", status: "completed" });
  });

  test("§9 a question that was open when the process died is asked once, and its answer goes on with the same turn", async () => {
    const gates = new Gates();
    const options = { graph: graph("a b", ["a>b"]), journal: makeJournal() };
    const script = { a: [asking("asked", { b: "sent" })], b: ["works", "read"] };
    const first = new Stage({
      ...options,
      script,
      before: (request) => (request.node === "b" ? gates.hold(request) : undefined),
    });
    await first.start("a: go", "b: go");
    const died = new AbortController();
    const driving = first.drive(died.signal);
    await gates.begun("b");
    await settled();
    died.abort();
    await driving;
    const second = new Stage({ ...options, script });
    const waiting = await second.drive();
    expect(waiting).toMatchObject({ status: "waiting", questions: [{ id: "1/a:0" }] });
    await second.tell({ type: "answer", value: true });
    const { turns, deliveries, events } = await second.drive();
    expect(events.filter(({ type }) => type === "task.asked")).toHaveLength(1);
    expect(turns.filter(({ node }) => node === "a")).toMatchObject([{ turn: 1, status: "completed" }]);
    expect(deliveries).toHaveLength(1);
    const request = second.requests.find(({ node }) => node === "a");
    expect(request?.prompt).toBe(first.requests.find(({ node }) => node === "a")?.prompt);
    expect(request?.approval).toEqual({ approved: true, asked: { title: "May I?", args: {} } });
  });

  test("§9 an answer goes to the session in which it was asked for, whatever process gives it", async () => {
    const cursors: unknown[] = [];
    const agent: Agent = {
      mayWrite: () => false,
      session: ({ node }) => node,
      turn: async ({ cursor, approval }): Promise<Turn> => {
        cursors.push(cursor);
        if (approval === undefined)
          return { kind: "asks", title: "May I?", args: {}, cursor: "in the middle" };
        return { kind: "done", text: "over", usage: { tokens: 0, costUsd: 0 }, cursor: "at the end" };
      },
    };
    const options = { graph: graph("a", []), services: { agent: () => agent }, journal: makeJournal() };
    await new Stage(options).play("a: go");
    const later = new Stage(options);
    await later.tell({ type: "answer", value: "no decision" });
    await later.drive();
    const last = new Stage(options);
    await last.tell({ type: "answer", value: true });
    await last.drive();
    await last.send("a: more");
    await last.drive();
    expect(cursors).toEqual([undefined, "in the middle", "at the end"]);
  });

  test("§9 counters survive a restart: results that repeat, automatic turns, numbers of turns, retry sets", async () => {
    const journal = makeJournal();
    const nodes = { lead: { kind: "orchestrator" }, a: { kind: "task" } };
    const options = {
      graph: { mode: "auto", nodes, edges: [], limits: { stallAfter: 3, maxAutoTurns: 2 } },
      script: { lead: ["0", "1", "2", "3"], a: [turn("", {}, { fail: "broken" }), "same", "same", "same"] },
      journal,
    };
    await new Stage(options).play("a: one");
    const afresh = async (...commands: Parameters<Stage["tell"]>[0][]) => {
      const stage = new Stage(options); // nothing but the log is left of the others
      for (const command of commands) await stage.tell(command);
      return stage;
    };
    expect(await (await afresh()).standing()).toMatchObject({ reason: "max_auto_turns" });
    const retried = await (await afresh({ type: "retry", node: "a" }, { type: "resume" })).drive();
    expect(told(retried).filter((line) => line.startsWith("a"))).toEqual([
      "a 1 failed [1 message user: one]",
      "a 2 completed [1 message user: one]",
    ]);
    for (const text of ["two", "three"]) {
      const stage = await afresh();
      await stage.send(`a: ${text}`);
      if ((await stage.standing()).status === "paused") await stage.tell({ type: "resume" });
      await stage.drive();
    }
    const standing = await (await afresh()).standing();
    expect(told(standing).at(-1)).toBe("a 4 completed [3 message user: three]");
    expect(standing).toMatchObject({ status: "paused", reason: "stalled", detail: { node: "a", times: 3 } });
  });

  test("§9 never is a node blocked with nothing to resolve, wherever the process dies", async () => {
    const options = {
      graph: graph("a b", ["a-b"], { limits: { stallAfter: 2 } }),
      script: {
        a: [asking("1", { b: "x" }), { $: "turn", text: "same" }, { $: "turn", text: "same" }, asking("2")],
        b: [turn("", {}, { fail: "broken" }), turn("mended", { a: "y" }), turn("again", { a: "z" })],
      },
    };
    /** Does whatever the log offers, and nothing else; says whether there was anything. */
    const resolve = async (stage: Stage): Promise<boolean> => {
      const { status, questions, nodes, reason } = await stage.standing();
      const failed = Object.keys(nodes).find((node) => nodes[node]?.status === "failed");
      expect(blockedIn({ nodes }).length > 0 && questions.length === 0 && reason === undefined).toBe(false);
      if (questions.length > 0)
        await stage.tell({ type: "answer", question: questions[0]!.id as never, value: true });
      else if (status === "paused") await stage.tell({ type: "resume", writes: resumeWrites() });
      else if (failed !== undefined) await stage.tell({ type: "retry", node: failed });
      else return false;
      return true;
    };
    const live = async (stage: Stage) => {
      if ((await stage.open()).ledger.state.status === "new") await stage.start("a: go", "b: go");
      for (let round = 0; round < 20; round++) {
        await stage.drive();
        if (!(await resolve(stage))) break;
      }
      return stage.standing();
    };
    const calm = new FaultyJournal(makeJournal());
    const calmly = await live(new Stage({ ...options, journal: calm }));
    expect([calmly.status, blockedIn(calmly)]).toEqual(["completed", []]);
    for (let append = 1; append <= calm.appends; append++) {
      const inner = makeJournal();
      const dying = new Stage({ ...options, journal: new FaultyJournal(inner, { append, write: "kept" }) });
      await expect(live(dying)).rejects.toThrow(Crash);
      const { status, nodes } = await live(new Stage({ ...options, journal: inner }));
      expect([append, status, blockedIn({ nodes })]).toEqual([append, "completed", []]);
    }
  });
});
