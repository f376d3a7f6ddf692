/** Numbers that may be set, each with what counts where it is absent. */

import type { JsonObject } from "../../model/baton.ts";
import { numberAt, objectAt } from "../text/held.ts";
import styles from "./panel.module.css";
import { Typed } from "./typed.tsx";

export interface NumberRow {
  readonly path: readonly [string, string];
  readonly label: string;
  readonly absent: string;
}

/** What a run may use up before it pauses. */
export const BUDGET: readonly NumberRow[] = [
  { path: ["budget", "maxTokens"], label: "Most tokens", absent: "no limit" },
  { path: ["budget", "maxCostUsd"], label: "Most US dollars", absent: "no limit" },
  { path: ["budget", "warnAtPercent"], label: "Warn at percent", absent: "75" },
];

interface NumbersFormProps {
  readonly title: string;
  readonly rows: readonly NumberRow[];
  /** What they stand in. */
  readonly held: JsonObject;
  readonly onChange: (path: readonly string[], value: number | undefined) => string | undefined;
}

export function NumbersForm({ title, rows, held, onChange }: NumbersFormProps) {
  return (
    <fieldset className={styles["group"]}>
      <legend>{title}</legend>
      <div className={styles["pair"]}>
        {rows.map(({ path, label, absent }) => (
          <Typed
            key={label}
            label={label}
            type="number"
            placeholder={absent}
            value={String(numberAt(objectAt(held, path[0]), path[1]) ?? "")}
            onType={(to) => onChange(path, to === "" ? undefined : Number(to))}
          />
        ))}
      </div>
    </fieldset>
  );
}
