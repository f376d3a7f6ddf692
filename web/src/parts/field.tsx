/** Fields of a form: a label, what is typed, and a hint that is read with it. */

import { createContext, type ReactNode, useContext, useId } from "react";
import styles from "./field.module.css";

const Ids = createContext<{ readonly field: string; readonly hint: string | undefined } | undefined>(
  undefined,
);

interface FieldProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly children: ReactNode;
}

export function Field({ label, hint, children }: FieldProps) {
  const id = useId();
  const ids = { field: id, hint: hint === undefined ? undefined : `${id}-hint` };
  return (
    <div className={styles["field"]}>
      <label htmlFor={id}>{label}</label>
      <Ids value={ids}>{children}</Ids>
      {hint !== undefined && (
        <p id={ids.hint} className={styles["hint"]}>
          {hint}
        </p>
      )}
    </div>
  );
}

function useField() {
  const ids = useContext(Ids);
  return { id: ids?.field, "aria-describedby": ids?.hint, className: styles["input"] };
}

interface InputProps<T> {
  readonly value: T;
  readonly onChange: (value: T) => void;
}

export function TextInput({
  value,
  onChange,
  placeholder,
}: InputProps<string> & { readonly placeholder?: string }) {
  return (
    <input
      {...useField()}
      type="text"
      value={value}
      placeholder={placeholder}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

export function TextArea({ value, onChange, rows = 3 }: InputProps<string> & { readonly rows?: number }) {
  return (
    <textarea {...useField()} rows={rows} value={value} onChange={(event) => onChange(event.target.value)} />
  );
}

interface NumberProps extends InputProps<number | undefined> {
  readonly min?: number;
  readonly step?: number | "any";
}

export function NumberInput({ value, onChange, min, step }: NumberProps) {
  const change = (text: string) => onChange(text === "" ? undefined : Number(text));
  return (
    <input
      {...useField()}
      type="number"
      value={value ?? ""}
      min={min}
      step={step}
      onChange={(event) => change(event.target.value)}
    />
  );
}

export function Select({
  value,
  onChange,
  options,
}: InputProps<string> & { readonly options: readonly string[] }) {
  return (
    <select {...useField()} value={value} onChange={(event) => onChange(event.target.value)}>
      {options.map((option) => (
        <option key={option} value={option}>
          {option}
        </option>
      ))}
    </select>
  );
}

interface CheckProps extends InputProps<boolean> {
  readonly label: ReactNode;
}

export function Check({ value, onChange, label }: CheckProps) {
  return (
    <label className={styles["check"]}>
      <input type="checkbox" checked={value} onChange={(event) => onChange(event.target.checked)} />
      <span>{label}</span>
    </label>
  );
}
