/** The form of a materia, by its type, with its full prompt as a past visit would have had it. */

import { CornerRightDown } from "lucide-react";
import { isJsonObject, type Json, type JsonObject } from "../../model/baton.ts";
import { Button } from "../../parts/button.tsx";
import { Check } from "../../parts/field.tsx";
import { materiaOf } from "../loadout/draft.ts";
import { changeMateria, holdersOf, removeMateria, renameMateria } from "../loadout/materia.ts";
import { innerOf, kindOf } from "../loadout/scene.ts";
import { useLoadout } from "../loadout/use-loadout.ts";
import { itemsAt, numberAt, parsed, textAt } from "../text/held.ts";
import styles from "./panel.module.css";
import { PanelHead, RemoveButton } from "./panel-head.tsx";
import { PromptPreview } from "./prompt-preview.tsx";
import { ToolsForm } from "./tools-form.tsx";
import { Typed } from "./typed.tsx";

type FieldForm = "text" | "prompt" | "lines" | "json" | "number";

interface FieldRow {
  readonly key: string;
  readonly label: string;
  readonly form: FieldForm;
  readonly hint?: string;
}

/** What every materia has, and what a type has besides. */
const COMMON: readonly FieldRow[] = [
  { key: "label", label: "Label", form: "text", hint: "What people see; the name when empty." },
  { key: "description", label: "Description", form: "text" },
  { key: "group", label: "Group", form: "text" },
  { key: "color", label: "Colour", form: "text", hint: "Such as teal or #0f6f72." },
];

const BY_TYPE: Readonly<Record<string, readonly FieldRow[]>> = {
  agent: [
    { key: "prompt", label: "Prompt", form: "prompt" },
    { key: "model", label: "Model", form: "text" },
    { key: "agent", label: "Agent", form: "text", hint: "The default one when empty." },
    { key: "thinking", label: "Thinking", form: "text" },
  ],
  utility: [
    { key: "utility", label: "Bundled utility", form: "text" },
    { key: "command", label: "Command", form: "lines", hint: "The program and its arguments, one a line." },
    { key: "params", label: "Parameters", form: "json" },
    { key: "parse", label: "Parse", form: "text", hint: "text or json" },
    { key: "timeoutMs", label: "Timeout in milliseconds", form: "number" },
    { key: "env", label: "Environment variables", form: "lines" },
  ],
  human: [
    { key: "prompt", label: "Question", form: "prompt" },
    { key: "schema", label: "JSON Schema of the answer", form: "json" },
  ],
  graph: [{ key: "loadout", label: "Loadout", form: "text" }],
};

export function MateriaPanel({ id }: { readonly id: string }) {
  const { draft, choose, edit, refuse, open } = useLoadout();
  const known = materiaOf(draft).get(id);
  if (known === undefined) return <p className={styles["panel"]}>There is no materia {id}.</p>;
  const materia = known.materia as unknown as JsonObject; // as it stands in a file
  const kind = kindOf(known);
  const change = (key: string, value: Json | undefined) =>
    edit(`Change ${key} of ${id}`, (at) => changeMateria(at, id, { [key]: value }), `${id}/${key}`);
  const rename = (name: string) => {
    const why = edit(`Rename ${id}`, (at) => renameMateria(at, id, name));
    if (why === undefined) choose({ kind: "materia", id: name });
    return why;
  };
  const remove = () => {
    const why = edit(`Remove ${id}`, (at) => removeMateria(at, id));
    if (why === undefined) choose(undefined);
    else refuse(why);
  };
  const isOwn = known.path !== undefined;
  const holders = holdersOf(draft, id);
  const inner = innerOf(draft, known);
  const row = (field: FieldRow) => <Row key={field.key} row={field} materia={materia} onChange={change} />;
  return (
    <div className={styles["panel"]}>
      <PanelHead title={id}>
        {isOwn && <RemoveButton label="Remove the materia" onRemove={remove} />}
      </PanelHead>
      <p className={styles["note"]}>
        {kind}
        {holders.length > 0 ? `, in ${holders.join(", ")}` : ", in no socket"}.
        {!isOwn && " It stands in another file; the first change copies it into this one."}
      </p>
      {isOwn && <Typed label="Name" isLate value={id} onType={rename} />}
      {(BY_TYPE[kind] ?? []).slice(0, 1).map(row)}
      {kind === "agent" && (
        <ToolsForm tools={materia["tools"]} onChange={(tools) => change("tools", tools)} />
      )}
      {inner !== undefined && (
        <Button icon={<CornerRightDown aria-hidden />} onClick={() => open(inner)}>
          Open {inner}
        </Button>
      )}
      {(BY_TYPE[kind] ?? []).slice(1).map(row)}
      {(kind === "agent" || kind === "utility") && (
        <Check
          label="Generator: makes the work items of a loop"
          value={materia["generator"] === true}
          onChange={(isOn) => refuse(change("generator", isOn ? true : undefined))}
        />
      )}
      <fieldset className={styles["group"]}>
        <legend>How it is shown</legend>
        {COMMON.map(row)}
      </fieldset>
      {kind === "agent" && <PromptPreview id={id} prompt={textAt(materia, "prompt") ?? ""} />}
    </div>
  );
}

interface RowProps {
  readonly row: FieldRow;
  readonly materia: JsonObject;
  readonly onChange: (key: string, value: Json | undefined) => string | undefined;
}

function Row({ row: { key, label, form, hint }, materia, onChange }: RowProps) {
  const rows = { prompt: 9, json: 4, lines: 3 }[form as "prompt" | "json" | "lines"];
  return (
    <Typed
      label={label}
      value={shownAs(form, materia, key)}
      {...(hint !== undefined && { hint })}
      {...(rows !== undefined && { rows })}
      type={form === "number" ? "number" : "text"}
      onType={(text) => {
        const value = readAs(form, text);
        return value.ok ? onChange(key, value.value) : value.why;
      }}
    />
  );
}

function shownAs(form: FieldForm, materia: JsonObject, key: string): string {
  if (form === "number") return String(numberAt(materia, key) ?? "");
  if (form === "lines") return itemsAt(materia, key).map(String).join("\n");
  if (form === "json") return Object.hasOwn(materia, key) ? JSON.stringify(materia[key], null, 2) : "";
  return textAt(materia, key) ?? "";
}

type Read =
  | { readonly ok: true; readonly value: Json | undefined }
  | { readonly ok: false; readonly why: string };

function readAs(form: FieldForm, text: string): Read {
  if (text === "") return { ok: true, value: undefined };
  if (form === "number") return { ok: true, value: Number(text) };
  if (form === "lines") return { ok: true, value: text.split("\n") };
  if (form !== "json") return { ok: true, value: text };
  const value = parsed(text);
  return isJsonObject(value) ? { ok: true, value } : { ok: false, why: "This is no JSON object." };
}
