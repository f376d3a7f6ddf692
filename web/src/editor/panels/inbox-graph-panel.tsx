/** The form of an inbox graph itself: its name, how it works, and what a run of it may use up. */

import { useInbox } from "../inbox/use-inbox.ts";
import { textAt } from "../text/held.ts";
import { settingIn } from "../text/setting.ts";
import { BUDGET, type NumberRow, NumbersForm } from "./numbers-form.tsx";
import styles from "./panel.module.css";
import { PanelHead } from "./panel-head.tsx";
import { TidyButton } from "./tidy-button.tsx";
import { Choice, Typed } from "./typed.tsx";

const NUMBERS: readonly NumberRow[] = [
  ...BUDGET,
  { path: ["limits", "maxConcurrentTurns"], label: "Turns at once", absent: "4" },
  { path: ["limits", "stallAfter"], label: "Stalls after", absent: "3" },
  { path: ["limits", "maxAutoTurns"], label: "Automatic turns", absent: "3" },
];

export function InboxGraphPanel() {
  const { draft, kept, edit } = useInbox();
  const { json } = draft;
  const set = (path: readonly string[], value: string | number | undefined) =>
    edit(`Set ${path.join(".")}`, (at) => [settingIn(at.json, path, value)], path.join("/"));
  return (
    <div className={styles["panel"]}>
      <PanelHead title="Inbox graph">
        <TidyButton disabled={kept.places.size === 0} onTidy={kept.forget} />
      </PanelHead>
      <Typed
        label="Name"
        value={textAt(json, "name") ?? ""}
        onType={(text) => set(["name"], text === "" ? undefined : text)}
      />
      <Choice
        label="Mode"
        value={textAt(json, "mode") ?? "interactive"}
        options={["interactive", "auto"]}
        onChoose={(mode) => set(["mode"], mode)}
      />
      <Choice
        label="Phase"
        value={textAt(json, "phase") ?? "implementation"}
        options={["planning", "implementation"]}
        onChoose={(phase) => set(["phase"], phase)}
      />
      <NumbersForm title="Budget and limits" rows={NUMBERS} held={json} onChange={set} />
      <p className={styles["note"]}>
        Choose a node or an edge to edit it. Drag from the dot below a node to draw an edge. Where nodes lie
        is kept in this browser: the file has no room for it.
      </p>
    </div>
  );
}
