/** The form of an edge: what it asks for, where it leads, how often, and when it is asked. */

import { ArrowDown, ArrowUp } from "lucide-react";
import { Button } from "../../parts/button.tsx";
import { socketsOf } from "../loadout/draft.ts";
import {
  CONDITIONS,
  changeEdge,
  type EdgeChange,
  isCondition,
  moveEdge,
  removeEdge,
} from "../loadout/edges.ts";
import { useLoadout } from "../loadout/use-loadout.ts";
import { listAt, numberAt, textAt } from "../text/held.ts";
import styles from "./panel.module.css";
import { PanelHead, RemoveButton } from "./panel-head.tsx";
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
      <PanelHead title={`Edge ${index + 1} of ${from}`}>
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
        <RemoveButton label="Remove the edge" onRemove={remove} />
      </PanelHead>
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
