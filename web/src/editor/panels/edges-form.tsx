/** The edges of a socket in the order of asking, and a new one. */

import { ArrowDown, ArrowUp, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { Button } from "../../parts/button.tsx";
import { type Draft, type Edit, listAt, numberAt, socketsOf, textAt } from "../loadout/draft.ts";
import { addEdge, CONDITIONS, END, moveEdge, removeEdge } from "../loadout/edges.ts";
import { isCondition } from "../loadout/loops.ts";
import { useLoadout } from "../loadout/use-loadout.ts";
import styles from "./panel.module.css";
import { targetOptions } from "./targets.ts";
import { Choice } from "./typed.tsx";

export function EdgesForm({ id }: { readonly id: string }) {
  const { draft, choose, edit, refuse } = useLoadout();
  const [when, setWhen] = useState("");
  const [to, setTo] = useState(END);
  const edges = listAt(socketsOf(draft).get(id), "edges");
  const does = (label: string, change: (draft: Draft) => Edit) => refuse(edit(label, change));
  const keep = (set: (value: string) => void) => (value: string) => {
    set(value);
    return undefined;
  };
  const add = () =>
    does(`Edge from ${id} to ${to}`, (at) =>
      addEdge(at, { from: id, to, ...(isCondition(when) && { when }) }),
    );
  return (
    <fieldset className={styles["group"]}>
      <legend>Edges</legend>
      {edges.length === 0 && <p className={styles["note"]}>None: the run ends here.</p>}
      <ol className={styles["members"]}>
        {edges.map((edge, index) => {
          const most = numberAt(edge, "maxTraversals");
          const text = `${index + 1}. ${textAt(edge, "when")} → ${textAt(edge, "to")}${most === undefined ? "" : `, at most ${most}`}`;
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
              <Button
                size="s"
                look="quiet"
                label={`Remove edge ${index + 1}`}
                icon={<Trash2 aria-hidden />}
                onClick={() => does(`Remove edge ${index + 1} of ${id}`, (at) => removeEdge(at, id, index))}
              />
            </li>
          );
        })}
      </ol>
      <div className={styles["pair"]}>
        <Choice
          label="New edge when"
          value={when}
          options={[{ value: "", text: "the next free" }, ...CONDITIONS]}
          onChoose={keep(setWhen)}
        />
        <Choice label="New edge to" value={to} options={targetOptions(draft)} onChoose={keep(setTo)} />
      </div>
      <Button size="s" icon={<Plus aria-hidden />} onClick={add}>
        Add edge
      </Button>
    </fieldset>
  );
}
