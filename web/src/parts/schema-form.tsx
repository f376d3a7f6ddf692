/** A form made from a JSON Schema: texts, numbers, yes and no, choices, objects and lists; the rest is typed as JSON. */

import { Plus, X } from "lucide-react";
import { useState } from "react";
import { isJsonObject, type Json, type JsonObject, sameJson } from "../model/baton.ts";
import { Button } from "./button.tsx";
import { Check, Field, NumberInput, Select, TextArea, TextInput } from "./field.tsx";
import { choicesOf, initialOf, kindOf, propertiesOf, requiredOf, typeOf } from "./schema.ts";
import styles from "./schema-form.module.css";

interface SchemaFormProps {
  readonly schema: Json;
  readonly value: Json;
  readonly onChange: (value: Json) => void;
  readonly name?: string;
  readonly isRequired?: boolean;
}

export function SchemaForm({ schema, value, onChange, name = "Answer", isRequired = true }: SchemaFormProps) {
  const { title, description } = isJsonObject(schema) ? schema : {};
  const label = `${typeof title === "string" ? title : name}${isRequired ? "" : " (optional)"}`;
  const hint = typeof description === "string" ? { hint: description } : {};
  switch (kindOf(schema)) {
    case "choice": {
      const choices = choicesOf(schema);
      const chosen = choices.findIndex((choice) => sameJson(choice, value));
      const options = choices.map((choice) => (typeof choice === "string" ? choice : JSON.stringify(choice)));
      return (
        <Field label={label} {...hint}>
          <Select
            value={options[chosen] ?? ""}
            options={chosen < 0 ? ["", ...options] : options}
            onChange={(option) => onChange(choices[options.indexOf(option)] ?? null)}
          />
        </Field>
      );
    }
    case "boolean":
      return <Check label={label} value={value === true} onChange={onChange} />;
    case "number":
      return (
        <Field label={label} {...hint}>
          <NumberInput
            value={typeof value === "number" ? value : undefined}
            step={typeOf(schema) === "integer" ? 1 : "any"}
            onChange={(number) => onChange(number ?? null)}
          />
        </Field>
      );
    case "string":
      return (
        <Field label={label} {...hint}>
          <TextForm value={typeof value === "string" ? value : ""} onChange={onChange} />
        </Field>
      );
    case "object":
      return <ObjectForm schema={schema as JsonObject} value={value} onChange={onChange} label={label} />;
    case "array":
      return <ListForm schema={schema as JsonObject} value={value} onChange={onChange} label={label} />;
    default:
      return <RawForm label={label} value={value} onChange={onChange} />;
  }
}

function TextForm({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (text: string) => void;
}) {
  return value.includes("\n") || value.length > 60 ? (
    <TextArea value={value} onChange={onChange} rows={5} />
  ) : (
    <TextInput value={value} onChange={onChange} />
  );
}

interface PartProps {
  readonly schema: JsonObject;
  readonly value: Json;
  readonly onChange: (value: Json) => void;
  readonly label: string;
}

function ObjectForm({ schema, value, onChange, label }: PartProps) {
  const held = isJsonObject(value) ? value : {};
  const required = requiredOf(schema);
  return (
    <fieldset className={styles["group"]}>
      <legend>{label}</legend>
      {Object.entries(propertiesOf(schema)).map(([name, inner]) => (
        <SchemaForm
          key={name}
          name={name}
          schema={inner}
          isRequired={required.includes(name)}
          value={Object.hasOwn(held, name) ? (held[name] as Json) : null}
          onChange={(to) => onChange(withPart(held, name, to, required.includes(name)))}
        />
      ))}
    </fieldset>
  );
}

/** A field that is left empty and may be is left out. */
function withPart(held: JsonObject, name: string, to: Json, isRequired: boolean): JsonObject {
  const others = Object.entries(held).filter(([key]) => key !== name);
  const isLeftOut = !isRequired && (to === null || to === "");
  return Object.fromEntries(isLeftOut ? others : [...others, [name, to]]);
}

function ListForm({ schema, value, onChange, label }: PartProps) {
  const items = Array.isArray(value) ? (value as readonly Json[]) : [];
  const inner = schema["items"] ?? {};
  return (
    <fieldset className={styles["group"]}>
      <legend>{label}</legend>
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an item is known by its place and nothing else
        <div key={index} className={styles["item"]}>
          <SchemaForm
            schema={inner}
            name={`${index + 1}`}
            value={item}
            onChange={(to) => onChange(items.with(index, to))}
          />
          <Button
            size="s"
            label={`Remove ${index + 1}`}
            icon={<X aria-hidden />}
            onClick={() => onChange(items.toSpliced(index, 1))}
          />
        </div>
      ))}
      <Button size="s" icon={<Plus aria-hidden />} onClick={() => onChange([...items, initialOf(inner)])}>
        Add one
      </Button>
    </fieldset>
  );
}

function RawForm({ label, value, onChange }: Omit<PartProps, "schema">) {
  const [text, setText] = useState(() => JSON.stringify(value));
  const change = (to: string) => {
    setText(to);
    try {
      onChange(JSON.parse(to) as Json); // what JSON.parse gives is JSON
    } catch {
      onChange(to);
    }
  };
  return (
    <Field label={label} hint="JSON; anything else is taken as a text.">
      <TextArea value={text} onChange={change} />
    </Field>
  );
}
