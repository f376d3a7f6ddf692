/** The form of the start dialog, and the request that it amounts to. */

import { useQuery } from "@tanstack/react-query";
import { api } from "../../model/api.ts";
import { type DefinitionDocument, type DefinitionLine, isJsonObject, type Json } from "../../model/baton.ts";
import { Check, Field, NumberInput, TextArea, TextInput } from "../../parts/field.tsx";
import { Problem } from "../../parts/notice.tsx";
import type { Draft } from "./draft.ts";
import styles from "./start-form.module.css";

interface StartFormProps {
  readonly draft: Draft;
  readonly chosen: DefinitionDocument | undefined;
  readonly onChange: (change: Partial<Draft>) => void;
}

export function StartForm({ draft, chosen, onChange }: StartFormProps) {
  return (
    <>
      <Definitions
        value={draft.definition}
        onChange={(definition) => onChange({ definition, isAllowed: false })}
      />
      {chosen?.kind === "inbox" ? (
        <Messages chosen={chosen} messages={draft.messages} onChange={(messages) => onChange({ messages })} />
      ) : (
        <Field label="Task" hint="What is to be done, in your words.">
          <TextArea value={draft.task} onChange={(task) => onChange({ task })} />
        </Field>
      )}
      <details className={styles["more"]}>
        <summary>Script, inputs and budget</summary>
        <div className={styles["fields"]}>
          {chosen?.kind !== "inbox" && (
            <Field label="Inputs" hint="A JSON object. May be empty.">
              <TextArea value={draft.inputs} rows={2} onChange={(inputs) => onChange({ inputs })} />
            </Field>
          )}
          <Field
            label="Script"
            hint="The path of a script that takes every turn in place of agents. May be empty."
          >
            <TextInput value={draft.script} onChange={(script) => onChange({ script })} />
          </Field>
          <Field label="Agent" hint="Who takes the turns. Empty for what the project says.">
            <TextInput value={draft.agent} onChange={(agent) => onChange({ agent })} />
          </Field>
          <div className={styles["pair"]}>
            <Field label="Most tokens">
              <NumberInput
                value={draft.maxTokens}
                min={1}
                onChange={(maxTokens) => onChange({ maxTokens })}
              />
            </Field>
            <Field label="Most dollars">
              <NumberInput
                value={draft.maxCostUsd}
                min={0}
                step="any"
                onChange={(maxCostUsd) => onChange({ maxCostUsd })}
              />
            </Field>
          </div>
        </div>
      </details>
      {chosen && (
        <Powers
          trust={chosen.trust}
          isAllowed={draft.isAllowed}
          onChange={(isAllowed) => onChange({ isAllowed })}
        />
      )}
    </>
  );
}

function Definitions({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (path: string) => void;
}) {
  const { data, error } = useQuery({
    queryKey: ["definitions"],
    queryFn: async () => (await api.definitions()).definitions,
  });
  const lines = (data ?? []).filter(({ kind }) => kind !== "materia");
  const group = (label: string, wanted: readonly DefinitionLine[]) =>
    wanted.length > 0 && (
      <optgroup label={label}>
        {wanted.map(({ path, name }) => (
          <option key={path} value={path}>
            {name === path ? name : `${name} (${path})`}
          </option>
        ))}
      </optgroup>
    );
  return (
    <>
      <label className={styles["definition"]}>
        <span>Definition</span>
        <select value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="">Choose…</option>
          {group(
            "In this project",
            lines.filter(({ isBundled }) => !isBundled),
          )}
          {group(
            "With Baton",
            lines.filter(({ isBundled }) => isBundled),
          )}
        </select>
      </label>
      {error && <Problem error={error} />}
    </>
  );
}

interface MessagesProps {
  readonly chosen: DefinitionDocument;
  readonly messages: Draft["messages"];
  readonly onChange: (messages: Draft["messages"]) => void;
}

function Messages({ chosen, messages, onChange }: MessagesProps) {
  return nodesOf(chosen.drawing).map((node) => (
    <Field key={node} label={`Message to ${node}`}>
      <TextArea
        value={messages[node] ?? ""}
        rows={2}
        onChange={(text) => onChange({ ...messages, [node]: text })}
      />
    </Field>
  ));
}

interface PowersProps {
  readonly trust: DefinitionDocument["trust"];
  readonly isAllowed: boolean;
  readonly onChange: (isAllowed: boolean) => void;
}

function Powers({ trust, isAllowed, onChange }: PowersProps) {
  if (trust.powers.length === 0) return null;
  return (
    <section className={styles["powers"]} aria-label="What it may do">
      <h3>What it may do</h3>
      <ul>
        {trust.powers.map((power) => (
          <li key={power}>{power}</li>
        ))}
      </ul>
      {!trust.isTrusted && (
        <Check label="I have read this and allow it for this run" value={isAllowed} onChange={onChange} />
      )}
    </section>
  );
}

/** The nodes of a drawing, which comes beside its text form or alone. */
function nodesOf(drawing: Json): readonly string[] {
  const graph = isJsonObject(drawing) && isJsonObject(drawing["graph"]) ? drawing["graph"] : drawing;
  const nodes =
    isJsonObject(graph) && Array.isArray(graph["nodes"]) ? (graph["nodes"] as readonly Json[]) : [];
  return nodes.filter(isJsonObject).map(({ id }) => String(id));
}
