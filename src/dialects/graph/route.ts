/** A route says where a finished node leads: the channels that it signals and the tasks that it sends. */

import { type ChannelName, closest, type NodeName } from "../../base/names.ts";
import type { Send as SentTask } from "../../kernel/event.ts";
import { Send } from "./command.ts";
import type { PathConfig } from "./config.ts";
import type { Branch, PathMap } from "./draft.ts";
import { UnknownTargetError } from "./errors.ts";
import { END } from "./names.ts";
import { seal } from "./values.ts";
import type { State } from "./view.ts";

export interface Route {
  readonly route: readonly ChannelName[];
  readonly sends: readonly SentTask[];
}

/** The nodes of a graph, each with the pulse that makes it run. */
export type Pulses = ReadonlyMap<NodeName, ChannelName>;

/** Who names a target, for errors; a branch stands for its conditional edge. */
type Author = string | Branch;

/** What a path function is called with. */
type Seen = readonly [state: State, config: PathConfig];

const NO_SENDS: readonly SentTask[] = [];

/** Collects where one task leads. */
export class RouteBuilder {
  readonly #nodes: Pulses;
  readonly #source: NodeName;
  readonly #edges: readonly ChannelName[];
  #added: ChannelName[] | undefined;
  #sends: SentTask[] | undefined;

  constructor(nodes: Pulses, source: NodeName, edges: readonly ChannelName[]) {
    this.#nodes = nodes;
    this.#source = source;
    this.#edges = edges;
  }

  /** The channels that it signals. */
  get route(): readonly ChannelName[] {
    return this.#added ?? this.#edges;
  }

  /** The tasks that it sends. */
  get sends(): readonly SentTask[] {
    return this.#sends ?? NO_SENDS;
  }

  /** Adds tasks that are made already. */
  addSends(sends: readonly SentTask[]): void {
    this.#sends = this.#sends === undefined ? [...sends] : [...this.#sends, ...sends];
  }

  /** Adds targets: a name, a send, or a list of them. Throws an `UnknownTargetError` for a node that does not exist. */
  add(target: unknown, author: Author): void {
    if (Array.isArray(target)) {
      for (const one of target) this.add(one, author);
    } else if (target instanceof Send) {
      const { node, args } = target;
      if (!this.#nodes.has(node)) this.#refuse(node, `${phrase(author)} sends to`);
      this.#sends ??= [];
      this.#sends.push({ node, input: seal(args, `The input that ${this.#source} sends to ${node}`) });
    } else if (target !== END) {
      const pulse = this.#nodes.get(target as NodeName); // what is no text is no key either
      this.#lead(pulse ?? this.#refuse(target, `${phrase(author)} leads to`));
    }
  }

  #lead(pulse: ChannelName): void {
    if (this.#added !== undefined) this.#added.push(pulse);
    else this.#added = this.#edges.length === 0 ? [pulse] : [...this.#edges, pulse];
  }

  #refuse(target: unknown, how: string): never {
    const meant = typeof target === "string" ? closest(target, this.#nodes.keys()) : undefined;
    const hint = meant === undefined ? "" : ` Did you mean "${meant}"?`;
    const known = [...this.#nodes.keys()].join(", ");
    const name = typeof target === "string" ? JSON.stringify(target) : String(target);
    throw new UnknownTargetError(`${how} ${name}, which is no node.${hint} The nodes are: ${known}.`);
  }
}

/** Follows the conditional edges of a node on a state. Answers at once when no path has to be waited for. */
export function follow(
  branches: readonly Branch[],
  builder: RouteBuilder,
  seen: Seen,
): Promise<void> | undefined {
  for (let place = 0; place < branches.length; place++) {
    const branch = branches[place] as Branch;
    // The types of a path are those of its author's graph, which this state is of.
    const result: unknown = branch.path(seen[0] as never, seen[1] as never);
    if (result instanceof Promise) return followLate(result, branches.slice(place), [builder, seen]);
    addResult(branch, builder, result);
  }
  return undefined;
}

/** Goes on once the path of the first branch has answered. */
async function followLate(
  result: Promise<unknown>,
  [branch, ...others]: readonly Branch[],
  [builder, seen]: readonly [RouteBuilder, Seen],
): Promise<void> {
  addResult(branch as Branch, builder, await result); // there is one that is waited for
  await follow(others, builder, seen);
}

function addResult(branch: Branch, builder: RouteBuilder, result: unknown): void {
  if (Array.isArray(result)) for (const one of result) addOne(branch, builder, one);
  else addOne(branch, builder, result);
}

function addOne(branch: Branch, builder: RouteBuilder, one: unknown): void {
  const { pathMap } = branch;
  const isTarget = pathMap === undefined || one instanceof Send;
  builder.add(isTarget ? one : lookUp(pathMap, one, phrase(branch)), branch);
}

function phrase(author: Author): string {
  return typeof author === "string" ? author : `The conditional edge of ${author.source}`;
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
