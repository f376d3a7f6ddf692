/** Makes a materia: its name, its type, and what that type cannot do without. */

import { useState } from "react";
import { BUNDLED, type Materia } from "../../model/baton.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Check, Field, Select, TextArea, TextInput } from "../../parts/field.tsx";
import { Banner } from "../../parts/notice.tsx";
import { addMateria } from "../loadout/materia.ts";
import { useLoadout } from "../loadout/use-loadout.ts";
import { objectAt } from "../text/held.ts";

const UTILITIES = Object.values(BUNDLED.materia ?? {}).flatMap(({ utility }) => utility ?? []);
const COMMAND = "a command";
const TOOLS = ["none", "readOnly", "coding"] as const;

interface Form {
  readonly id: string;
  readonly type: string;
  readonly prompt: string;
  readonly tools: string;
  readonly utility: string;
  readonly command: string;
  readonly loadout: string;
  readonly isGenerator: boolean;
}

export function NewMateriaDialog({ onClose }: { readonly onClose: () => void }) {
  const { draft, edit, choose } = useLoadout();
  const loadouts = [...Object.keys(objectAt(draft.json, "loadouts")), ...Object.keys(BUNDLED.loadouts ?? {})];
  const [why, setWhy] = useState<string | undefined>(undefined);
  const [form, setForm] = useState<Form>({
    ...{ id: "", type: "agent", prompt: "", tools: "readOnly", isGenerator: false },
    ...{ utility: UTILITIES[0] ?? COMMAND, command: "", loadout: loadouts[0] ?? "" },
  });
  const change = (fields: Partial<Form>) => setForm({ ...form, ...fields });
  const add = () => {
    const refused = edit(`Add materia ${form.id}`, (at) => addMateria(at, form.id, materiaOf(form)));
    setWhy(refused);
    if (refused !== undefined) return;
    onClose();
    choose({ kind: "materia", id: form.id });
  };
  const { type } = form;
  return (
    <Dialog
      title="New materia"
      onClose={onClose}
      footer={
        <Button look="primary" disabled={form.id.trim() === ""} onClick={add}>
          Add to the file
        </Button>
      }
    >
      {why && <Banner tone="bad">{why}</Banner>}
      <Field label="Name">
        <TextInput value={form.id} onChange={(id) => change({ id })} />
      </Field>
      <Field label="Type">
        <Select
          value={type}
          options={["agent", "utility", "human", "graph"]}
          onChange={(to) => change({ type: to })}
        />
      </Field>
      {(type === "agent" || type === "human") && (
        <Field
          label="Prompt"
          hint={type === "agent" ? "The role, in your words." : "What the person is asked."}
        >
          <TextArea value={form.prompt} rows={5} onChange={(prompt) => change({ prompt })} />
        </Field>
      )}
      {type === "agent" && (
        <Field label="Tools">
          <Select value={form.tools} options={TOOLS} onChange={(tools) => change({ tools })} />
        </Field>
      )}
      {type === "utility" && (
        <Field label="Runs">
          <Select
            value={form.utility}
            options={[...UTILITIES, COMMAND]}
            onChange={(utility) => change({ utility })}
          />
        </Field>
      )}
      {type === "utility" && form.utility === COMMAND && (
        <Field label="Command" hint="The program and its arguments, one a line. There is no shell.">
          <TextArea value={form.command} onChange={(command) => change({ command })} />
        </Field>
      )}
      {type === "graph" && (
        <Field label="Loadout">
          <Select value={form.loadout} options={loadouts} onChange={(loadout) => change({ loadout })} />
        </Field>
      )}
      {(type === "agent" || type === "utility") && (
        <Check
          label="Generator: makes the work items of a loop"
          value={form.isGenerator}
          onChange={(isGenerator) => change({ isGenerator })}
        />
      )}
    </Dialog>
  );
}

/** What the form says. A type that is the usual one is not written down. */
function materiaOf({ type, prompt, tools, utility, command, loadout, isGenerator }: Form): Materia {
  const generator = isGenerator ? { generator: true } : {};
  switch (type) {
    case "utility":
      return utility === COMMAND
        ? { type, ...generator, command: command.split("\n").filter((line) => line !== "") }
        : { type, ...generator, utility };
    case "human":
      return { type, ...(prompt !== "" && { prompt }) };
    case "graph":
      return { type, loadout };
    default:
      return { ...generator, tools: TOOLS.find((one) => one === tools) ?? "none", prompt };
  }
}
