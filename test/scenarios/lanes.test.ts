/** Items of a parallel loop are worked on at the same time and come together as if they had not been. */
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/base/json.ts";
import { runId } from "../../src/base/names.ts";
import { simulateFile } from "../../src/engines/simulate.ts";
import { MemoryJournal } from "../../src/journals/memory.ts";
import { checkLoadout } from "../../src/loadout.ts";
import { Crash, FaultyJournal } from "../../src/testing/faulty-journal.ts";
import { LanesStage, lanes, usual } from "./lanes-stage.ts";

const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

test("fan-in is in the order of the items, whatever the order in which lanes are done", async () => {
  const slowFirst = usual(4, async ({ item }) => {
    await sleep(40 - 10 * Number(item?.slice(3)));
    return "built";
  });
  const stage = new LanesStage({ loadout: lanes({}, "none", 4), play: slowFirst });
  const end = await stage.play();
  expect(stage.turns.indexOf("Socket-3@WI-4")).toBeLessThan(stage.turns.indexOf("Socket-3@WI-1"));
  expect(end).toMatchObject({ status: "completed", path: ["Socket-1", "Socket-2@WI-1", "Socket-4"] });
  expect(end.told).toEqual(["kept WI-1", "kept WI-2", "kept WI-3", "kept WI-4"]);
  expect(end.state).toMatchObject({ result: "WI-4" });
  expect(end.state["workItems"]).toHaveLength(4);
  expect(end.usage).toEqual({ tokens: 100, costUsd: 0 });
  const heads = await stage.journal.runs({ children: true, prefix: "r/" });
  expect(heads.map(({ run }) => run).toSorted()).toEqual(
    ["1", "2", "3", "4"].map((n) => `r/2/Socket-2~WI-${n}`),
  );
});

test("as many lanes are at work as may be, and no more", async () => {
  const stage = new LanesStage({
    loadout: lanes({}, "none", 3),
    play: usual(7, () => sleep(3).then(() => "b")),
  });
  await stage.play();
  expect(stage.most).toBe(3);
});

test("a lane knows its item among all, and nothing of the list", async () => {
  const stage = new LanesStage({ loadout: lanes(), play: usual(3) });
  await stage.play();
  expect(stage.prompts.get("Socket-2@WI-2 1")).toContain("Item 2 (WI-2, 2 of 3)");
  const events = await stage.journal.read(runId("r/2/Socket-2~WI-2"), 0);
  expect(JSON.stringify(events[0])).not.toContain("Item 3");
});

test("a loop without items is passed by", async () => {
  const stage = new LanesStage({ loadout: lanes(), play: usual(0) });
  expect(await stage.play()).toMatchObject({ status: "completed", path: ["Socket-1"] });
});

describe("failures", () => {
  test("all lanes finish before one fails the loop; a resume tries the failed one alone", async () => {
    let isBroken = true;
    const play = usual(3, ({ item }) => (item === "WI-1" && isBroken ? { fail: "no luck" } : "built"));
    const stage = new LanesStage({ loadout: lanes({}, "none", 1), play });
    const failed = await stage.play();
    expect(failed).toMatchObject({ status: "failed", failure: { code: "child_failed", at: "Socket-2" } });
    expect(failed.failure?.message).toContain("WI-1 (Item 1)");
    expect(failed.failure?.message).toContain("no luck");
    expect(stage.turns).toContain("Socket-3@WI-3");
    isBroken = false;
    stage.turns.length = 0;
    expect(await stage.resume()).toMatchObject({ status: "completed", state: { result: "WI-3" } });
    expect(stage.turns).toEqual(["Socket-2@WI-1", "Socket-3@WI-1", "Socket-4"]);
  });

  test("a lane that no edge leads on fails, and does not end the run in silence", async () => {
    const { sockets, ...rest } = lanes() as { sockets: JsonObject };
    const keep = { ...(sockets["Socket-3"] as JsonObject), edges: [{ when: "satisfied", to: "Socket-2" }] };
    const never = usual(1);
    const play: typeof never = (request, turns) =>
      request.node === "Socket-3" ? { satisfied: false, result: 0 } : never(request, turns);
    const stage = new LanesStage({ loadout: { ...rest, sockets: { ...sockets, "Socket-3": keep } }, play });
    const end = await stage.play();
    expect(end.status).toBe("failed");
    expect(end.failure?.message).toContain("without advancing");
  });
});

test("questions of lanes are those of the run; an answer neither runs finished lanes again nor failed ones", async () => {
  const play = usual(4, ({ item }) => {
    if (item === "WI-1") return { ask: "first?" };
    if (item === "WI-2") return { fail: "no luck" };
    return item === "WI-4" ? { ask: "fourth?" } : "built";
  });
  const stage = new LanesStage({ loadout: lanes(), play });
  const asked = await stage.play();
  expect(asked.status).toBe("waiting");
  expect(asked.questions).toMatchObject([
    { title: "first?", item: "Item 1" },
    { title: "fourth?", item: "Item 4" },
  ]);
  expect(await stage.answer({ approved: true })).toMatchObject({ status: "waiting" });
  const end = await stage.answer({ approved: true });
  expect(end.status).toBe("failed");
  expect(end.failure?.message).toContain("1 of the lanes of loop items failed.");
  for (const turn of ["Socket-2@WI-2", "Socket-3@WI-3", "Socket-3@WI-1"]) {
    expect(stage.turns.filter((name) => name === turn)).toHaveLength(1);
  }
});

test("the budget is shared: what one lane spends the others lack; a higher one goes on where they stood", async () => {
  // Planning costs 10 and each lane 20, one at a time: the second lane cannot take its second turn.
  const loadout = lanes({ budget: { maxTokens: 40 } }, "none", 1);
  const stage = new LanesStage({ loadout, play: usual(3) });
  const held = await stage.play();
  expect(held).toMatchObject({ status: "paused", reason: "budget_exhausted" });
  expect(stage.turns).toEqual(["Socket-1", "Socket-2@WI-1", "Socket-3@WI-1", "Socket-2@WI-2"]);
  stage.turns.length = 0;
  expect(await stage.resume({ maxTokens: 1000 })).toMatchObject({
    ...{ status: "completed", usage: { tokens: 80 } },
  });
  expect(stage.turns).toEqual(["Socket-3@WI-2", "Socket-2@WI-3", "Socket-3@WI-3", "Socket-4"]);
});

test("killed at every append, the write kept or lost, it ends the same and runs no finished lane again", async () => {
  const play = usual(3, ({ item }, turns) => (item === "WI-2" && turns === 1 ? { ask: "May I?" } : "built"));
  const whole = async (journal: FaultyJournal | MemoryJournal): Promise<LanesStage> => {
    const stage = new LanesStage({ loadout: lanes(), play, journal });
    if ((await stage.play()).status === "waiting") await stage.answer({ approved: true });
    return stage;
  };
  const calm = new FaultyJournal(new MemoryJournal());
  const end = await (await whole(calm)).standing();
  expect(end.status).toBe("completed");
  for (let append = 1; append <= calm.appends; append++) {
    for (const write of ["kept", "lost"] as const) {
      const journal = new MemoryJournal();
      await expect(whole(new FaultyJournal(journal, { append, write }))).rejects.toThrow(Crash);
      const done = await finishedLanes(journal);
      const stage = await whole(journal);
      expect({ append, write, ...(await stage.standing()) }).toEqual({ append, write, ...end });
      for (const lane of done) expect(stage.turns.filter((turn) => turn.endsWith(`@${lane}`))).toEqual([]);
    }
  }
});

async function finishedLanes(journal: MemoryJournal): Promise<string[]> {
  const heads = journal.runs({ children: true, prefix: "r/2/", status: "completed" });
  return heads.map(({ run }) => run.split("~")[1] ?? "");
}

describe("what a parallel loop may not do is told before it runs", () => {
  const changed = (socket: string, change: JsonObject): JsonObject => {
    const { sockets, ...rest } = lanes() as { sockets: JsonObject };
    return { ...rest, sockets: { ...sockets, [socket]: { ...(sockets[socket] as JsonObject), ...change } } };
  };
  const rows: [name: string, loadout: Json, code: string, pointer: string][] = [
    [
      "a way out in the middle",
      changed("Socket-2", { edges: [{ when: "always", to: "end" }] }),
      "parallel_edge_leaves",
      "/sockets/Socket-2/edges/0/to",
    ],
    [
      "making its own items",
      changed("Socket-3", { assign: { workItems: "$.more" } }),
      "parallel_makes_items",
      "/loops/items/sockets/1",
    ],
    ["no lanes at all", lanes({}, "none", 0), "bad_number", "/loops/items/parallel/maxConcurrency"],
  ];
  test.each(rows)("%s", (_, loadout, code, pointer) => {
    const { errors } = checkLoadout(loadout);
    expect(errors).toContainEqual(expect.objectContaining({ code, pointer }));
  });

  test("never advancing", () => {
    const { sockets, ...rest } = lanes() as { sockets: JsonObject };
    const { advance: _, ...keep } = sockets["Socket-3"] as JsonObject;
    const { errors } = checkLoadout({ ...rest, sockets: { ...sockets, "Socket-3": keep } } as JsonObject);
    expect(errors).toMatchObject([{ code: "parallel_never_advances", pointer: "/loops/items/parallel" }]);
  });

  test("nothing, when it is as it should be: a lane needs no way back to the first member", () => {
    const { sockets, ...rest } = lanes() as { sockets: Record<string, JsonObject> } & JsonObject;
    const withEdges = (edges: Json): JsonObject => {
      return { ...rest, sockets: { ...sockets, "Socket-3": { ...sockets["Socket-3"], edges } } };
    };
    const again = { when: "not_satisfied", to: "Socket-2", maxTraversals: 1 };
    expect(checkLoadout(withEdges([again]))).toMatchObject({ ok: true, warnings: [] });
    const { ok, warnings } = checkLoadout(withEdges([]));
    expect({ ok, warnings }).toMatchObject({
      ok: true,
      warnings: [
        { code: "uncovered_outcome", message: expect.stringContaining("the lane of its item fails") },
      ],
    });
  });

  test("nor is it said of one whose lanes write that its turns cannot be counted", () => {
    const bound = (tools: string) => checkLoadout(lanes({}, tools)).termination.bound;
    expect(bound("none")).toBe("3 + 8·items");
    expect(bound("coding")).toBe("3 + 16·items");
  });
});

test("a simulation follows the lanes one by one, and its script has a list for each", async () => {
  const laws = { json: { atMost: [{ visits: 1, of: "Socket-2", per: "item" }] } };
  const simulated = await simulateFile(lanes(), { seed: "s", runs: 60, laws });
  if (simulated.exit === 2) throw new Error("the loadout is fine");
  const [violation] = simulated.report.violations;
  expect(violation?.script).toMatchObject({
    "Socket-2@WI-1": ["Done."],
    "Socket-3@WI-1": [{ satisfied: false, result: "said" }],
  });
});
