/** The palette of an inbox graph: who can be in it, to be dragged onto the canvas or added with a key. */

import { BadgeCheck, Bot, Waypoints } from "lucide-react";
import styles from "../panels/palette.module.css";
import { PaletteItem } from "../panels/palette-item.tsx";
import type { NodeKind } from "./edits.ts";
import { useInbox } from "./use-inbox.ts";

const ROWS = [
  { kind: "orchestrator", icon: Waypoints, look: "graph", text: "Splits the work and closes the goal" },
  { kind: "task", icon: Bot, look: "agent", text: "Does a part of the work" },
  { kind: "verifier", icon: BadgeCheck, look: "human", text: "Judges what others did" },
] as const satisfies readonly { readonly kind: NodeKind; readonly [more: string]: unknown }[];

export function InboxPalette() {
  const { add } = useInbox();
  return (
    <div className={styles["palette"]}>
      <section aria-label="Nodes">
        <h2 className={styles["title"]}>Nodes</h2>
        <ul>
          {ROWS.map(({ kind, icon, look, text }) => (
            <PaletteItem
              key={kind}
              {...{ name: kind, icon, look, note: text, title: text }}
              onChoose={() => add(kind)}
              onAdd={() => add(kind)}
            />
          ))}
        </ul>
      </section>
    </div>
  );
}
