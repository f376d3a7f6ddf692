/** What stands in the place of the graph while it is laid out. */

import styles from "./drawing.module.css";

export function Drawing() {
  return (
    <p className={styles["drawing"]} role="status">
      Drawing the graph…
    </p>
  );
}
