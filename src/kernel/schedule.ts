/**
 * Schedule says which tasks the next step opens.
 *
 * 1. Nodes that were triggered come first: by definition order, and at pace `turn` by who became runnable first.
 * 2. Sends come after them, in the order in which they were sent.
 * 3. A node runs once at a time; what triggers it meanwhile waits. Sends are not bound by that.
 * 4. A deferred node runs when nothing else can.
 * 5. Of the tasks whose nodes have the same key, one at a time is open; the others keep their place in the order.
 */

import type { Json } from "../base/json.ts";
import { type ChannelName, type NodeName, taskId } from "../base/names.ts";
import type { OpenedTask, Send } from "./event.ts";
import { indexOf } from "./plan.ts";
import type { RunState } from "./state.ts";

/** The tasks that can be opened now, in task order. */
export function schedule(state: RunState): OpenedTask[] {
  if (state.runnable.size === 0 && state.sends.length === 0) return [];
  const room = roomFor(state);
  const step = state.step + 1;
  const takesKey = keyTaker(state);
  const runnable = runnableNodes(state);
  const nodes = takesKey === ANYONE ? runnable : runnable.filter(takesKey);
  const opened = openedTasks(state, step, nodes.length > room ? nodes.slice(0, room) : nodes);
  if (state.sends.length > 0) {
    const held = takesKey === ANYONE ? -1 : state.sends.findIndex(({ node }) => !takesKey(node));
    addSends(held === -1 ? state.sends : state.sends.slice(0, held), step, opened, room);
  }
  return opened;
}

const ANYONE = () => true;

/** Says of one node after the other whether it can have its key, and gives it the key then (5). */
function keyTaker({ plan, keys }: RunState): (node: NodeName) => boolean {
  if (!indexOf(plan).hasExclusive) return ANYONE;
  const taken = new Set(keys.keys());
  return (node) => {
    const key = plan.nodes[node]?.exclusive;
    if (key === undefined) return true;
    const isFree = !taken.has(key);
    taken.add(key);
    return isFree;
  };
}

/** A step of one node, as most are, makes a list of one. */
function openedTasks(state: RunState, step: number, nodes: readonly NodeName[]): OpenedTask[] {
  if (nodes.length === 1) return [openedTask(state, step, nodes[0] as NodeName)];
  return nodes.map((node) => openedTask(state, step, node));
}

function openedTask(state: RunState, step: number, node: NodeName): OpenedTask {
  const task = taskId(step, node, 0);
  const takes = takesOf(state, node);
  return takes === undefined ? { task, node } : { task, node, takes };
}

function addSends(sends: readonly Send[], step: number, opened: OpenedTask[], room: number): void {
  const counts = new Map<NodeName, number>(opened.map(({ node }) => [node, 1]));
  for (const { node, input } of sends) {
    if (opened.length === room) return;
    const index = counts.get(node) ?? 0;
    counts.set(node, index + 1);
    opened.push({ task: taskId(step, node, index), node, input, sent: true });
  }
}

/** At pace `turn` a task is opened when it can start, so that it takes all that has arrived by then. */
function roomFor(state: RunState): number {
  if (state.plan.pace === "step") return Number.POSITIVE_INFINITY;
  return Math.max(0, (state.plan.limits.concurrency ?? Number.POSITIVE_INFINITY) - state.count.ready);
}

function runnableNodes(state: RunState): NodeName[] {
  const { order, hasDeferred } = indexOf(state.plan);
  let nodes = state.runnable.keys();
  if (state.busy.size > 0) nodes = nodes.filter((node) => !state.busy.has(node));
  if (nodes.length > 1) sortByTurn(state, nodes, order);
  if (!hasDeferred) return nodes;
  const eager = nodes.filter((node) => !state.plan.nodes[node]?.deferred);
  const isBusy = state.tasks.size > state.count.failed;
  return eager.length > 0 || state.sends.length > 0 || isBusy ? eager : nodes;
}

function sortByTurn(state: RunState, nodes: NodeName[], order: ReadonlyMap<NodeName, number>): void {
  const place = (node: NodeName) => order.get(node) ?? 0;
  const since = (node: NodeName) => (state.plan.pace === "turn" ? (state.runnable.get(node) ?? 0) : 0);
  nodes.sort((a, b) => since(a) - since(b) || place(a) - place(b));
}

/** How much a task of this node takes from the queues that trigger it: all that is there. */
function takesOf(state: RunState, node: NodeName): Record<ChannelName, number> | undefined {
  if (!indexOf(state.plan).hasQueues) return undefined;
  let takes: Record<ChannelName, number> | undefined;
  for (const channel of state.plan.nodes[node]?.triggers ?? []) {
    if (state.plan.channels[channel]?.kind !== "queue") continue;
    const waiting = (state.cells.get(channel)?.peek() ?? []) as readonly Json[];
    if (waiting.length === 0) continue;
    takes ??= {};
    takes[channel] = waiting.length;
  }
  return takes;
}
