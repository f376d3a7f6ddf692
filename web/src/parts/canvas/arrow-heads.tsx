/** The arrow heads of a canvas, once for all of its edges, each under an id of its own and with its own colour. */

import { cx } from "../cx.ts";
import styles from "./edge.module.css";

interface ArrowHeadsProps {
  /** The ids that edges name, each with the class that sets its `--tone`. */
  readonly heads: ReadonlyMap<string, string | undefined>;
}

export function ArrowHeads({ heads }: ArrowHeadsProps) {
  return (
    <svg className={styles["defs"]} aria-hidden>
      <defs>
        {[...heads].map(([id, tone]) => (
          <marker
            key={id}
            id={id}
            className={cx(styles["arrow"], tone)}
            viewBox="0 0 10 10"
            refX="9"
            refY="5"
            markerWidth="9"
            markerHeight="9"
            markerUnits="userSpaceOnUse"
            orient="auto-start-reverse"
          >
            <path d="M0,0.8 9.5,5 0,9.2z" />
          </marker>
        ))}
      </defs>
    </svg>
  );
}
