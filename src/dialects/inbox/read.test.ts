import { describe, expect, test } from "vitest";
import type { Json } from "../../base/json.ts";
import { checkInbox, isInbox, readInbox } from "./read.ts";

const nodes = { lead: { kind: "orchestrator" }, coder: { kind: "task" } };

const issues = (json: Json) => {
  const { errors, warnings } = checkInbox(json);
  return [...errors, ...warnings].map(({ code, pointer }) => `${code} ${pointer}`);
};

test("a file is told apart by its content", () => {
  expect(isInbox({ nodes })).toBe(true);
  expect(isInbox({ sockets: {}, nodes })).toBe(false);
  expect(isInbox([])).toBe(false);
});

test("reading fills in what the author left out", () => {
  const edges = [
    { from: "lead", to: "coder" },
    { from: "lead", to: "coder", type: "report" },
    { id: "lead-coder", from: "coder", to: "coder" },
  ];
  const read = readInbox({ nodes, edges, limits: { stallAfter: 5 } });
  expect(read).toMatchObject({
    ok: true,
    warnings: [],
    definition: {
      name: "inbox",
      mode: "interactive",
      phase: "implementation",
      limits: { maxConcurrentTurns: 4, stallAfter: 5, maxAutoTurns: 3 },
      edges: [
        { id: "lead-coder-2", type: "handoff", direction: "bidirectional", auto: false },
        { id: "lead-coder-3", type: "report", direction: "bidirectional" },
        { id: "lead-coder", direction: "directional" },
      ],
    },
  });
});

describe("a check refuses", () => {
  const rows: [what: string, file: Json, expected: string[]][] = [
    ["no nodes", { nodes: {} }, ["no_nodes /nodes"]],
    ["nodes left out", {}, ["missing_field /nodes"]],
    [
      "an unknown endpoint",
      { nodes, edges: [{ from: "lead", to: "codr" }] },
      ["unknown_endpoint /edges/0/to"],
    ],
    [
      "two edges with one id",
      {
        nodes,
        edges: [
          { id: "e", from: "lead", to: "coder" },
          { id: "e", from: "coder", to: "lead" },
        ],
      },
      ["duplicate_id /edges/1/id"],
    ],
    ["a reserved name", { nodes: { user: { kind: "task" } } }, ["reserved_name /nodes/user"]],
    ["a name that commands cannot say", { nodes: { "a=b": { kind: "task" } } }, ["bad_name /nodes/a=b"]],
    ["__proto__", JSON.parse('{"nodes":{"__proto__":{"kind":"task"}}}'), ["bad_name /nodes/__proto__"]],
    [
      "an unknown workspace",
      { nodes: { a: { kind: "task", workspace: "worktre" } } },
      ["unknown_value /nodes/a/workspace"],
    ],
    ["an unknown kind", { nodes: { a: { kind: "worker" } } }, ["unknown_value /nodes/a/kind"]],
    [
      "limits that make no sense",
      { nodes, limits: { maxConcurrentTurns: 0, stallAfter: 1, maxAutoTurns: 0.5 } },
      [
        "bad_number /limits/maxConcurrentTurns",
        "bad_number /limits/stallAfter",
        "bad_number /limits/maxAutoTurns",
      ],
    ],
    [
      "automatic turns without one orchestrator",
      { nodes: { a: { kind: "task" } }, mode: "auto" },
      ["orchestrator_count /mode"],
    ],
    [
      "an automatic edge from a node to itself",
      { nodes, edges: [{ from: "lead", to: "lead", auto: true }] },
      ["auto_self_edge /edges/0/auto"],
    ],
  ];
  test.each(rows)("%s", (_what, file, expected) => {
    expect(issues(file)).toEqual(expected);
    expect(checkInbox(file).ok).toBe(false);
    expect(readInbox(file).ok).toBe(false);
  });

  test.each([null, [], "text", { nodes: [], edges: {} }, { nodes: { a: null }, edges: [null, 1] }])(
    "%j, without throwing",
    (file) => {
      expect(checkInbox(file as Json).ok).toBe(false);
    },
  );
});

test("a check warns of keys that nobody knows and of a two-way edge to oneself, and says what was meant", () => {
  const file = {
    nodes: { lead: { kind: "orchestrator", promt: "x" } },
    edges: [{ from: "lead", to: "lead", direction: "bidirectional" }],
  };
  expect(issues(file)).toEqual([
    "unknown_field /nodes/lead/promt",
    "self_edge_bidirectional /edges/0/direction",
  ]);
  expect(checkInbox(file)).toMatchObject({ ok: true, warnings: [{ hint: "Did you mean prompt?" }, {}] });
});

test("a check warns of nodes that write to one folder at the same time because their author says so", () => {
  const shared = { workspace: "shared" };
  const of = (...kinds: object[]) =>
    issues({ nodes: Object.fromEntries(kinds.map((node, index) => [`n${index}`, node])) } as Json);
  const warning = ["shared_writers /nodes/n0/workspace"];
  expect(of({ kind: "task", ...shared }, { kind: "task" })).toEqual(warning);
  expect(of({ kind: "verifier", tools: "coding", ...shared }, { kind: "task" })).toEqual(warning);
  expect(of({ kind: "task", ...shared }, { kind: "verifier" })).toEqual([]);
  expect(of({ kind: "verifier", ...shared }, { kind: "task" }, { kind: "task" })).toEqual([]);
});

describe("termination", () => {
  const verdict = (edges: Json) =>
    checkInbox({ nodes: { ...nodes, judge: { kind: "verifier" } }, edges }).termination;

  test("a graph in which no message can come back ends", () => {
    const direction = "directional";
    const edges = [
      { from: "lead", to: "coder", direction },
      { from: "lead", to: "judge", direction },
      { from: "coder", to: "judge", direction },
    ];
    expect(verdict(edges)).toEqual({ verdict: "terminates", bound: null, cycle: null });
  });

  test("one in which it can may go on for ever, and the cycle is named", () => {
    const direction = "directional";
    expect(verdict([{ from: "coder", to: "judge" }])).toMatchObject({
      verdict: "may_not_terminate",
      cycle: ["coder", "judge", "coder"],
    });
    expect(verdict([{ from: "judge", to: "judge" }]).cycle).toEqual(["judge", "judge"]);
    const round = [
      { from: "lead", to: "coder", direction },
      { from: "coder", to: "judge", direction },
      { from: "judge", to: "coder", direction },
    ];
    expect(verdict(round).cycle).toEqual(["coder", "judge", "coder"]);
  });

  test("a check of a file with errors says nothing about it", () => {
    expect(checkInbox({ nodes: {} }).termination.verdict).toBe("unknown");
  });
});
