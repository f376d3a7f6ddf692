/** How much was used, and of how much. */

import { cx } from "../../parts/cx.ts";
import styles from "./run-head.module.css";

interface MeterProps {
  readonly name: string;
  /** `null` is not known. */
  readonly value: number | null;
  readonly most: number | null;
  readonly print: (value: number) => string;
}

export function Meter({ name, value, most, print }: MeterProps) {
  const share = most === null || most === 0 || value === null ? undefined : Math.min(1, value / most);
  const tone = share === undefined ? "" : share >= 1 ? "full" : share > 0.8 ? "near" : "";
  return (
    <div className={styles["meter"]}>
      <dt>{name}</dt>
      <dd>
        {value === null ? "unknown" : print(value)}
        {most !== null && <span className={styles["most"]}> of {print(most)}</span>}
      </dd>
      {share !== undefined && (
        <progress
          className={cx(styles["share"], styles[tone])}
          value={share}
          max={1}
          aria-label={`${name} used of the budget`}
        />
      )}
    </div>
  );
}
