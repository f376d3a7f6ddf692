/** Promises of building, compiling and drawing a graph. */
import {
  END,
  END_NODE,
  field,
  GraphError,
  InvalidGraphError,
  MemorySaver,
  Send,
  START,
  StateGraph,
} from "batonjs";
import { describe, expect, test } from "vitest";
import { log, say } from "./stategraph-kit.ts";

function issuesOf(compile: () => unknown): string[] {
  try {
    compile();
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidGraphError);
    expect(error).toBeInstanceOf(GraphError);
    return (error as InvalidGraphError).issues.map(({ code }) => code);
  }
  return [];
}

test("§1.4 START and END are the strings that everybody knows", () => {
  expect([START, END, END_NODE]).toEqual(["__start__", "__end__", "__end__"]);
});

describe("compile checks everything and throws all issues at once", () => {
  test.each<[rule: string, build: (graph: StateGraph<Record<string, object>>) => unknown]>([
    ["§3.20 no_entry", (graph) => graph.addNode("a", say("a")).addEdge("a", END)],
    [
      "§3.21 unknown_source",
      (graph) =>
        graph
          .addNode("a", say("a"))
          .addEdge("b" as "a", "a")
          .addEdge(START, "a")
          .addEdge("a", END),
    ],
    [
      "§3.21 unknown_target",
      (graph) =>
        graph
          .addNode("a", say("a"))
          .addEdge(START, "a")
          .addEdge("a", "b" as "a"),
    ],
    [
      "§3.21 unknown_target",
      (graph) => graph.addNode("a", say("a"), { ends: ["nowhere"] }).addEdge(START, "a"),
    ],
    [
      "§3.21 unknown_target",
      (graph) =>
        graph
          .addNode("a", say("a"))
          .addEdge(START, "a")
          .addConditionalEdges("a", () => "x", { x: "b" as "a" }),
    ],
    ["§3.22 dead_end", (graph) => graph.addNode("a", say("a")).addEdge(START, "a")],
    [
      "§3.23 duplicate_node",
      (graph) => graph.addNode("a", say("a")).addNode("a", say("b")).addEdge(START, "a").addEdge("a", END),
    ],
    [
      "§3.23 reserved_name",
      (graph) =>
        graph
          .addNode(START, say("a"))
          .addEdge(START, START as never)
          .addEdge(START, END),
    ],
    [
      "§3.24 end_as_source",
      (graph) =>
        graph
          .addNode("a", say("a"))
          .addEdge(START, "a")
          .addEdge("a", END)
          .addEdge(END as "a", "a"),
    ],
    [
      "§3.24 start_as_target",
      (graph) =>
        graph
          .addNode("a", say("a"))
          .addEdge(START, "a")
          .addEdge("a", START as "a"),
    ],
    ["§3.25 empty_graph", () => undefined],
    [
      "§3.1 invalid_action",
      (graph) =>
        graph
          .addNode("a", 1 as never)
          .addEdge(START, "a")
          .addEdge("a", END),
    ],
  ])("%s", (rule, build) => {
    const graph = new StateGraph<Record<string, object>>(log());
    build(graph);
    expect(issuesOf(() => graph.compile())).toContain(rule.split(" ")[1]);
  });

  test("§3.19 several at once, each with what to do", () => {
    const graph = new StateGraph(log()).addNode("write", say("w")).addNode("read", say("r"));
    graph.addEdge("wrote" as "write", "read");
    const compile = () => graph.compile({ interruptBefore: ["reed"] });
    expect(issuesOf(compile)).toEqual([
      "unknown_source",
      "no_entry",
      "dead_end",
      "dead_end",
      "unknown_target",
    ]);
    expect(compile).toThrow('Did you mean "write"?');
    expect(compile).toThrow('Did you mean "read"?');
  });
});

describe("edges", () => {
  test("§3.17 the same graph can be built in one chain or line by line", async () => {
    const graph = new StateGraph(log());
    graph.addNode("a", say("a"));
    graph.addNode("b", say("b"));
    graph.addEdge(START, "a");
    graph.addEdge("a", "b");
    graph.addEdge("b", END);
    expect(await graph.compile().invoke({})).toEqual({ log: ["a", "b"] });
  });

  test("§3.14 addSequence adds nodes, or takes those that are there, one after the other", async () => {
    const app = new StateGraph(log())
      .addNode("b", say("b"))
      .addSequence([["a", say("a")], "b", ["c", say("c")]])
      .setEntryPoint("a")
      .setFinishPoint("c")
      .compile();
    expect(await app.invoke({})).toEqual({ log: ["a", "b", "c"] });
  });

  test("§3.9 a waiting edge fires once all sources have finished, over branches of any length", async () => {
    const app = new StateGraph(log())
      .addNode("short", say("short"))
      .addNode("long1", say("long1"))
      .addNode("long2", say("long2"))
      .addNode("join", say("join"))
      .addEdge(START, "short")
      .addEdge(START, "long1")
      .addEdge("long1", "long2")
      .addEdge(["short", "long2"], "join")
      .addEdge("join", END)
      .compile();
    expect(await app.invoke({})).toEqual({ log: ["short", "long1", "long2", "join"] });
  });

  test("§3.10 a waiting edge re-arms within a loop", async () => {
    const app = new StateGraph({ ...log(), round: field<number>({ default: 0 }) })
      .addNode("fork", ({ round }) => ({ round: round + 1 }))
      .addNode("a", say("a"))
      .addNode("b", say("b"))
      .addNode("join", say("join"))
      .addEdge(START, "fork")
      .addEdge("fork", "a")
      .addEdge("fork", "b")
      .addEdge(["a", "b"], "join")
      .addConditionalEdges("join", ({ round }) => (round < 2 ? "fork" : END))
      .compile();
    expect((await app.invoke({})).log).toEqual(["a", "b", "join", "a", "b", "join"]);
  });

  test.each<[what: string, result: unknown, map: unknown, ran: string[]]>([
    ["a name", "b", undefined, ["a", "b"]],
    ["a list", ["b", "c"], undefined, ["a", "b", "c"]],
    ["END", END, undefined, ["a"]],
    ["a key of a path map", true, { true: "c", false: "b" }, ["a", "c"]],
    ["what the path map calls default", "other", { known: "b", default: "c" }, ["a", "c"]],
    ["one of the declared targets", "b", ["b", "c"], ["a", "b"]],
    ["a send", new Send("b", {}), undefined, ["a", "b"]],
    ["sends and names", [new Send("b", {}), "c"], undefined, ["a", "c", "b"]],
  ])("§3.11 §3.13 a path may give %s", async (_what, result, map, ran) => {
    const graph = new StateGraph(log())
      .addNode("a", say("a"))
      .addNode("b", say("b"))
      .addNode("c", say("c"))
      .addEdge(START, "a")
      .addEdge("b", END)
      .addEdge("c", END);
    graph.addConditionalEdges("a", async () => result as "b", map as never);
    expect(await graph.compile().invoke({})).toEqual({ log: ran });
  });

  test("a path reads the state as its own node leaves it, and not what others write", async () => {
    const seen: unknown[] = [];
    const app = new StateGraph(log())
      .addNode("a", say("a"))
      .addNode("other", say("other"))
      .addEdge(START, "a")
      .addEdge(START, "other")
      .addEdge("other", END)
      .addConditionalEdges("a", ({ log: now }) => {
        seen.push([...now]);
        return END;
      })
      .compile();
    await app.invoke({ log: ["in"] });
    expect(seen).toEqual([["in", "a"]]);
  });

  test.each([
    ["names", (state: { log: readonly string[] }) => (state.log[0] === "left" ? "a" : "b"), ["left", "a"]],
    ["sends", () => [new Send("a", {}), new Send("b", {}), new Send("a", {})], ["left", "a", "b", "a"]],
  ])("§3.16 a conditional entry may give %s, on the state with the input in it", async (_what, path, ran) => {
    const app = new StateGraph(log())
      .addNode("a", say("a"))
      .addNode("b", say("b"))
      .setConditionalEntryPoint(path as never)
      .setFinishPoint("a")
      .setFinishPoint("b")
      .compile();
    expect(await app.invoke({ log: ["left"] })).toEqual({ log: ran });
  });

  test("peer.26 §3.7 a deferred node waits until nothing else can run", async () => {
    const app = new StateGraph(log())
      .addNode("last", say("last"), { defer: true })
      .addSequence([
        ["a", say("a")],
        ["b", say("b")],
        ["c", say("c")],
      ])
      .addEdge(START, "a")
      .addEdge("a", "last")
      .addEdge("c", "last")
      .addEdge("last", END)
      .compile();
    expect(await app.invoke({})).toEqual({ log: ["a", "b", "c", "last"] });
  });
});

describe("drawing", () => {
  const inner = new StateGraph(log())
    .addNode("deep", say("d"))
    .addEdge(START, "deep")
    .addEdge("deep", END)
    .compile();
  const app = new StateGraph(log())
    .addNode("a", say("a"))
    .addNode("sub", inner)
    .addEdge(START, "a")
    .addConditionalEdges("a", () => "more", { more: "sub", enough: END })
    .addEdge("sub", END)
    .compile({ checkpointer: new MemorySaver() });

  test("§6.1 §6.2 §6.3 drawMermaid dashes conditional edges, marks the ends and nests sub-graphs", () => {
    const text = app.getGraph().drawMermaid();
    expect(text).toContain('__start__(["__start__"]):::ends');
    expect(text).toContain('a -.->|"more"| sub');
    expect(text).toContain('a -.->|"enough"| __end__');
    expect(text).toContain("sub --> __end__");
    expect(text).toMatch(/subgraph sub\["sub"\][\s\S]*sub_2e_deep[\s\S]*end/);
  });

  test("§6.4 toJSON gives nodes and edges as plain data", () => {
    const json = JSON.parse(JSON.stringify(app.getGraph().toJSON()));
    expect(json.nodes.map(({ id }: { id: string }) => id)).toEqual([START, "a", "sub", END]);
    expect(json.edges).toContainEqual({ source: "a", target: "sub", conditional: true, label: "more" });
  });
});
