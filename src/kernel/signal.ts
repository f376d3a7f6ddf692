/** Signals are control on its way: which pulses and gates have fired, and which nodes can run because of it. */

import type { ChannelName, NodeName } from "../base/names.ts";
import { indexOf } from "./plan.ts";
import type { RunState } from "./state.ts";

/** What a pulse holds: who signalled it does not matter. */
const FIRED: ReadonlySet<NodeName> = new Set();

/** Signals a pulse or a gate in the name of a node. */
export function signal(state: RunState, channel: ChannelName, by: NodeName, seq: number): void {
  const isPulse = state.plan.channels[channel]?.kind === "pulse";
  state.signals.set(channel, isPulse ? FIRED : new Set(state.signals.get(channel)).add(by));
  if (isPulse || hasFired(state, channel)) markListeners(state, channel, seq);
}

/** Says whether a channel makes its listeners run. */
export function hasFired(state: RunState, channel: ChannelName): boolean {
  const spec = state.plan.channels[channel];
  switch (spec?.kind) {
    case "pulse":
      return state.signals.has(channel);
    case "gate": {
      const signalled = state.signals.get(channel);
      return signalled !== undefined && spec.waitsFor.every((node) => signalled.has(node));
    }
    case "queue":
      return state.cells.get(channel)?.isEmpty === false;
    default:
      return false;
  }
}

/** Marks the nodes that a channel triggers. */
export function markListeners(state: RunState, channel: ChannelName, seq: number): void {
  const listeners = indexOf(state.plan).listeners.get(channel);
  if (listeners !== undefined) for (const node of listeners) markRunnable(state, node, seq);
}

/** Marks a node as able to run; it keeps its place in the order when it already was. */
export function markRunnable(state: RunState, node: NodeName, seq: number): void {
  if (!state.runnable.has(node)) state.runnable.set(node, seq);
}

/** Disarms what made a node run; a gate that still waits for somebody keeps what it has. */
export function disarm(state: RunState, node: NodeName): void {
  state.runnable.delete(node);
  const triggers = state.plan.nodes[node]?.triggers;
  if (triggers === undefined) return;
  if (state.signals.size === 0) return;
  for (const channel of triggers) if (hasFired(state, channel)) state.signals.delete(channel);
}
