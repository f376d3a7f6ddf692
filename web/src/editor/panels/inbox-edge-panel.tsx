/** The form of an edge of an inbox graph: between whom, what goes along it, and in which direction. */

import { Check } from "../../parts/field.tsx";
import { edgeIds, edgesOf, nodesOf, setEdgeField } from "../inbox/edits.ts";
import { useInbox } from "../inbox/use-inbox.ts";
import { textAt } from "../text/held.ts";
import styles from "./panel.module.css";
import { PanelHead, RemoveButton } from "./panel-head.tsx";
import { Choice, Typed } from "./typed.tsx";

export function InboxEdgePanel({ index }: { readonly index: number }) {
  const { draft, edit, refuse, removeChosen } = useInbox();
  const edge = edgesOf(draft)[index] ?? {};
  const names = nodesOf(draft).map(([id]) => id);
  const name = edgeIds(draft)[index] ?? "";
  const change = (field: string, value: string | boolean | undefined) =>
    edit(`Change edge ${name}`, (at) => setEdgeField(at, index, field, value));
  const choice = (label: string, field: string, options: readonly string[], usual = "") => (
    <Choice
      {...{ label, options }}
      value={textAt(edge, field) ?? usual}
      onChoose={(chosen) => change(field, chosen)}
    />
  );
  return (
    <div className={styles["panel"]}>
      <PanelHead title={`Edge ${name}`}>
        <RemoveButton label="Remove the edge" onRemove={removeChosen} />
      </PanelHead>
      <div className={styles["pair"]}>
        {choice("From", "from", names)}
        {choice("To", "to", names)}
      </div>
      {choice("Type", "type", ["handoff", "report"], "handoff")}
      {choice("Direction", "direction", ["bidirectional", "directional"], "bidirectional")}
      <Check
        label="Auto: carries the last message of every turn"
        value={edge["auto"] === true}
        onChange={(isOn) => refuse(change("auto", isOn ? true : undefined))}
      />
      <Typed
        label="Id"
        isLate
        value={textAt(edge, "id") ?? ""}
        placeholder={name}
        onType={(id) => change("id", id === "" ? undefined : id)}
      />
    </div>
  );
}
