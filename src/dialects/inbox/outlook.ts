/** The outlook of a turn is what its agent may see of the graph: who is there, whom it can write to, and what came in. */

import type { Json } from "../../base/json.ts";
import type { Sitting } from "./opening.ts";

/** It has no live status of other nodes, so the same turn sees the same. */
export function outlook({ seat, occasion }: Pick<Sitting, "seat" | "occasion">): Json {
  const { id, definition, network } = seat;
  return {
    graph: definition.name ?? null,
    you: id,
    nodes: Object.entries(definition.nodes).map(([name, { kind, label }]) => {
      return { name, kind, ...(label !== undefined && { label }) };
    }),
    youCanWriteTo: network.contacts(id).map(([to, { type }]) => ({ to, as: type })),
    inbox: occasion.inputs as unknown as Json, // letters are plain data
  };
}
