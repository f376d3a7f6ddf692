/** The edges of a socket in the order of asking, and a new one. */

import { ArrowDown, ArrowUp } from "lucide-react";
import { Button } from "../../parts/button.tsx";
import { type Draft, socketsOf } from "../loadout/draft.ts";
import { addEdge, moveEdge, removeEdge } from "../loadout/edges.ts";
import { useLoadout } from "../loadout/use-loadout.ts";
import type { Edit } from "../take.ts";
import { listAt, numberAt, textAt } from "../text/held.ts";
import styles from "./panel.module.css";
import { RemoveButton } from "./panel-head.tsx";
import { RouteForm } from "./route-form.tsx";

export function EdgesForm({ id }: { readonly id: string }) {
  const { draft, choose, edit, refuse } = useLoadout();
  const edges = listAt(socketsOf(draft).get(id), "edges");
  const does = (label: string, change: (draft: Draft) => Edit) => refuse(edit(label, change));
  return (
    <fieldset className={styles["group"]}>
      <legend>Edges</legend>
      {edges.length === 0 && <p className={styles["note"]}>None: the run ends here.</p>}
      <ol className={styles["members"]}>
        {edges.map((edge, index) => {
          const most = numberAt(edge, "maxTraversals");
          const text = `${index + 1}. ${textAt(edge, "when") ?? "?"} → ${textAt(edge, "to") ?? "?"}${most === undefined ? "" : `, at most ${most}`}`;
          return (
            // Edges have no names: their place is what they are.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <li key={index} className={styles["line"]}>
              <button
                type="button"
                className={styles["pick"]}
                title={text}
                onClick={() => choose({ kind: "edge", from: id, index })}
              >
                {text}
              </button>
              <Button
                size="s"
                look="quiet"
                label={`Ask edge ${index + 1} earlier`}
                icon={<ArrowUp aria-hidden />}
                disabled={index === 0}
                onClick={() =>
                  does(`Move edge ${index + 1} of ${id}`, (at) => moveEdge(at, id, index, index - 1))
                }
              />
              <Button
                size="s"
                look="quiet"
                label={`Ask edge ${index + 1} later`}
                icon={<ArrowDown aria-hidden />}
                disabled={index === edges.length - 1}
                onClick={() =>
                  does(`Move edge ${index + 1} of ${id}`, (at) => moveEdge(at, id, index, index + 1))
                }
              />
              <RemoveButton
                look="quiet"
                label={`Remove edge ${index + 1}`}
                onRemove={() => does(`Remove edge ${index + 1} of ${id}`, (at) => removeEdge(at, id, index))}
              />
            </li>
          );
        })}
      </ol>
      <RouteForm
        what="edge"
        onAdd={({ to, when }) =>
          does(`Edge from ${id} to ${to}`, (at) => addEdge(at, { from: id, to, ...(when && { when }) }))
        }
      />
    </fieldset>
  );
}
