/** The form of an edge: what it asks for, where it leads, how often, and when it is asked. */

import { ArrowDown, ArrowUp, Trash2 } from "lucide-react";
import { Button } from "../../parts/button.tsx";
import { listAt, numberAt, socketsOf, textAt } from "../loadout/draft.ts";
import { CONDITIONS, changeEdge, type EdgeChange, moveEdge, removeEdge } from "../loadout/edges.ts";
import { isCondition } from "../loadout/loops.ts";
import { useLoadout } from "../loadout/use-loadout.ts";
import styles from "./panel.module.css";
import { targetOptions } from "./targets.ts";
import { Choice, Typed } from "./typed.tsx";

export function EdgePanel({ from, index }: { readonly from: string; readonly index: number }) {
  const { draft, choose, edit, refuse } = useLoadout();
  const edges = listAt(socketsOf(draft).get(from), "edges");
  const edge = edges[index];
  if (edge === undefined) return <p className={styles["panel"]}>This edge is gone.</p>;
  const change = (fields: EdgeChange, typing?: string) =>
    edit(`Change edge ${index + 1} of ${from}`, (at) => changeEdge(at, from, index, fields), typing);
  const move = (to: number) => {
    const why = edit(`Ask edge ${index + 1} of ${from} ${to < index ? "earlier" : "later"}`, (at) =>
      moveEdge(at, from, index, to),
    );
    if (why === undefined) choose({ kind: "edge", from, index: to });
    else refuse(why);
  };
  const remove = () => {
    const why = edit(`Remove edge ${index + 1} of ${from}`, (at) => removeEdge(at, from, index));
    if (why === undefined) choose({ kind: "socket", id: from });
    else refuse(why);
  };
  return (
    <div className={styles["panel"]}>
      <div className={styles["head"]}>
        <h2>
          Edge {index + 1} of {from}
        </h2>
        <span className={styles["row"]}>
          <Button
            size="s"
            look="quiet"
            label="Ask earlier"
            icon={<ArrowUp aria-hidden />}
            disabled={index === 0}
            onClick={() => move(index - 1)}
          />
          <Button
            size="s"
            look="quiet"
            label="Ask later"
            icon={<ArrowDown aria-hidden />}
            disabled={index === edges.length - 1}
            onClick={() => move(index + 1)}
          />
          <Button
            size="s"
            look="danger"
            label="Remove the edge"
            icon={<Trash2 aria-hidden />}
            onClick={remove}
          />
        </span>
      </div>
      <Choice
        label="When"
        value={textAt(edge, "when") ?? ""}
        options={CONDITIONS}
        onChoose={(when) => (isCondition(when) ? change({ when }) : undefined)}
      />
      <Choice
        label="To"
        value={textAt(edge, "to") ?? ""}
        options={targetOptions(draft)}
        onChoose={(to) => change({ to })}
      />
      <Typed
        label="At most, per work item"
        type="number"
        value={String(numberAt(edge, "maxTraversals") ?? "")}
        placeholder="as often as needed"
        hint="One pass more fails the run."
        onType={(text) =>
          change({ maxTraversals: text === "" ? null : Number(text) }, `${from}/${index}/max`)
        }
      />
      <p className={styles["note"]}>The first edge that matches is taken, from the top down.</p>
    </div>
  );
}
