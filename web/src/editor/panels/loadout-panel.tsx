/** The form of the loadout itself: its name, where it begins, and what a run of it may use up. */

import { CornerLeftUp } from "lucide-react";
import { Button } from "../../parts/button.tsx";
import { setSetting } from "../loadout/materia.ts";
import { setEntry, tidy } from "../loadout/sockets.ts";
import { useLoadout } from "../loadout/use-loadout.ts";
import { textAt } from "../text/held.ts";
import { BUDGET, type NumberRow, NumbersForm } from "./numbers-form.tsx";
import styles from "./panel.module.css";
import { PanelHead } from "./panel-head.tsx";
import { socketOptions } from "./targets.ts";
import { TidyButton } from "./tidy-button.tsx";
import { Choice, kept, Typed } from "./typed.tsx";

const NUMBERS: readonly NumberRow[] = [
  ...BUDGET,
  { path: ["limits", "maxRepairs"], label: "Repairs per visit", absent: "1" },
  { path: ["limits", "maxNoAdvanceCycles"], label: "Cycles without progress", absent: "3" },
  { path: ["limits", "maxSteps"], label: "Most steps", absent: "no limit" },
];

export function LoadoutPanel() {
  const { draft, edit, refuse, chooseLoadout, leave } = useLoadout();
  const { loadout, names } = draft;
  const change = (path: readonly string[], value: string | number | undefined) =>
    edit(`Set ${path.join(".")}`, (at) => setSetting(at, path, value), path.join("/"));
  const text = (label: string, key: string) => (
    <Typed
      label={label}
      value={textAt(loadout, key) ?? ""}
      onType={(to) => change([key], to === "" ? undefined : to)}
    />
  );
  return (
    <div className={styles["panel"]}>
      <PanelHead title="Loadout">
        <TidyButton
          disabled={!Object.hasOwn(loadout, "layout")}
          onTidy={() => refuse(edit("Lay out again", tidy))}
        />
      </PanelHead>
      {leave && (
        <Button icon={<CornerLeftUp aria-hidden />} onClick={leave}>
          Back to the loadout around it
        </Button>
      )}
      {names.length > 1 && (
        <Choice
          label="Loadout of this config"
          value={draft.name}
          options={names}
          onChoose={kept(chooseLoadout)}
        />
      )}
      {text("Name", "name")}
      <Choice
        label="Begins at"
        value={textAt(loadout, "entry") ?? ""}
        options={socketOptions(draft)}
        onChoose={(id) => edit(`Begin at ${id}`, (at) => setEntry(at, id))}
      />
      <NumbersForm title="Budget and limits" rows={NUMBERS} held={loadout} onChange={change} />
      {text("Address of the schema", "$schema")}
      <p className={styles["note"]}>
        Choose a socket, an edge or a loop to edit it. With Shift several sockets are chosen, to make a loop
        of them.
      </p>
    </div>
  );
}
