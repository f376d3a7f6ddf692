/** A route says where a finished node leads: the channels that it signals and the tasks that it sends. */

import { type ChannelName, closest, type NodeName } from "../../base/names.ts";
import type { Send as SentTask } from "../../kernel/event.ts";
import { Send } from "./command.ts";
import type { PathConfig } from "./config.ts";
import type { Branch, PathMap } from "./draft.ts";
import { UnknownTargetError } from "./errors.ts";
import { END, pulseOf } from "./names.ts";
import { seal } from "./values.ts";
import type { State } from "./view.ts";

export interface Route {
  readonly route: readonly ChannelName[];
  readonly sends: readonly SentTask[];
}

/** Collects where one task leads. */
export class RouteBuilder {
  readonly #nodes: ReadonlySet<NodeName>;
  readonly #source: NodeName;
  readonly route: ChannelName[];
  readonly sends: SentTask[] = [];

  constructor(nodes: ReadonlySet<NodeName>, source: NodeName, edges: readonly ChannelName[]) {
    this.#nodes = nodes;
    this.#source = source;
    this.route = edges.slice();
  }

  /** Adds targets: a name, a send, or a list of them. Throws an `UnknownTargetError` for a node that does not exist. */
  add(target: unknown, how: string): void {
    if (Array.isArray(target)) {
      for (const one of target) this.add(one, how);
    } else if (target instanceof Send) {
      const node = this.#known(target.node, `${how} sends to`);
      this.sends.push({ node, input: seal(target.args, `The input that ${this.#source} sends to ${node}`) });
    } else if (target !== END) this.route.push(pulseOf(this.#known(target, `${how} leads to`)));
  }

  #known(target: unknown, how: string): NodeName {
    if (typeof target === "string" && this.#nodes.has(target)) return target;
    const meant = typeof target === "string" ? closest(target, this.#nodes) : undefined;
    const hint = meant === undefined ? "" : ` Did you mean "${meant}"?`;
    const known = [...this.#nodes].join(", ");
    const name = typeof target === "string" ? JSON.stringify(target) : String(target);
    throw new UnknownTargetError(`${how} ${name}, which is no node.${hint} The nodes are: ${known}.`);
  }
}

/** Follows the conditional edges of a node on a state. Answers at once when no path has to be waited for. */
export function follow(
  branches: readonly Branch[],
  builder: RouteBuilder,
  [state, config]: readonly [State, PathConfig],
): Promise<void> | undefined {
  let waiting: Promise<void> | undefined;
  for (const branch of branches) {
    const take = () => {
      // The types of a path are those of its author's graph, which this state is of.
      const result = branch.path(state as never, config as never);
      const add = (target: unknown) => addResult(branch, builder, target);
      return result instanceof Promise ? result.then(add) : add(result);
    };
    if (waiting === undefined) waiting = take() ?? undefined;
    else waiting = waiting.then(take);
  }
  return waiting;
}

function addResult({ source, pathMap }: Branch, builder: RouteBuilder, result: unknown): void {
  const how = `The conditional edge of ${source}`;
  const results = Array.isArray(result) ? result : [result];
  for (const one of results) {
    builder.add(pathMap === undefined || one instanceof Send ? one : lookUp(pathMap, one, how), how);
  }
}

/** What a path map makes of a result. */
function lookUp(pathMap: PathMap, result: unknown, how: string): unknown {
  if (Array.isArray(pathMap)) {
    if (pathMap.includes(result) || result === END) return result;
    throw new UnknownTargetError(`${how} gave ${String(result)}, but declares only ${pathMap.join(", ")}.`);
  }
  const map = pathMap as Readonly<Record<string, NodeName>>;
  const key = String(result);
  if (Object.hasOwn(map, key)) return map[key];
  if (Object.hasOwn(map, "default")) return map["default"];
  if (result === END) return END;
  const known = Object.keys(map).join(", ");
  throw new UnknownTargetError(`${how} gave ${key}, but its path map has only ${known}, and no default.`);
}
