/** Loadouts of random sizes, sound or broken in one known way, and files that are odd in every way. */

import { assign, type Json, type JsonObject } from "../../src/base/json.ts";
import { random } from "../../src/base/random.ts";

type Tree = { [key: string]: Tree | Json };

type Roll = (sides: number) => number;

/** A sound loadout of a random size: setup, a plan, one to three loops in a row, each with one to four members. */
function sound(roll: Roll): Tree {
  const sockets: Record<string, Json> = {};
  const loops: Record<string, Json> = {};
  const materia: Record<string, Json> = {
    Plan: { prompt: "Plan.", tools: "readOnly", generator: true },
    Do: { prompt: "Do.", tools: "coding" },
    Look: { type: "utility", command: ["look"], parse: "json" },
  };
  let id = 0;
  const name = () => `Socket-${++id}`;
  const count = 1 + roll(3);
  sockets[name()] = { materia: "Look", edges: [{ when: "always", to: "Socket-2" }] };
  for (let place = 0; place < count; place++) {
    const plan = name();
    const members = Array.from({ length: 1 + roll(4) }, name);
    sockets[plan] = { materia: "Plan", edges: [{ when: "always", to: members[0] as string }] };
    for (const [index, member] of members.entries()) {
      const isLast = index === members.length - 1;
      const first = members[0] as string;
      const onward = { when: "satisfied", to: isLast ? first : (members[index + 1] as string) };
      const back = { when: "not_satisfied", to: first, maxTraversals: 1 + roll(3) };
      const advance = { cursor: "c", items: "state.workItems", when: "satisfied" };
      sockets[member] = { materia: "Do", parse: "json", edges: [onward, back], ...(isLast && { advance }) };
    }
    const exit = { id: "done", from: members.at(-1) as string, condition: "satisfied" };
    const exits = [{ ...exit, targetSocketId: `Socket-${id + 1}` }];
    loops[`loop${place}`] = { sockets: members, consumes: { from: plan, output: "workItems" }, exits };
  }
  sockets[name()] = { materia: "Do" };
  return { entry: "Socket-1", sockets, loops, materia } as Tree;
}

const at = (tree: Tree, ...keys: string[]): Tree => keys.reduce((here, key) => here[key] as Tree, tree);

/** A way to break a loadout: it says which fault is to be found where. */
type Fault = (tree: Tree) => string;

/** The first member of the first loop, and its last socket. */
const FIRST = "Socket-3";
const last = (tree: Tree): string => Object.keys(at(tree, "sockets")).at(-1) as string;

const FAULTS: readonly Fault[] = [
  (tree) => {
    at(tree, "sockets", "Socket-1", "edges", "0")["to"] = "Socket-77";
    return "unknown_target /sockets/Socket-1/edges/0/to";
  },
  (tree) => {
    at(tree, "sockets", "Socket-2")["materia"] = "Plann";
    return "unknown_materia /sockets/Socket-2/materia";
  },
  (tree) => {
    at(tree, "sockets", FIRST, "edges", "1")["maxTraversals"] = 0;
    return `bad_number /sockets/${FIRST}/edges/1/maxTraversals`;
  },
  (tree) => {
    at(tree, "sockets", FIRST, "edges", "0")["when"] = "satisfyed";
    return `unknown_condition /sockets/${FIRST}/edges/0/when`;
  },
  (tree) => {
    at(tree, "sockets", last(tree))["edges"] = [
      { when: "always", to: "end" },
      { when: "always", to: "end" },
    ];
    return `edge_after_always /sockets/${last(tree)}/edges/1`;
  },
  (tree) => {
    at(tree, "sockets", last(tree))["edges"] = [{ when: "satisfied", to: "end" }];
    return `needs_json /sockets/${last(tree)}/edges/0/when`;
  },
  (tree) => {
    at(tree, "loops", "loop0", "exits", "0")["targetSocketId"] = "nowhere";
    return "unknown_target /loops/loop0/exits/0/targetSocketId";
  },
  (tree) => {
    at(tree, "loops", "loop0", "exits", "0")["from"] = "Socket-1";
    return "exit_not_member /loops/loop0/exits/0/from";
  },
  (tree) => {
    at(tree, "loops", "loop0", "consumes")["from"] = "Socket-1";
    return "consumes_not_generator /loops/loop0/consumes/from";
  },
  (tree) => {
    delete at(tree, "materia", "Do")["tools"];
    return "agent_without_tools /materia/Do/tools";
  },
  (tree) => {
    at(tree, "materia", "Look")["utility"] = "Detect-VCS";
    return "utility_many_forms /materia/Look";
  },
  (tree) => {
    tree["extra"] = {};
    return "unknown_field /extra";
  },
  (tree) => {
    at(tree, "sockets")["Socket-99"] = { materia: "Do" };
    return "unreachable_socket /sockets/Socket-99";
  },
  (tree) => {
    at(tree, "sockets", last(tree))["edges"] = [{ when: "always", to: "Socket-1" }];
    return "unbounded_cycle /sockets/Socket-1";
  },
  (tree) => {
    const exits = at(tree, "loops", "loop0")["exits"] as unknown as Json[];
    exits.push({ ...(exits[0] as object), id: "never", condition: "not_satisfied" });
    return "exit_never_taken /loops/loop0/exits/1";
  },
  (tree) => {
    const edges = at(tree, "sockets", FIRST)["edges"] as unknown as Json[];
    edges.push({ when: "satisfied", to: "end" });
    return `shadowed_guard /sockets/${FIRST}/edges/2`;
  },
  (tree) => {
    delete tree["entry"];
    return "missing_field /entry";
  },
  (tree) => {
    tree["entry"] = "end";
    return "entry_is_end /entry";
  },
  (tree) => {
    delete at(tree, "sockets", "Socket-1", "edges", "0")["when"];
    return "missing_field /sockets/Socket-1/edges/0/when";
  },
  (tree) => {
    at(tree, "sockets", FIRST)["parse"] = "text";
    return `needs_json /sockets/${FIRST}/edges/0/when`;
  },
  (tree) => {
    at(tree, "sockets", last(tree))["assign"] = { verdict: "$.verdict" };
    return `needs_json /sockets/${last(tree)}/assign/verdict`;
  },
  (tree) => {
    at(tree, "sockets", "Socket-2")["parse"] = "text";
    return "generator_parses_text /sockets/Socket-2/parse";
  },
  (tree) => {
    at(tree, "sockets", "Socket-2")["assign"] = { workItems: "$.items" };
    return "generator_assign /sockets/Socket-2/assign/workItems";
  },
  (tree) => {
    at(tree, "loops", "loop0")["sockets"] = [];
    return "empty_loop /loops/loop0/sockets";
  },
  (tree) => {
    at(tree, "loops", "loop0")["sockets"] = ["Socket-44"];
    return "unknown_socket /loops/loop0/sockets/0";
  },
  (tree) => {
    at(tree, "loops")["more"] = { sockets: [last(tree)] };
    return "loop_without_cycle /loops/more/sockets";
  },
  (tree) => {
    at(tree, "sockets", last(tree))["materia"] = "Plan";
    at(tree, "sockets", last(tree))["edges"] = [{ when: "always", to: FIRST }];
    return "loop_two_generators /loops/loop0";
  },
  (tree) => {
    const exits = at(tree, "loops", "loop0")["exits"] as unknown as Json[];
    exits.push({ ...(exits[0] as object), id: "again" });
    return "duplicate_exit /loops/loop0/exits/1";
  },
  (tree) => {
    const exits = at(tree, "loops", "loop0")["exits"] as unknown as Json[];
    exits.push({ ...(exits[0] as object), condition: "always" });
    return "duplicate_exit_id /loops/loop0/exits/1/id";
  },
  (tree) => {
    delete at(tree, "materia", "Do")["prompt"];
    return "agent_without_prompt /materia/Do/prompt";
  },
  (tree) => {
    at(tree, "materia", "Look")["prompt"] = "Look.";
    return "utility_with_prompt /materia/Look/prompt";
  },
  (tree) => {
    delete at(tree, "materia", "Look")["command"];
    return "utility_without_form /materia/Look";
  },
  (tree) => {
    tree["budget"] = { maxTokens: 0 } as unknown as Tree;
    return "bad_number /budget/maxTokens";
  },
];

export interface Generated {
  readonly loadout: Json;
  /** The code of the fault and the pointer to it; nothing when the loadout is sound. */
  readonly fault?: string;
}

/** So many loadouts, every second one with the next of all known faults. */
export function generated(count: number): Generated[] {
  const next = random("generated");
  const roll: Roll = (sides) => Math.floor(next() * sides);
  return Array.from({ length: count }, (_, round): Generated => {
    const tree = sound(roll);
    const fault = FAULTS[Math.floor(round / 2) % FAULTS.length] as Fault;
    if (round % 2 === 0) return { loadout: tree as Json };
    const told = fault(tree);
    return { loadout: tree as Json, fault: told };
  });
}

/** How many ways to break a loadout are known. */
export const KNOWN_FAULTS: number = FAULTS.length;

/** Words that mean something in a loadout, and some that mean too much in JavaScript. */
const WORDS = [
  ...[
    "entry",
    "sockets",
    "loops",
    "materia",
    "edges",
    "advance",
    "when",
    "to",
    "exits",
    "from",
    "condition",
    "end",
  ],
  ...[
    "always",
    "satisfied",
    "Socket-1",
    "Socket-2",
    "consumes",
    "items",
    "cursor",
    "state.workItems",
    "assign",
  ],
  ...["$.a", "type", "graph", "loadout", "loadouts", "activeLoadout", "generator", "parse", "json", "limits"],
  ...["__proto__", "constructor", "hasOwnProperty", "", "~", "/"],
];

/** Makes odd files of a seed, so that a failing one can be made again. */
class Odd {
  readonly #next: () => number;

  constructor(seed: string) {
    this.#next = random(seed);
  }

  /** A loadout as a rule, a config now and then. */
  file(): Json {
    const fields = ["entry", "loops", "materia", "limits", this.#byte() < 4 ? "loadouts" : "loops"];
    const file = this.#object(
      () => this.#one(fields),
      () => this.#value(3),
    );
    return Object.hasOwn(file, "loadouts") ? file : { ...file, sockets: this.#value(3) };
  }

  #byte(): number {
    return Math.floor(this.#next() * 256);
  }

  #one<T>(choices: readonly T[]): T {
    return choices[this.#byte() % choices.length] as T;
  }

  #value(depth: number): Json {
    const kind = this.#byte() % (depth > 0 ? 8 : 4);
    if (kind < 3) return this.#one(WORDS);
    if (kind === 3) return this.#one([null, true, false, 0, -1, 1.5, 1e308, 2]);
    if (kind === 4) return Array.from({ length: this.#byte() % 3 }, () => this.#value(depth - 1));
    return this.#object(
      () => this.#one(WORDS),
      () => this.#value(depth - 1),
    );
  }

  #object(key: () => string, value: () => Json): JsonObject {
    const entries = Array.from({ length: this.#byte() % 4 }, () => [key(), value()] as const);
    const object: Record<string, Json> = {};
    for (const [name, inner] of entries) assign(object, name, inner);
    return object;
  }
}

/** An odd file, always the same for the same seed. */
export function oddFile(seed: string): Json {
  return new Odd(seed).file();
}
