/** Inbox graphs, section 9 of their rules: nothing is lost, doubled or reordered, whenever the process dies. */
import { describe, expect, test } from "vitest";
import type { Agent, Turn } from "../../src/agent/agent.ts";
import { random } from "../../src/base/random.ts";
import type { Journal } from "../../src/run/journal.ts";
import { Crash, FaultyJournal } from "../../src/testing/faulty-journal.ts";
import { Gates, graph, JOURNALS, Stage, type Standing, settled, told, turn, viewOf } from "./inbox-stage.ts";

const asking = turn("asked", { c: "approved" }, { ask: { title: "May I?", args: {} } });

/** A fan, a failure, a question, a node with several inputs, an orchestrator that finishes. */
const BUSY = {
  graph: {
    ...graph("a b c", ["lead-a", "lead-b", "a>c", "b>c", "c>lead"]),
    mode: "auto",
    nodes: {
      lead: { kind: "orchestrator" },
      ...Object.fromEntries(["a", "b", "c"].map((id) => [id, { kind: "task" }])),
    },
  },
  script: {
    lead: [
      turn("plan", { a: "1", b: "2" }),
      turn("heard 1"),
      turn("heard 2"),
      turn("over", {}, { finish: { ok: true, summary: "done" } }),
      turn("spare", {}, { finish: { ok: true, summary: "done" } }),
    ],
    a: [asking],
    b: [turn("", {}, { fail: "broken" }), turn("mended", { c: "from b" })],
    c: { outputs: [turn("passed on", { lead: "from c" }), turn("and on", { lead: "again" })] },
  },
};

/** Drives the run to its end, answers what it asks and retries what failed. */
async function goOn(journal: Journal): Promise<{ stage: Stage; standing: Standing }> {
  const stage = new Stage({ ...BUSY, journal });
  const { state } = (await stage.open()).ledger;
  if (state.status === "new") await stage.start("lead: ship");
  let standing = await stage.drive();
  for (let i = 0; i < 10 && standing.status !== "completed"; i++) {
    if (standing.status === "waiting") await stage.tell({ type: "answer", value: true });
    else await stage.tell({ type: "retry", node: "b" });
    standing = await stage.drive();
  }
  return { stage, standing };
}

/** What a crash must not change, by node: turns that ran at once may start again in another order. */
function essence({ deliveries, rejections, nodes, turns }: Standing) {
  const ended = turns.filter(({ status }) => status !== "interrupted").map(({ turn: _, ...line }) => line);
  return {
    ...{ rejections, nodes },
    deliveries: deliveries.toSorted((a, b) => a.to.localeCompare(b.to) || a.seq - b.seq),
    turns: ended.toSorted((a, b) => a.node.localeCompare(b.node)),
  };
}

describe.each(JOURNALS)("on a %s journal", (_name, makeJournal) => {
  test("§9 a crash at every append, its write kept or lost, leads to the same deliveries, turns and nodes", async () => {
    const calm = new FaultyJournal(makeJournal());
    const expected = essence((await goOn(calm)).standing);
    expect(expected.deliveries).toHaveLength(6);
    for (let append = 1; append <= calm.appends; append++) {
      for (const write of ["kept", "lost"] as const) {
        const inner = makeJournal();
        await expect(goOn(new FaultyJournal(inner, { append, write }))).rejects.toThrow(Crash);
        const { stage, standing } = await goOn(inner);
        expect(essence(standing), `after a crash at append ${append}, ${write}`).toEqual(expected);
        expect(await stage.replays()).toBe(true);
      }
    }
  });

  test("§9 a turn that ran when the process died is recorded as interrupted, and its inputs run again first", async () => {
    const gates = new Gates();
    const first = new Stage({
      graph: graph("a", []),
      script: { a: ["never recorded"] },
      journal: makeJournal(),
      before: gates.hold,
    });
    await first.start("a: one", "a: two");
    const died = new AbortController();
    const driving = first.drive(died.signal);
    await gates.begun("a");
    died.abort();
    await driving;
    const second = new Stage({ graph: graph("a", []), script: { a: ["1", "2"] }, journal: first.journal });
    await second.send("a: three");
    const standing = await second.drive();
    expect(told(standing)).toEqual([
      "a 1 interrupted [1 message user: one | 2 message user: two]",
      "a 2 completed [1 message user: one | 2 message user: two]",
      "a 3 completed [3 message user: three]",
    ]);
    expect(standing.events.some((event) => event.type === "task.remembered" && event.key === "begin:2")).toBe(
      true,
    );
  });

  test("§9 an approval survives the death of the process, and so does the place in the script", async () => {
    const journal = makeJournal();
    const one = new Stage({ ...BUSY, journal });
    await one.play("lead: ship");
    const { standing } = await goOn(journal);
    expect(standing.status).toBe("completed");
    expect(standing.deliveries.filter(({ from }) => from === "a").map(({ message }) => message)).toEqual([
      "approved",
    ]);
  });
});

const NAMES = Array.from({ length: 10 }, (_, index) => `n${index}`);

/** Passes every message on until it has travelled so many hops; each message has a name of its own. */
const relay: Agent = {
  mayWrite: () => false,
  session: ({ node }) => node,
  turn: async ({ node, prompt, cursor }): Promise<Turn> => {
    const tokens = [...prompt.matchAll(/^token (\d+) hop (\d+)$/gm)].map(([, id, hop]) => [
      Number(id),
      Number(hop),
    ]);
    await settled();
    const sends = tokens.flatMap(([id = 0, hop = 0]) =>
      hop >= 9
        ? []
        : [{ to: `n${(Number(node.slice(1)) + 1 + (id % 3)) % 10}`, message: `token ${id} hop ${hop + 1}` }],
    );
    const count = Number(cursor ?? 0) + 1;
    return { kind: "done", text: `turn ${count}`, sends, usage: { tokens: 1, costUsd: 0 }, cursor: count };
  },
};

test.each(JOURNALS)(
  "§9 ten nodes and 1,000 envelopes, killed at 50 random moments: no envelope lost, none consumed twice, the order kept (%s)",
  async (_name, makeJournal) => {
    const edges = NAMES.flatMap((from, i) => [1, 2, 3].map((hop) => `${from}>${NAMES[(i + hop) % 10]}`));
    const options = {
      graph: graph(NAMES.join(" "), edges, { limits: { maxConcurrentTurns: 4, stallAfter: 100 } }),
      services: { agent: () => relay },
    };
    const messages = Array.from({ length: 112 }, (_, id) => `n${id % 10}: token ${id} hop 0`);
    const draw = random("kills");
    const inner = makeJournal();
    await new Stage({ ...options, journal: inner }).start(...messages);
    let kills = 0;
    for (; kills < 50; kills++) {
      const plan = { append: 1 + Math.floor(draw() * 12), write: draw() < 0.5 ? "kept" : "lost" } as const;
      const stage = new Stage({ ...options, journal: new FaultyJournal(inner, plan) });
      const died = await stage.drive().then(
        () => false,
        (error) => error instanceof Crash,
      );
      if (!died) break;
    }
    expect(kills).toBe(50);
    const last = new Stage({ ...options, journal: inner });
    const { status, deliveries, turns, nodes, events } = await last.drive();
    expect(status).toBe("completed");
    expect(deliveries).toHaveLength(112 * 9);
    expect(new Set(deliveries.map(({ message }) => message)).size).toBe(112 * 9);
    for (const node of NAMES) {
      const read = turns
        .filter((line) => line.node === node && line.status === "completed")
        .flatMap(({ consumed }) => consumed);
      expect(read.map(({ seq }) => seq)).toEqual(read.map((_, index) => index + 1));
      const sent = deliveries.filter(({ to }) => to === node);
      expect(read.filter(({ kind }) => kind !== "message").map(({ message }) => message)).toEqual(
        sent.map(({ message }) => message),
      );
      expect(nodes[node]).toEqual({ status: "idle", inbox: 0 });
    }
    expect(turns.some(({ status: ended }) => ended === "interrupted")).toBe(true);
    expect(await last.replays()).toBe(true);
    expect(viewOf(events).result).toEqual(viewOf(JSON.parse(JSON.stringify(events))).result);
  },
  30_000,
);

test.each(JOURNALS)(
  "§2 §9 with injected delays, no order in which turns complete changes what a node consumes relative to the recorded order of deliveries (%s)",
  async (_name, makeJournal) => {
    for (let seed = 0; seed < 20; seed++) {
      const draw = random(`order ${seed}`);
      const senders = ["a", "b", "c"].map((id) => [
        id,
        [turn(id, { d: `${id} 1` }), turn("again", { d: `${id} 2` })],
      ]);
      const stage = new Stage({
        graph: graph("a b c d", ["a>d", "b>d", "c>d"]),
        journal: makeJournal(),
        script: { ...Object.fromEntries(senders), d: ["1", "2", "3", "4", "5", "6"] },
        before: async () => {
          for (let wait = Math.floor(draw() * 6); wait > 0; wait--) await settled();
        },
      });
      await stage.start("a: go", "b: go", "c: go");
      const driving = stage.drive();
      for (const node of ["a", "b", "c"]) await stage.send(`${node}: more`);
      const { deliveries, turns } = await driving;
      expect(new Set(deliveries.map(({ from }) => from)).size).toBe(3);
      const read = turns.filter(({ node }) => node === "d").flatMap(({ consumed }) => consumed);
      expect(read.map(({ seq, message }) => ({ seq, message }))).toEqual(
        deliveries.map(({ seq, message }) => ({ seq, message })),
      );
      expect(await stage.replays()).toBe(true);
    }
  },
);
