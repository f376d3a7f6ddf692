/** What a node returned, in any of its forms, and the result that it amounts to. */

import { isObject } from "../../base/json.ts";
import type { Result, Write } from "../../kernel/event.ts";
import { Command, Send } from "./command.ts";
import { GraphError, InvalidUpdateError } from "./errors.ts";
import type { Graph, GraphNode } from "./graph.ts";
import { sealWish, TO_PARENT } from "./parent-command.ts";
import { RouteBuilder } from "./route.ts";
import { writesOf } from "./update.ts";

export interface Returned {
  readonly writes: readonly Write[];
  readonly targets: readonly unknown[];
  /** True when the node leaves its graph for the one around it. */
  readonly leaves?: boolean;
}

const NO_TARGETS: readonly unknown[] = [];

/** Reads what a node returned. `isChild` says whether there is a graph around this one. */
export function readReturned(graph: Graph, node: GraphNode, returned: unknown, isChild: boolean): Returned {
  if (!Array.isArray(returned)) return readOne(graph, node, returned, isChild);
  const writes: Write[] = [];
  const targets: unknown[] = [];
  let leaves = false;
  for (const item of returned) {
    if (!isObject(item) && !(item instanceof Send) && !(item instanceof Command)) {
      throw new InvalidUpdateError(
        `${node.name} returned a list with a ${typeof item} in it; it may hold updates, commands and sends.`,
      );
    }
    const read = readOne(graph, node, item, isChild);
    writes.push(...read.writes);
    targets.push(...read.targets);
    leaves ||= read.leaves === true;
  }
  return { writes, targets, leaves };
}

function readOne(graph: Graph, node: GraphNode, returned: unknown, isChild: boolean): Returned {
  if (returned instanceof Send) return { writes: [], targets: [returned] };
  if (!(returned instanceof Command)) {
    return { writes: writesOf(graph.fields, returned, node.name), targets: NO_TARGETS };
  }
  const { update, goto, graph: whose } = returned;
  if (returned.resumes) {
    throw new GraphError(
      `${node.name} returned a Command with resume. An answer comes from the caller: invoke(new Command({ resume }), config).`,
    );
  }
  if (whose === undefined) {
    const targets = goto === undefined ? NO_TARGETS : [goto];
    return { writes: writesOf(graph.fields, update, node.name), targets };
  }
  if (!isChild) {
    throw new GraphError(
      `${node.name} returned a Command for the parent graph, but ${graph.id.name} is not a node of another graph.`,
    );
  }
  const write = { channel: TO_PARENT, value: sealWish(returned, node.name) };
  return { writes: [write], targets: NO_TARGETS, leaves: true };
}

/** The result of a node that wants this; where its edges lead is part of it, unless it leaves. */
export function resultOf(graph: Graph, node: GraphNode, { writes, targets, leaves }: Returned): Result {
  if (leaves) return { writes, route: [], halt: { status: "completed", reason: "to_parent" } };
  if (targets.length === 0) return { writes, route: node.edges };
  const builder = new RouteBuilder(graph.names, node.name, node.edges);
  builder.add(targets, `Node ${node.name}`);
  const { route, sends } = builder;
  return sends.length > 0 ? { writes, route, sends } : { writes, route };
}
