/** Answers by a form that is made from a schema, or as JSON where there is none or somebody prefers it. */

import { useEffect, useRef, useState } from "react";
import type { Json } from "../../model/baton.ts";
import { Button } from "../../parts/button.tsx";
import { Field, TextArea } from "../../parts/field.tsx";
import { initialOf, misfits } from "../../parts/schema.ts";
import { SchemaForm } from "../../parts/schema-form.tsx";
import styles from "./question-card.module.css";

interface AnswerFormProps {
  readonly schema: Json;
  readonly initial: Json | undefined;
  readonly submit: string;
  readonly isBusy: boolean;
  /** Counts how often somebody wanted to type here. */
  readonly focus: number;
  readonly onAnswer: (value: Json) => void;
  readonly onBack?: () => void;
}

export function AnswerForm({ schema, initial, submit, isBusy, focus, onAnswer, onBack }: AnswerFormProps) {
  const [value, setValue] = useState<Json>(() => initial ?? initialOf(schema));
  const [isRaw, setRaw] = useState(schema === null);
  const [text, setText] = useState(() => print(initial ?? initialOf(schema)));
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (focus > 0) form.current?.querySelector<HTMLElement>("input, textarea, select")?.focus();
  }, [focus]);
  const given = isRaw ? read(text, initial) : value;
  const problems = isRaw || schema === null ? [] : misfits(schema, value);
  const answer = () => {
    if (given !== undefined && problems.length === 0) onAnswer(given);
  };
  const change = () => {
    if (isRaw) setValue(read(text, initial) ?? value);
    else setText(print(value));
    setRaw(!isRaw);
  };
  return (
    <form
      ref={form}
      className={styles["form"]}
      onSubmit={(event) => {
        event.preventDefault();
        answer();
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") onBack?.();
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) answer();
      }}
    >
      {isRaw ? (
        <Field label="Answer" hint={typeof initial === "object" ? "JSON." : "A text, or JSON."}>
          <TextArea value={text} rows={6} onChange={setText} />
        </Field>
      ) : (
        <SchemaForm schema={schema} value={value} onChange={setValue} />
      )}
      {given === undefined && <p role="alert">This is not JSON yet.</p>}
      {problems.map((problem) => (
        <p key={problem}>{problem}</p>
      ))}
      <div className={styles["foot"]}>
        <Button type="submit" look="primary" disabled={isBusy || given === undefined || problems.length > 0}>
          {submit}
        </Button>
        {schema !== null && <Button onClick={change}>{isRaw ? "As a form" : "As JSON"}</Button>}
        {onBack && <Button onClick={onBack}>Back</Button>}
      </div>
    </form>
  );
}

function print(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/** A text is an answer as it stands, unless what is edited was more than a text. */
function read(text: string, initial: Json | undefined): Json | undefined {
  try {
    return JSON.parse(text) as Json; // what JSON.parse gives is JSON
  } catch {
    return typeof initial === "object" && initial !== null ? undefined : text;
  }
}
