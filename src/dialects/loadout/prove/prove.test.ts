/** The prover (§2): certificates, bounds and counterexamples of loadouts that are easy to follow by hand. */
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../../base/json.ts";
import { checkLoadout } from "../check/check.ts";

const agent = { prompt: "Work.", tools: "none" };
const materia = { Gen: { ...agent, generator: true }, Do: agent };
const always = (to: string, more: JsonObject = {}): JsonObject => ({ when: "always", to, ...more });
const advance = { cursor: "c", items: "state.workItems", when: "satisfied" };

function proven(json: Json) {
  const { errors, termination, proof, warnings } = checkLoadout(json);
  expect(errors).toEqual([]);
  return { ...termination, proof, codes: warnings.map(({ code }) => code) };
}

/** Plan → Look → loop [Build → Check] → Tell, with so many returns of an item. */
function loop(returns: number): JsonObject {
  return {
    entry: "Socket-1",
    sockets: {
      "Socket-1": { materia: "Gen", edges: [always("Socket-2")] },
      "Socket-2": { materia: "Do", edges: [always("Socket-3")] },
      "Socket-3": { materia: "Do", edges: [always("Socket-4")] },
      "Socket-4": {
        materia: "Do",
        parse: "json",
        advance,
        edges: [
          { when: "satisfied", to: "Socket-3" },
          { when: "not_satisfied", to: "Socket-3", maxTraversals: returns },
        ],
      },
      "Socket-5": { materia: "Do" },
    },
    loops: {
      work: {
        sockets: ["Socket-3", "Socket-4"],
        consumes: { from: "Socket-1" },
        exits: [{ id: "x", from: "Socket-4", condition: "always", targetSocketId: "Socket-5" }],
      },
    },
    materia,
  };
}

describe("§2: bounds", () => {
  test("a straight way takes as many turns as it has sockets", () => {
    const sockets = {
      "Socket-1": { materia: "Do", edges: [always("Socket-2")] },
      "Socket-2": { materia: "Do" },
    };
    expect(proven({ entry: "Socket-1", sockets, materia }).bound).toBe("2");
  });

  test("the turns of an item count for every item", () => {
    expect(proven(loop(1)).bound).toBe("3 + 4·items");
    expect(proven(loop(2)).bound).toBe("3 + 6·items");
  });

  test("an edge outside of loops that may be passed n times repeats what lies behind it n times", () => {
    const json = loop(1);
    const sockets = {
      ...(json["sockets"] as JsonObject),
      "Socket-5": { materia: "Do", edges: [always("Socket-1", { maxTraversals: 2 })] },
    };
    expect(proven({ ...json, sockets }).bound).toBe("9 + 12·items");
  });

  test("with several loops each has its own number of items", () => {
    const json = loop(1);
    const sockets = {
      ...(json["sockets"] as JsonObject),
      "Socket-5": { materia: "Do", parse: "json", advance, edges: [always("Socket-5")] },
    };
    const more = { sockets: ["Socket-5"], consumes: { from: "Socket-1" }, exits: [] };
    const loops = { ...(json["loops"] as JsonObject), again: more };
    expect(proven({ ...json, sockets, loops }).bound).toBe("2 + 4·items(again) + 4·items(work)");
  });

  test("a loadout inside of a socket adds its own turns to each visit", () => {
    const inner = loop(1);
    const outer = {
      entry: "Socket-1",
      sockets: { "Socket-1": { materia: "Sub", edges: [always("Socket-1", { maxTraversals: 1 })] } },
      materia: { Sub: { type: "graph", loadout: "Inner" } },
      loadouts: { Inner: inner },
    };
    expect(proven(outer)).toMatchObject({ verdict: "terminates", bound: "8 + 8·items" });
  });

  test("a parallel loop is one turn and those of its lanes, which run twice where their files may conflict", () => {
    const { loops, ...rest } = loop(1) as { loops: { work: JsonObject } } & JsonObject;
    const lanes = { ...rest, loops: { work: { ...loops.work, parallel: { maxConcurrency: 2 } } } };
    const { bound, proof } = proven(lanes);
    expect(bound).toBe("4 + 4·items");
    expect(proof?.certificate).toEqual([
      "Loop work works on each of its items in one lane.",
      "The not_satisfied edge from Socket-4 to Socket-3 is passed at most 1 times per item.",
    ]);
    const writing = proven({ ...lanes, materia: { ...materia, Do: { ...agent, tools: "coding" } } });
    expect(writing.bound).toBe("4 + 8·items");
    expect(writing.proof?.certificate[0]).toContain("once more when its files conflict");
    const told = new Map(proof?.outcomes.map(({ socket, outcomes }) => [socket, outcomes]));
    expect(told.get("Socket-4")).toEqual([
      { said: "satisfied", leads: [{ to: "Socket-5", via: { exit: "x" } }] },
      {
        said: "not_satisfied",
        leads: [
          { to: "Socket-3", via: { edge: 1 } },
          { to: "fail", via: { edge: 1 } },
        ],
      },
    ]);
  });

  test("a loadout with more frames than are explored is bounded without a formula", () => {
    expect(proven(loop(1_000_000))).toMatchObject({ verdict: "terminates", bound: null });
  });
});

describe("§2: counterexamples", () => {
  test("the shortest cycle is told, from its first socket on", () => {
    const json = loop(1);
    const sockets = {
      ...(json["sockets"] as JsonObject),
      "Socket-5": { materia: "Do", edges: [always("Socket-2")] },
    };
    expect(proven({ ...json, sockets })).toMatchObject({
      verdict: "may_not_terminate",
      bound: null,
      cycle: ["Socket-2", "Socket-5", "Socket-2"],
    });
  });

  test("a cycle of a loadout inside is told with the socket that holds it", () => {
    const inner = {
      entry: "Socket-7",
      sockets: { "Socket-7": { materia: "Do", edges: [always("Socket-7")] } },
    };
    const sockets = { "Socket-1": { materia: "Sub" } };
    const outer = {
      entry: "Socket-1",
      sockets,
      materia: { ...materia, Sub: { type: "graph", loadout: "In" } },
      loadouts: { In: inner },
    };
    expect(proven(outer)).toMatchObject({
      verdict: "may_not_terminate",
      cycle: ["Socket-1/Socket-7", "Socket-1/Socket-7"],
    });
  });

  test("what only the progress guard bounds is bounded by it, with a warning", () => {
    const json = loop(1);
    const open = {
      ...((json["sockets"] as JsonObject)["Socket-4"] as JsonObject),
      edges: [always("Socket-3")],
    };
    const { bound, codes, proof } = proven({
      ...json,
      sockets: { ...(json["sockets"] as JsonObject), "Socket-4": open },
    });
    expect(bound).toBe("3 + 8·items");
    expect(codes).toEqual(["guard_only"]);
    expect(proof?.certificate.at(-1)).toContain("3 times");
  });
});

test("§2: every outcome of every socket is told with where it leads", () => {
  const table = new Map(proven(loop(1)).proof?.outcomes.map(({ socket, outcomes }) => [socket, outcomes]));
  expect([...table.keys()]).toEqual(["Socket-1", "Socket-2", "Socket-3", "Socket-4", "Socket-5"]);
  expect(table.get("Socket-4")).toEqual([
    {
      said: "satisfied",
      leads: [
        { to: "Socket-3", via: { edge: 0 } },
        { to: "Socket-5", via: { exit: "x" } },
      ],
    },
    {
      said: "not_satisfied",
      leads: [
        { to: "Socket-3", via: { edge: 1 } },
        { to: "fail", via: { edge: 1 } },
      ],
    },
  ]);
  expect(table.get("Socket-5")).toEqual([{ said: "none", leads: [{ to: "end", via: "no_match" }] }]);
});
