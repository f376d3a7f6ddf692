/** A draft is a graph as its author has said it so far: nothing in it is checked yet. */

import type { NodeName } from "../../base/names.ts";
import type { NodeConfig, PathConfig } from "./config.ts";
import { END, START } from "./names.ts";

/** What a node does. It may take neither, one or both of its arguments. */
export type Action = (state: never, config: NodeConfig<never>) => unknown;

export interface RetryPolicy {
  /** Milliseconds before the second attempt; 500 by default. */
  readonly initialInterval?: number;
  /** What the interval is multiplied by after each attempt; 2 by default. */
  readonly backoffFactor?: number;
  /** The longest interval in milliseconds; 128,000 by default. */
  readonly maxInterval?: number;
  /** How often the node is tried in all; 3 by default. */
  readonly maxAttempts?: number;
  /** Shortens each interval by up to a half, drawn from the name of the task; true by default. */
  readonly jitter?: boolean;
  /** Which errors are worth another attempt: a question, or the classes of errors; by default all are. */
  readonly retryOn?: ((error: unknown) => boolean) | readonly (abstract new (...args: never[]) => unknown)[];
}

export interface NodeOptions<Ends extends string = string> {
  readonly retryPolicy?: RetryPolicy;
  /** Where the node may go by `Command.goto`, for checking and drawing. */
  readonly ends?: readonly Ends[];
  /** The fields that the node reads, and those of its own that nobody else declares. */
  readonly input?: object;
  /** Waits until nothing else can run. */
  readonly defer?: boolean;
}

export interface DraftNode {
  readonly name: NodeName;
  readonly action: unknown;
  readonly options: NodeOptions;
}

/** Says where to go: a name, a list, sends or END. */
export type PathFunction = (state: never, config: PathConfig<never>) => unknown;
/** Results and where they lead, with `default` for all others; or the targets, for checking and drawing. */
export type PathMap = Readonly<Record<string, NodeName>> | readonly NodeName[];

export interface Branch {
  readonly source: NodeName;
  readonly path: PathFunction;
  readonly pathMap: PathMap | undefined;
}

export class Draft {
  readonly nodes: DraftNode[] = [];
  readonly edges: (readonly [source: NodeName, target: NodeName])[] = [];
  readonly joins: { readonly sources: readonly NodeName[]; readonly target: NodeName }[] = [];
  readonly branches: Branch[] = [];

  addNode(name: NodeName, action: unknown, options: NodeOptions = {}): void {
    this.nodes.push({ name, action, options });
  }

  addEdge(from: NodeName | readonly NodeName[], to: NodeName): void {
    if (typeof from === "string") this.edges.push([from, to]);
    else this.joins.push({ sources: [...new Set(from)], target: to });
  }

  addConditionalEdges(source: NodeName, path: PathFunction, pathMap?: PathMap): void {
    this.branches.push({ source, path, pathMap });
  }

  /** Adds nodes, or takes those that are there by name, and an edge from each to the next. */
  addSequence(steps: readonly (NodeName | readonly [name: NodeName, action: unknown])[]): void {
    let before: NodeName | undefined;
    for (const step of steps) {
      const name = typeof step === "string" ? step : step[0];
      if (typeof step !== "string") this.addNode(name, step[1]);
      if (before !== undefined) this.addEdge(before, name);
      before = name;
    }
  }

  setEntryPoint(node: NodeName): void {
    this.addEdge(START, node);
  }

  setFinishPoint(node: NodeName): void {
    this.addEdge(node, END);
  }
}
