/** Which keys do what. */

import styles from "./legend.module.css";

const KEYS = [
  ["j", "next"],
  ["k", "previous"],
  ["a", "approve"],
  ["d", "deny"],
  ["e", "edit"],
] as const;

export function Legend() {
  return (
    <ul className={styles["legend"]} aria-label="Keys">
      {KEYS.map(([key, name]) => (
        <li key={key}>
          <kbd>{key}</kbd> {name}
        </li>
      ))}
    </ul>
  );
}
