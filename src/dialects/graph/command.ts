/** What a node may return besides an update: sends, commands, and values that replace instead of being folded. */

import { GraphError } from "./errors.ts";

/** Runs a node with an input of its own, in the next superstep; several sends to one node run side by side. */
export class Send<Node extends string = string, Arg = unknown> {
  readonly node: Node;
  readonly args: Arg;

  constructor(node: Node, args: Arg) {
    this.node = node;
    this.args = args;
  }
}

/** Where a command goes: a node, a node with an input of its own, or several of both. */
export type Goto<Nodes extends string = string> = Nodes | Send<Nodes> | readonly (Nodes | Send<Nodes>)[];

/** What a command may be made of: its options, and what else there is in another command. */
const OPTIONS = { __proto__: null, update: 0, goto: 0, resume: 0, graph: 0, resumes: 0 };

/** The graph that a sub-graph is a node of. */
const PARENT = "__parent__";
export type Parent = typeof PARENT;

/** What a command is made of; each part may be absent. */
export interface CommandOptions<
  Update = Record<string, unknown>,
  Nodes extends string = string,
  Graph extends Parent | undefined = undefined,
> {
  /** A partial state. */
  readonly update?: Update | undefined;
  /** Where to go besides where the edges of the node lead: it adds to them and does not erase them. */
  readonly goto?: Goto<Nodes> | undefined;
  /** As the input of a run: the answer to its open question, or answers by question id. Any value is an answer. */
  readonly resume?: unknown;
  /** `Command.PARENT`: ends the sub-graph once its superstep is over, and means the graph around it. */
  readonly graph?: Graph;
}

/** Updates the state and says where to go at once; as the input of a run, it answers an interrupt. */
export class Command<
  Update = Record<string, unknown>,
  const Nodes extends string = string,
  Graph extends Parent | undefined = undefined,
> {
  /** For `graph`: the graph that has this one as a node. */
  static readonly PARENT: Parent = PARENT;

  readonly update: Update | undefined;
  readonly goto: Goto<Nodes> | undefined;
  readonly resume: unknown;
  /** Inferred from what is given and not from where the command goes. */
  readonly graph: NoInfer<Graph>;
  /** True when there is an answer, which may be any value at all. */
  readonly resumes: boolean;

  /** Throws a `GraphError` for an option that there is not. */
  constructor(options: CommandOptions<Update, Nodes, Graph> = {}) {
    for (const name in options) {
      if (name in OPTIONS) continue;
      throw new GraphError(
        `A Command has no option ${JSON.stringify(name)}. It takes update, goto, resume and graph.`,
      );
    }
    this.update = options.update;
    this.goto = options.goto;
    this.resume = options.resume;
    this.graph = options.graph as NoInfer<Graph>; // absent, it is what `Graph` is by default
    this.resumes = Object.hasOwn(options, "resume");
  }
}

/** A value that takes the place of a field's value, past its reducer. */
export class Overwrite<Value = unknown> {
  readonly value: Value;

  constructor(value: Value) {
    this.value = value;
  }
}

/** A command for the graph around the one that it comes from, whose state and nodes that one does not know. */
export interface ParentCommand {
  readonly graph: Parent;
  readonly resumes: boolean;
}
