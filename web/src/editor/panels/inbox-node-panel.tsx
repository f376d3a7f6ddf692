/** The form of a node of an inbox graph: who it is, what it may use, and whom it writes to. */

import { Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "../../parts/button.tsx";
import { addInboxEdge, edgeIds, edgesOf, KINDS, nodesOf, renameNode, setNodeField } from "../inbox/edits.ts";
import { useInbox } from "../inbox/use-inbox.ts";
import { objectAt, textAt } from "../text/held.ts";
import styles from "./panel.module.css";
import { PanelHead, RemoveButton } from "./panel-head.tsx";
import { ToolsForm } from "./tools-form.tsx";
import { Choice, kept, Typed } from "./typed.tsx";

const TEXTS = { label: "Label", agent: "Agent", model: "Model", thinking: "Thinking" } as const;

export function InboxNodePanel({ id }: { readonly id: string }) {
  const { draft, edit, choose, kept: places, removeChosen } = useInbox();
  const node = objectAt(objectAt(draft.json, "nodes"), id);
  const change = (field: string, text: string) =>
    edit(
      `Change ${field} of ${id}`,
      (at) => setNodeField(at, id, field, text === "" ? undefined : text),
      `${id}/${field}`,
    );
  const rename = (name: string) => {
    const why = edit(`Rename ${id}`, (at) => renameNode(at, id, name));
    if (why !== undefined) return why;
    places.follow(id, name);
    choose({ kind: "node", id: name });
    return undefined;
  };
  return (
    <div className={styles["panel"]}>
      <PanelHead title={id}>
        <RemoveButton label="Remove the node" onRemove={removeChosen} />
      </PanelHead>
      <Typed label="Name" isLate value={id} onType={rename} />
      <Choice
        label="Kind"
        value={textAt(node, "kind") ?? ""}
        options={KINDS}
        onChoose={(kind) => change("kind", kind)}
      />
      <Typed
        label="Prompt"
        rows={7}
        value={textAt(node, "prompt") ?? ""}
        onType={(text) => change("prompt", text)}
      />
      <ToolsForm
        tools={node["tools"]}
        onChange={(tools) => edit(`Tools of ${id}`, (at) => setNodeField(at, id, "tools", tools))}
      />
      <Choice
        label="Workspace"
        value={textAt(node, "workspace") ?? ""}
        options={[{ value: "", text: "as its tools need" }, "shared", "exclusive", "worktree"]}
        onChoose={(workspace) => change("workspace", workspace)}
      />
      {Object.entries(TEXTS).map(([field, label]) => (
        <Typed
          key={field}
          label={label}
          value={textAt(node, field) ?? ""}
          onType={(text) => change(field, text)}
        />
      ))}
      <Edges id={id} />
    </div>
  );
}

/** The edges at a node, and a new one. */
function Edges({ id }: { readonly id: string }) {
  const { draft, choose, edit, refuse } = useInbox();
  const [to, setTo] = useState("");
  const names = edgeIds(draft);
  const own = edgesOf(draft).flatMap((edge, index) => {
    const [from, target] = [textAt(edge, "from"), textAt(edge, "to")];
    const name = names[index] ?? "";
    return from === id || target === id ? [{ index, name, text: `${name}: ${from} → ${target}` }] : [];
  });
  return (
    <fieldset className={styles["group"]}>
      <legend>Edges</legend>
      {own.length === 0 && <p className={styles["note"]}>None: it can neither send nor be sent anything.</p>}
      <ul className={styles["members"]}>
        {own.map(({ index, name, text }) => (
          <li key={name}>
            <button
              type="button"
              className={styles["pick"]}
              title={text}
              onClick={() => choose({ kind: "edge", index })}
            >
              {text}
            </button>
          </li>
        ))}
      </ul>
      <Choice
        label="New edge to"
        value={to}
        options={[{ value: "", text: "choose a node" }, ...nodesOf(draft).map(([other]) => other)]}
        onChoose={kept(setTo)}
      />
      <Button
        size="s"
        icon={<Plus aria-hidden />}
        disabled={to === ""}
        onClick={() => refuse(edit(`Edge from ${id} to ${to}`, (at) => addInboxEdge(at, id, to)))}
      >
        Add edge
      </Button>
    </fieldset>
  );
}
