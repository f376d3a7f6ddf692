/** Mistakes of authors and callers are told where they are made, with what to do instead. */
import {
  Command,
  EmptyInputError,
  END,
  entrypoint,
  field,
  GraphError,
  InvalidGraphError,
  InvalidUpdateError,
  MemorySaver,
  type Message,
  MessageGraph,
  type NodeConfig,
  reducers,
  removeMessage,
  START,
  StateGraph,
  Topic,
  task,
} from "batonjs";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { all, log, newThread, one, say } from "./stategraph-kit.ts";

/** The issues of a graph that cannot be built. */
function issuesOf(build: () => unknown): readonly string[] {
  try {
    build();
  } catch (error) {
    if (error instanceof InvalidGraphError)
      return error.issues.map(({ message, hint }) => `${message} ${hint}`);
    throw error;
  }
  return [];
}

const bare = (options?: object) => new StateGraph(log()).addNode("n", say("n"), options as never);
const wired = (options?: object) => bare(options).addEdge(START, "n").addEdge("n", END);

describe("§3.27 an option that nobody reads, or that says nothing, is an issue", () => {
  test.each<[what: string, build: () => unknown, told: string]>([
    [
      "of a node",
      () => wired({ retryPolcy: {} }).compile(),
      'no option "retryPolcy" for node "n". Did you mean "retryPolicy"?',
    ],
    ["of a policy", () => wired({ retryPolicy: { maxAttempt: 2 } }).compile(), 'Did you mean "maxAttempts"?'],
    ["of compile", () => wired().compile({ checkpointr: 1 } as never), 'Did you mean "checkpointer"?'],
    ["of the graph", () => one2({ contxt: z.object({}) }), 'Did you mean "context"?'],
    [
      "of a field",
      () => graphOf({ n: { value: reducers.add, default: 0 } }),
      'no option "value". The options are: reducer, default',
    ],
    ["attempts", () => wired({ retryPolicy: { maxAttempts: 0 } }).compile(), "maxAttempts is 0"],
    ["an interval", () => wired({ retryPolicy: { initialInterval: -1 } }).compile(), "initialInterval is -1"],
    ["a class alone", () => wired({ retryPolicy: { retryOn: RangeError } }).compile(), "a list of classes"],
    ["a timeout", () => wired({ timeout: "5s" }).compile(), 'The timeout of node "n" is "5s".'],
    ["ends", () => wired({ ends: "n" }).compile(), 'The ends of node "n" are no list.'],
    ["a pace", () => wired().compile({ pace: "fast" } as never), 'Give "step" or "turn".'],
    ["a durability", () => wired().compile({ durability: "fast" } as never), '"sync", "async" or "exit"'],
    ["a saver", () => wired().compile({ checkpointer: true } as never), "new MemorySaver()"],
    ["where to pause", () => wired().compile({ interruptBefore: "n" } as never), 'or "*" for all nodes'],
    ["a limit", () => wired().compile({ maxConcurrency: 0 }), "maxConcurrency is 0."],
    [
      "a default for all",
      () => wired().compile({ defaults: { retry: 1 } } as never),
      'no option "retry" for the defaults',
    ],
    ["a reducer", () => graphOf({ n: { reducer: 5 } }), "The reducer of a field is no function."],
    [
      "two ways to keep",
      () => graphOf({ n: { reducer: reducers.add, channel: new Topic() } }),
      "give one of them",
    ],
    ["a default that cannot be kept", () => graphOf({ n: { default: /x/ } }), "an instance of RegExp"],
    ["a schema for options", () => one2(z.object({})), "Give it as an option"],
    ["no fields at all", () => graphOf(undefined), "no object of fields"],
  ])("%s", (_what, build, told) => {
    expect(issuesOf(build).join("\n")).toContain(told);
  });

  function graphOf(fields: unknown) {
    return one(fields as object, () => null).compile();
  }
  function one2(options: unknown) {
    return new StateGraph({}, options as object)
      .addNode("n", () => null)
      .addEdge(START, "n")
      .addEdge("n", END)
      .compile();
  }

  test("and each is told once", () => {
    expect(issuesOf(() => graphOf({ n: null }))).toHaveLength(1);
    expect(
      issuesOf(() =>
        new StateGraph({})
          .addNode(END, () => null)
          .addEdge(START, "x" as never)
          .compile(),
      ),
    ).toEqual([
      '"__end__" is a reserved name. Call the node something else.',
      expect.stringContaining('leads to "x"'),
    ]);
  });

  test("field(), entrypoint() and task() tell it at once", () => {
    expect(() => field({ reducr: 1 } as never)).toThrow('Did you mean "reducer"?');
    expect(() => entrypoint({ name: "w", retry: {} } as never, () => 1)).toThrow('no option "retry"');
    expect(() => task({ name: "t", retry: {} } as never, () => 1)).toThrow('no option "retry" for task "t"');
    expect(() => task({ name: "t", retryPolicy: { maxAttempts: 0 } }, () => 1)).toThrow("maxAttempts is 0");
    expect(() => entrypoint({} as never, () => 1)).toThrow("takes a name");
    expect(() => task("t", undefined as never)).toThrow("a function");
  });
});

test.each<[what: string, build: () => unknown, told: string]>([
  [
    "several nodes at once",
    () => new StateGraph({}).addNode({ a: say("a") } as never, say("a")),
    "addNode(name, action)",
  ],
  ["a sequence as an object", () => new StateGraph({}).addSequence({ a: say("a") } as never), "addSequence("],
  ["an edge to nothing", () => bare().addEdge(START, undefined as never), "addEdge(from, to)"],
  [
    "a source in an object",
    () => bare().addConditionalEdges({ source: "n" } as never, () => END),
    "addConditionalEdges(",
  ],
  [
    "no path",
    () =>
      wired()
        .addConditionalEdges("n", "n" as never)
        .compile(),
    "no path function",
  ],
])("§3.28 what is no name or no path is an InvalidGraphError: %s", (_what, build, told) => {
  expect(issuesOf(build).join()).toContain(told);
});

describe("§2.21 what cannot be kept is told with its path, and by whom it was written", () => {
  test("of a node, and of the input", async () => {
    const app = one({ a: field() }, () => ({ a: { x: [{ y: () => 1 }] } })).compile();
    await expect(app.invoke({})).rejects.toThrow("a.x[0].y (written by one) is a function");
    await expect(app.invoke({ a: { f: () => 1 } } as never)).rejects.toThrow(
      "a.f (written by the input) is a function",
    );
  });

  test("a default that throws says which one", async () => {
    const broken = () => {
      throw new Error("no clock");
    };
    const app = one({ a: field({ default: broken }) }, () => null).compile();
    await expect(app.invoke({})).rejects.toThrow(new GraphError("The default of a threw: no clock"));
  });

  test("a reducer that changes the current value is told to return a new one", async () => {
    const push = (list: number[], item: number) => {
      list.push(item);
      return list;
    };
    const app = one({ a: { reducer: push, default: [] } }, () => ({ a: 1 })).compile();
    await expect(app.invoke({})).rejects.toThrow(/The reducer of a threw.*return a new value/);
  });
});

describe("§2.24 a message is an object, a text, or a pair of role and content", () => {
  const saying = (messages: unknown) =>
    new MessageGraph()
      .addNode("n", () => ({ messages: messages as Message[] }))
      .addEdge(START, "n")
      .addEdge("n", END)
      .compile();

  test("a pair is the message that it stands for", async () => {
    const { messages } = await saying([["assistant", "hi"]]).invoke({ messages: [["user", "hello"]] });
    expect(messages).toEqual([
      { role: "user", content: "hello" },
      { role: "assistant", content: "hi" },
    ]);
  });

  test.each([[5], [null], [[null]], [[["user", "hi", "there"]]], [{ type: "remove" }]])(
    "%j is refused",
    async (given) => {
      await expect(saying(given).invoke({})).rejects.toBeInstanceOf(InvalidUpdateError);
    },
  );

  test("a removal needs an id", () => {
    expect(() => removeMessage(undefined as never)).toThrow("give an id to each message");
  });
});

describe("§4.42 what a call or a command cannot say is refused", () => {
  const app = one(log(), say("x")).compile({ checkpointer: new MemorySaver() });

  test.each<[what: string, config: object, told: string]>([
    [
      "an unknown mode",
      { streamMode: "update" },
      'There is no stream mode "update". Did you mean "updates"?',
    ],
    ["an unknown mode in a list", { streamMode: ["values", "all"] }, "The modes are: values"],
    ["a pause", { interruptBefore: ["one"] }, "options of compile()"],
    ["a durability", { durability: "fast" }, '"sync", "async" or "exit"'],
  ])("%s", async (_what, config, told) => {
    await expect(all(app.stream({}, { ...newThread(), ...config } as object))).rejects.toThrow(told);
  });

  test("an input that is no object says what one looks like", async () => {
    await expect(app.invoke([1] as never, newThread())).rejects.toThrow(
      "The input is a list, but an input is an object of fields, such as { log: … }.",
    );
    await expect(one(log(), say("x")).compile().invoke(null)).rejects.toThrow(EmptyInputError);
    await expect(one(log(), say("x")).compile().invoke(null)).rejects.toThrow("Without a checkpointer");
  });

  test("a command has no option that there is not, and a node answers nobody", async () => {
    expect(() => new Command({ updates: 1 } as never)).toThrow('no option "updates"');
    expect(new Command(new Command({ goto: "a" }))).toEqual(new Command({ goto: "a", resume: undefined }));
    const answering = one(log(), () => new Command({ resume: 1 })).compile();
    await expect(answering.invoke({})).rejects.toThrow("An answer comes from the caller");
  });

  test("once needs a name and an effect", async () => {
    const nameless = one(log(), (_: unknown, { once }: NodeConfig) =>
      once(undefined as never, () => 1),
    ).compile();
    await expect(nameless.invoke({})).rejects.toThrow("a text that names the effect");
  });
});
