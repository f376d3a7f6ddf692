/** Renaming a family: its runs under the id of another root, wherever the log names them. */

import { isJsonObject, type Json, type JsonObject } from "../base/json.ts";
import type { RunId } from "../base/names.ts";
import type { Asked, Event } from "../kernel/event.ts";
import { renamed } from "./family.ts";

export interface Renaming {
  readonly from: RunId;
  readonly to: RunId;
}

/** The event in the log of the renamed run. It is a new object. */
export function renameEvent(event: Event, { from, to }: Renaming): Event {
  const run = renamed(event.run, from, to);
  switch (event.type) {
    case "run.started": {
      const { parent, ...rest } = event;
      // Whoever was the parent of the root is not that of the renamed one.
      if (parent === undefined || event.run === from) return { ...rest, run };
      return { ...rest, run, parent: { ...parent, run: renamed(parent.run, from, to) } };
    }
    case "task.asked":
      return { ...event, run, questions: event.questions.map((asked) => renameAsked(asked, { from, to })) };
    case "task.noted": {
      const child = event.kind.endsWith(".child") && isJsonObject(event.data) ? event.data : undefined;
      return { ...event, run, data: child === undefined ? event.data : renameChild(child, { from, to }) };
    }
    case "run.forked":
      return { ...event, run, state: renameState(event.state, { from, to }) };
    default:
      return { ...event, run };
  }
}

/** A question that was passed on from a child. */
function renameAsked<T extends Pick<Asked, "from">>(asked: T, { from, to }: Renaming): T {
  const origin = asked.from;
  return origin === undefined ? asked : { ...asked, from: { ...origin, run: renamed(origin.run, from, to) } };
}

function renameChild(data: JsonObject, { from, to }: Renaming): Json {
  const { run } = data;
  return typeof run === "string" ? { ...data, run: renamed(run as RunId, from, to) } : data;
}

/** An archived state; `archiveState` wrote it. */
function renameState(state: JsonObject, renaming: Renaming): JsonObject {
  const { parent, tasks } = state as unknown as {
    readonly parent?: { readonly run: RunId };
    readonly tasks: readonly { readonly questions: readonly Asked[] }[];
  };
  const open = tasks.map((task) => ({
    ...task,
    questions: task.questions.map((asked) => renameAsked(asked, renaming)),
  }));
  return {
    ...state,
    tasks: open as unknown as Json, // as plain as it was
    ...(parent && { parent: { ...parent, run: renamed(parent.run, renaming.from, renaming.to) } }),
  };
}
