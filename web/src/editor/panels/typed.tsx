/** Fields whose text goes into the draft as it is typed; what the draft refuses stays in the field, with the reason. */

import { useId, useState } from "react";
import styles from "./typed.module.css";

interface TypedProps {
  readonly label: string;
  readonly value: string;
  /** Takes the text, or says why not. */
  readonly onType: (text: string) => string | undefined;
  readonly hint?: string;
  readonly rows?: number;
  readonly placeholder?: string;
  readonly type?: "text" | "number";
  /** Takes the text when the field is left, not while it is typed: for names. */
  readonly isLate?: boolean;
}

export function Typed({
  label,
  value,
  onType,
  hint,
  rows,
  placeholder,
  type = "text",
  isLate = false,
}: TypedProps) {
  const id = useId();
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const [why, setWhy] = useState<string | undefined>(undefined);
  const commit = (text: string) => setWhy(text === value ? undefined : onType(text));
  const change = (text: string) => {
    setTyped(text);
    if (!isLate) commit(text);
  };
  const leave = () => {
    if (isLate && typed !== undefined) commit(typed);
    setTyped(undefined);
    if (!isLate) setWhy(undefined);
  };
  const shared = {
    ...{ id, placeholder, value: typed ?? value, className: styles["input"], onBlur: leave },
    ...(why !== undefined && { "aria-invalid": true }),
    "aria-describedby": why !== undefined || hint !== undefined ? `${id}-hint` : undefined,
  };
  return (
    <div className={styles["field"]}>
      <label htmlFor={id}>{label}</label>
      {rows === undefined ? (
        <input
          {...shared}
          type={type}
          onChange={(event) => change(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && isLate && typed !== undefined) commit(typed);
          }}
        />
      ) : (
        <textarea {...shared} rows={rows} onChange={(event) => change(event.target.value)} />
      )}
      {(why ?? hint) !== undefined && (
        <p id={`${id}-hint`} className={why === undefined ? styles["hint"] : styles["why"]}>
          {why ?? hint}
        </p>
      )}
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (string | { readonly value: string; readonly text: string })[];
  readonly onChoose: (value: string) => string | undefined;
}

export function Choice({ label, value, options, onChoose }: ChoiceProps) {
  const id = useId();
  const [why, setWhy] = useState<string | undefined>(undefined);
  const all = options.map((option) =>
    typeof option === "string" ? { value: option, text: option } : option,
  );
  const known = all.some((option) => option.value === value) ? all : [{ value, text: value }, ...all];
  return (
    <div className={styles["field"]}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        className={styles["input"]}
        value={value}
        aria-describedby={why === undefined ? undefined : `${id}-why`}
        onChange={(event) => setWhy(onChoose(event.target.value))}
      >
        {known.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
      {why !== undefined && (
        <p id={`${id}-why`} className={styles["why"]} role="alert">
          {why}
        </p>
      )}
    </div>
  );
}

/** For a field whose text is kept here and goes into no draft yet. */
export function kept(set: (text: string) => void): (text: string) => undefined {
  return (text) => {
    set(text);
    return undefined;
  };
}
