/** A thread within another is that of a sub-graph: the thread around it drives it, and an edit of it goes by its own graph. */

import type { RunId, TaskId } from "../base/names.ts";
import type { CompiledGraph } from "../dialects/graph/compile.ts";
import { GraphError } from "../dialects/graph/errors.ts";
import { nodeOfTask } from "../dialects/graph/names.ts";
import type { Journal } from "../run/journal.ts";
import { subGraphAt } from "./chunks.ts";
import { invocationOf, type Session } from "./session.ts";

/** Refuses to drive a thread that another one drives. */
export function refuseWithin({ ledger }: Session): void {
  const { parent, run } = ledger.state;
  if (parent === undefined) return;
  throw new GraphError(
    `Thread ${run} is that of a sub-graph, at task ${parent.task} of thread ${parent.run}: go on with thread ${parent.run} instead.`,
  );
}

/** The session as that of the graph that the thread is of: the whole graph, or the sub-graph that it runs. */
export async function withinSubGraph(session: Session): Promise<Session> {
  const { ledger, config } = session;
  const { parent } = ledger.state;
  if (parent === undefined) return session;
  const path = [...(await pathTo(ledger.journal, parent.run)), parent.task];
  let graph = session.graph;
  for (const task of path) graph = subGraphIn(graph, task, ledger.run);
  const program = graph.programFor({ ...invocationOf(config, ledger.run), isChild: true });
  return { ...session, graph, program };
}

function subGraphIn(graph: CompiledGraph, task: TaskId, run: RunId): CompiledGraph {
  const node = nodeOfTask(task);
  const sub = subGraphAt(graph, node);
  if (sub !== undefined) return sub as CompiledGraph; // nothing else is a graph
  throw new GraphError(`Thread ${run} is that of a sub-graph ${node}, which ${graph.id.name} does not have.`);
}

/** The tasks that lead from the outermost thread to this one. */
async function pathTo(journal: Journal, run: RunId): Promise<readonly TaskId[]> {
  const head = await journal.head(run);
  return head?.parent === undefined ? [] : [...(await pathTo(journal, head.parent.run)), head.parent.task];
}
