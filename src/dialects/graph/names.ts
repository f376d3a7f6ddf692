/** The names that a state graph reserves: its two ends, and the channels that carry control. */

import type { ChannelName, NodeName } from "../../base/names.ts";

/** Where a graph begins: the source of its first edges. */
export const START = "__start__";
/** Where a graph ends: an edge to it leads nowhere. */
export const END = "__end__";
/** The same as `END`. */
export const END_NODE: typeof END = END;

/** Control channels begin with this, so that no field may. */
export const CONTROL = ">";

/** The pulse that makes a node run. */
export function pulseOf(node: NodeName): ChannelName {
  return `${CONTROL}${node}`;
}

/** The gate that makes a node run once all of its sources have finished. */
export function gateOf(sources: readonly NodeName[], target: NodeName): ChannelName {
  return `${CONTROL}${CONTROL}${JSON.stringify([...sources, target])}`;
}

/** The node of a task, read from the task's id: a name holds no "#" (see `check.ts`). */
export function nodeOfTask(task: string): NodeName {
  return task.slice(task.indexOf("/") + 1).split("#", 1)[0] as string; // a split has a first part
}
