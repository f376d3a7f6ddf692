/** The forms of an inbox graph: of a node, of an edge, or of the whole of it. */

import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { Button } from "../../parts/button.tsx";
import { Check } from "../../parts/field.tsx";
import {
  addInboxEdge,
  edgeIds,
  edgesOf,
  type InboxDraft,
  nodesOf,
  renameNode,
  setEdgeField,
  setNodeField,
} from "../inbox/edits.ts";
import type { InboxChosen, InboxEdit } from "../inbox/inbox-editor.tsx";
import { numberAt, objectAt, textAt } from "../loadout/draft.ts";
import { setOrRemove } from "../loadout/sockets.ts";
import styles from "./panel.module.css";
import { ToolsForm } from "./tools-form.tsx";
import { Choice, Typed } from "./typed.tsx";

interface InboxPanelProps {
  readonly draft: InboxDraft;
  readonly chosen: InboxChosen | undefined;
  readonly edit: InboxEdit;
  readonly choose: (chosen: InboxChosen | undefined) => void;
  readonly onRemove: () => void;
}

export function InboxPanel(props: InboxPanelProps) {
  const { draft, chosen } = props;
  if (chosen?.kind === "node" && Object.hasOwn(objectAt(draft.json, "nodes"), chosen.id)) {
    return <NodeForm key={chosen.id} {...props} id={chosen.id} />;
  }
  if (chosen?.kind === "edge" && edgesOf(draft)[chosen.index] !== undefined) {
    return <EdgeForm key={chosen.index} {...props} index={chosen.index} />;
  }
  return <GraphForm {...props} />;
}

const TEXTS = { label: "Label", agent: "Agent", model: "Model", thinking: "Thinking" } as const;

function NodeForm({ draft, id, edit, choose, onRemove }: InboxPanelProps & { readonly id: string }) {
  const node = objectAt(objectAt(draft.json, "nodes"), id);
  const [to, setTo] = useState("");
  const change = (field: string, text: string) =>
    edit(
      `Change ${field} of ${id}`,
      (at) => setNodeField(at, id, field, text === "" ? undefined : text),
      `${id}/${field}`,
    );
  const rename = (name: string) => {
    const why = edit(`Rename ${id}`, (at) => renameNode(at, id, name));
    if (why === undefined) choose({ kind: "node", id: name });
    return why;
  };
  const others = nodesOf(draft).map(([other]) => other);
  return (
    <div className={styles["panel"]}>
      <div className={styles["head"]}>
        <h2 title={id}>{id}</h2>
        <Button
          size="s"
          look="danger"
          label="Remove the node"
          icon={<Trash2 aria-hidden />}
          onClick={onRemove}
        />
      </div>
      <Typed label="Name" isLate value={id} onType={rename} />
      <Choice
        label="Kind"
        value={textAt(node, "kind") ?? ""}
        options={["orchestrator", "task", "verifier"]}
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
      <fieldset className={styles["group"]}>
        <legend>New edge</legend>
        <Choice
          label="New edge to"
          value={to}
          options={[{ value: "", text: "choose a node" }, ...others]}
          onChoose={(chosen) => {
            setTo(chosen);
            return undefined;
          }}
        />
        <Button
          size="s"
          icon={<Plus aria-hidden />}
          disabled={to === ""}
          onClick={() => edit(`Edge from ${id} to ${to}`, (at) => addInboxEdge(at, id, to))}
        >
          Add edge
        </Button>
      </fieldset>
    </div>
  );
}

function EdgeForm({ draft, index, edit, onRemove }: InboxPanelProps & { readonly index: number }) {
  const edge = edgesOf(draft)[index] ?? {};
  const names = nodesOf(draft).map(([id]) => id);
  const name = edgeIds(draft)[index] ?? "";
  const change = (field: string, value: string | boolean | undefined) =>
    edit(`Change edge ${name}`, (at) => setEdgeField(at, index, field, value));
  return (
    <div className={styles["panel"]}>
      <div className={styles["head"]}>
        <h2 title={name}>Edge {name}</h2>
        <Button
          size="s"
          look="danger"
          label="Remove the edge"
          icon={<Trash2 aria-hidden />}
          onClick={onRemove}
        />
      </div>
      <div className={styles["pair"]}>
        <Choice
          label="From"
          value={textAt(edge, "from") ?? ""}
          options={names}
          onChoose={(id) => change("from", id)}
        />
        <Choice
          label="To"
          value={textAt(edge, "to") ?? ""}
          options={names}
          onChoose={(id) => change("to", id)}
        />
      </div>
      <Choice
        label="Type"
        value={textAt(edge, "type") ?? "handoff"}
        options={["handoff", "report"]}
        onChoose={(type) => change("type", type)}
      />
      <Choice
        label="Direction"
        value={textAt(edge, "direction") ?? "bidirectional"}
        options={["bidirectional", "directional"]}
        onChoose={(direction) => change("direction", direction)}
      />
      <Check
        label="Auto: carries the last message of every turn"
        value={edge["auto"] === true}
        onChange={(isOn) => change("auto", isOn ? true : undefined)}
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

const LIMITS: readonly { readonly key: string; readonly label: string; readonly absent: string }[] = [
  { key: "maxConcurrentTurns", label: "Turns at once", absent: "4" },
  { key: "stallAfter", label: "Stalls after", absent: "3" },
  { key: "maxAutoTurns", label: "Automatic turns", absent: "3" },
];

function GraphForm({ draft: { json }, edit }: InboxPanelProps) {
  const set = (path: readonly string[], value: string | number | undefined) =>
    edit(`Set ${path.join(".")}`, () => [setOrRemove(path, value)], path.join("/"));
  return (
    <div className={styles["panel"]}>
      <div className={styles["head"]}>
        <h2>Inbox graph</h2>
      </div>
      <Typed
        label="Name"
        value={textAt(json, "name") ?? ""}
        onType={(text) => set(["name"], text === "" ? undefined : text)}
      />
      <Choice
        label="Mode"
        value={textAt(json, "mode") ?? "interactive"}
        options={["interactive", "auto"]}
        onChoose={(mode) => set(["mode"], mode)}
      />
      <Choice
        label="Phase"
        value={textAt(json, "phase") ?? "implementation"}
        options={["planning", "implementation"]}
        onChoose={(phase) => set(["phase"], phase)}
      />
      <fieldset className={styles["group"]}>
        <legend>Limits</legend>
        {LIMITS.map(({ key, label, absent }) => (
          <Typed
            key={key}
            label={label}
            type="number"
            placeholder={absent}
            value={String(numberAt(objectAt(json, "limits"), key) ?? "")}
            onType={(text) => set(["limits", key], text === "" ? undefined : Number(text))}
          />
        ))}
      </fieldset>
      <p className={styles["note"]}>
        Choose a node or an edge to edit it. Drag from the dot below a node to draw an edge.
      </p>
    </div>
  );
}
