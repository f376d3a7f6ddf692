/**
 * A recorded start is where a run of a StateGraph began; the path functions of START are asked again about it.
 *
 * 1. They see the state that the start left, as they did then.
 * 2. Where a command of the caller's led besides is told by the request that the log keeps.
 */

import { isJsonObject, type Json } from "../../base/json.ts";
import type { PathConfig } from "../../dialects/graph/config.ts";
import type { Graph } from "../../dialects/graph/graph.ts";
import { START } from "../../dialects/graph/names.ts";
import { follow, RouteBuilder } from "../../dialects/graph/route.ts";
import { type RunState, snapshotOf } from "../../kernel/state.ts";
import type { Start, Started } from "./evidence.ts";

export interface StartAgain {
  readonly graph: Graph;
  readonly state: RunState;
  readonly caller: PathConfig;
}

/** Where the run would begin now. Rejects with what a path function throws. */
export async function startAgain(started: Started, { graph, state, caller }: StartAgain): Promise<Start> {
  const builder = new RouteBuilder(graph.names, START, []);
  await follow(graph.entry, builder, [graph.view.of(snapshotOf(state)), caller]); // (1)
  const { route: routed, sends: sent } = ledBy(started.request);
  return {
    route: [...graph.plan.entry, ...builder.route, ...tail(started.route, routed)],
    sends: [...builder.sends, ...tail(started.sends ?? [], sent)],
  };
}

/** How many of the last entries of a start are those of a command (2). */
function ledBy(request: Json | undefined): { readonly route: number; readonly sends: number } {
  const command = isJsonObject(request) ? request["command"] : undefined;
  const { route, sends } = isJsonObject(command) ? command : {};
  return { route: typeof route === "number" ? route : 0, sends: typeof sends === "number" ? sends : 0 };
}

function tail<T>(list: readonly T[], count: number): readonly T[] {
  return list.slice(list.length - count);
}
