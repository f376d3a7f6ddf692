/** Tabs: one panel of several, chosen with the arrow keys. */

import { Tabs as Radix } from "radix-ui";
import type { ReactNode } from "react";
import styles from "./tabs.module.css";

export interface Tab {
  readonly id: string;
  readonly label: string;
  readonly count?: number | undefined;
  readonly panel: ReactNode;
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly value: string;
  readonly onChange: (id: string) => void;
  readonly extra?: ReactNode;
}

export function Tabs({ label, tabs, value, onChange, extra }: TabsProps) {
  const chosen = tabs.some(({ id }) => id === value) ? value : (tabs[0]?.id ?? "");
  return (
    <Radix.Root className={styles["tabs"]} value={chosen} onValueChange={onChange}>
      <div className={styles["bar"]}>
        <Radix.List className={styles["list"]} aria-label={label}>
          {tabs.map(({ id, label: text, count }) => (
            <Radix.Trigger key={id} value={id} className={styles["tab"]}>
              {text}
              {count !== undefined && <span className={styles["count"]}>{count}</span>}
            </Radix.Trigger>
          ))}
        </Radix.List>
        {extra}
      </div>
      {tabs.map(({ id, panel }) => (
        <Radix.Content key={id} value={id} className={styles["panel"]} tabIndex={-1}>
          {panel}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
