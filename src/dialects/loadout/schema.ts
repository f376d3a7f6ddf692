/** The shape of loadout files: the one source of their validation, of their JSON Schema and of editor completion. */

import type { Tools } from "../../agent/agent.ts";
import type { JsonObject } from "../../base/json.ts";
import { object, optional } from "../../base/object-shape.ts";
import {
  anyObject,
  anything,
  array,
  boolean,
  integer,
  lazy,
  oneOf,
  record,
  type Shape,
  string,
  textOrObject,
} from "../../base/shape.ts";
import { budgetShape } from "../budget.ts";
import type {
  Advance,
  Condition,
  Config,
  Edge,
  Limits,
  Loadout,
  Loop,
  LoopExit,
  Materia,
  Parallel,
  Parse,
  Socket,
} from "./definition.ts";

/** A shape whose hint shows how a value of it is written, where something else stands in its place. */
function shownBy<T>(example: string, shape: Shape<T>): Shape<T> {
  return {
    ...shape,
    validate: (value, at) =>
      shape
        .validate(value, at)
        .map((issue) => (issue.pointer === at ? { ...issue, hint: `Write ${example}.` } : issue)),
  };
}

const condition = (description: string): Shape<Condition> =>
  oneOf(description, ["always", "satisfied", "not_satisfied"], "unknown_condition");

const parse: Shape<Parse> = oneOf('How the output is read: "text" (the default) or "json".', [
  "text",
  "json",
]);

const edge: Shape<Edge> = object("A way to another socket. The first edge that matches is taken.", {
  when: condition("always, satisfied (the output says true) or not_satisfied (it says false)."),
  to: string("The id of a socket, or end.", { filled: true }),
  maxTraversals: optional(integer("How often the edge may be passed per work item.", { least: 1 })),
});

const advance: Shape<Advance> = object("Moves the loop on to its next item.", {
  cursor: string("The name of the cursor; every loop has its own.", { filled: true }),
  items: string("Where the items are, such as state.workItems.", { filled: true }),
  when: optional(condition("The output that moves it; always when absent.")),
});

const socketLimits: Shape<{ readonly maxOutputBytes?: number }> = object("Limits of this socket.", {
  maxOutputBytes: optional(integer("The most bytes of output; 1048576 when absent.", { least: 1 })),
});

const socket: Shape<Socket> = object("A place in the loadout that holds a materia.", {
  materia: string("The id of the materia that it holds.", { filled: true }),
  parse: optional(parse),
  assign: optional(
    record("Copies values into the state: target → source ($.path or state.path).", string("A source path.")),
  ),
  edges: optional(array("Where the run goes from here, in the order of asking.", edge)),
  advance: optional(advance),
  limits: optional(socketLimits),
});

const exit: Shape<LoopExit> = object("Where a loop goes once its items are done.", {
  id: string("Unique within the loop.", { filled: true }),
  from: string("The member that advanced last.", { filled: true }),
  condition: condition("What that member said."),
  targetSocketId: string("The id of a socket, or end.", { filled: true }),
});

const consumes: Shape<NonNullable<Loop["consumes"]>> = object(
  "The generator whose items the loop works on.",
  {
    from: string("The id of a generator socket.", { filled: true }),
    output: optional(string("The name of its list; workItems when absent.", { filled: true })),
  },
);

const iterator: Shape<NonNullable<Loop["iterator"]>> = object("The items of a loop without a generator.", {
  items: string("Where the items are, such as state.files.", { filled: true }),
  as: string("The name of the current item in the state.", { filled: true }),
  cursor: string("The name of the cursor.", { filled: true }),
});

const parallel: Shape<Parallel> = shownBy(
  '{ "maxConcurrency": 3 }',
  object("Works on several items at once, each in a lane of its own.", {
    maxConcurrency: integer("The most lanes at work at the same time.", { least: 1 }),
  }),
);

const loop: Shape<Loop> = object("Sockets that work on one item after the other.", {
  sockets: array("The ids of its members.", string("The id of a socket.", { filled: true })),
  consumes: optional(consumes),
  exits: optional(array("Asked once the items are done; without a match the run ends.", exit)),
  iterator: optional(iterator),
  parallel: optional(parallel),
});

const tools: Shape<Tools> = shownBy(
  '"none", "readOnly", "coding" or { "type": "custom", "tools": ["read"] }',
  textOrObject(
    oneOf("What the agent may use: none, readOnly, coding, or a list of tools.", [
      "none",
      "readOnly",
      "coding",
    ]),
    object<Exclude<Tools, string>>("The named tools only.", {
      type: oneOf("Always custom.", ["custom"]),
      tools: array("The names of the tools.", string("The name of a tool.", { filled: true })),
    }),
  ),
);

const materia: Shape<Materia> = object("A reusable role or script.", {
  type: optional(oneOf("agent when absent.", ["agent", "utility", "human", "graph"])),
  label: optional(string("What people see; the id when absent.")),
  description: optional(string("What it is for.")),
  group: optional(string("Where a palette lists it.")),
  color: optional(string("How it is drawn.")),
  generator: optional(boolean("True when it produces the work items of a loop.")),
  prompt: optional(string("Agent: its role. Human: the question.", { filled: true })),
  tools: optional(tools),
  agent: optional(string("Which agent takes the turns; the default one when absent.", { filled: true })),
  model: optional(string("The model that the agent should use.", { filled: true })),
  thinking: optional(string("How hard the agent should think.", { filled: true })),
  command: optional(array("The program and its arguments; no shell.", string("One argument."), { least: 1 })),
  utility: optional(string("The name of a bundled utility.", { filled: true })),
  params: optional(anyObject("Handed to the utility as they are.")),
  parse: optional(parse),
  timeoutMs: optional(integer("Milliseconds; 30000 when absent.", { least: 1, most: 2 ** 31 - 1 })),
  env: optional(array("Environment variables to pass on.", string("A name.", { filled: true }))),
  schema: optional(anyObject("Human: the JSON Schema of the answer.")),
  loadout: optional(string("Graph: the name of the loadout to run.", { filled: true })),
});

const limits: Shape<Limits> = object("Limits of the whole run.", {
  maxRepairs: optional(integer("Repairs of a handoff per visit; 1 when absent.", { least: 0 })),
  maxNoAdvanceCycles: optional(integer("Cycles per item without progress; 3 when absent.", { least: 0 })),
  maxSteps: optional(integer("The most steps; no limit when absent.", { least: 1 })),
});

const common = {
  $schema: optional(string("The address of this schema, for editors.")),
  materia: optional(record("Materia by id.", materia)),
  budget: optional(budgetShape),
  limits: optional(limits),
};

const within: Shape<Loadout> = object("A loadout within a config.", {
  ...common,
  name: optional(string("What people call it.", { filled: true })),
  entry: string("The socket where the run begins.", { filled: true }),
  sockets: record("Sockets by id, Socket-1, Socket-2 and so on.", socket),
  loops: optional(record("Loops by id.", loop)),
  layout: optional(anything("For drawing only.")),
  loadouts: optional(
    record(
      "Loadouts that graph materia name.",
      lazy("A loadout.", () => within),
    ),
  ),
});

/** A single loadout with its materia inline. */
export const loadoutShape: Shape<Loadout> = within;

/** A config: several loadouts that share materia. */
export const configShape: Shape<Config> = object("Several loadouts that share materia.", {
  ...common,
  activeLoadout: optional(string("The loadout that runs.", { filled: true })),
  loadouts: optional(record("Loadouts by name.", within)),
  artifactDir: optional(
    string("Where runs keep their files, and they stay there; beside the database when absent.", {
      filled: true,
    }),
  ),
});

/** The JSON Schema of loadout files, draft 2020-12. */
export function loadoutJsonSchema(): JsonObject {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Baton loadout",
    description: "A loadout, or a config with several of them.",
    anyOf: [loadoutShape.schema, configShape.schema],
  };
}
