/** The form of the loadout itself: its name, where it begins, and what a run of it may use up. */

import { LayoutGrid } from "lucide-react";
import { Button } from "../../parts/button.tsx";
import { numberAt, objectAt, textAt } from "../loadout/draft.ts";
import { setSetting } from "../loadout/materia.ts";
import { setEntry, tidy } from "../loadout/sockets.ts";
import { useLoadout } from "../loadout/use-loadout.ts";
import type { Path } from "../text/tree.ts";
import styles from "./panel.module.css";
import { socketOptions } from "./targets.ts";
import { Choice, Typed } from "./typed.tsx";

const NUMBERS: readonly {
  readonly path: readonly [string, string];
  readonly label: string;
  readonly absent: string;
}[] = [
  { path: ["budget", "maxTokens"], label: "Most tokens", absent: "no limit" },
  { path: ["budget", "maxCostUsd"], label: "Most US dollars", absent: "no limit" },
  { path: ["budget", "warnAtPercent"], label: "Warn at percent", absent: "75" },
  { path: ["limits", "maxRepairs"], label: "Repairs per visit", absent: "1" },
  { path: ["limits", "maxNoAdvanceCycles"], label: "Cycles without progress", absent: "3" },
  { path: ["limits", "maxSteps"], label: "Most steps", absent: "no limit" },
];

export function LoadoutPanel() {
  const { draft, edit, refuse, chooseLoadout } = useLoadout();
  const { loadout, names } = draft;
  const change = (path: Path, value: string | number | undefined) =>
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
      <div className={styles["head"]}>
        <h2>Loadout</h2>
        <Button
          size="s"
          icon={<LayoutGrid aria-hidden />}
          disabled={!Object.hasOwn(loadout, "layout")}
          title="Lay the sockets out again"
          onClick={() => refuse(edit("Lay out again", tidy))}
        >
          Tidy up
        </Button>
      </div>
      {names.length > 1 && (
        <Choice
          label="Loadout of this config"
          value={draft.name}
          options={names}
          onChoose={(name) => {
            chooseLoadout(name);
            return undefined;
          }}
        />
      )}
      {text("Name", "name")}
      <Choice
        label="Begins at"
        value={textAt(loadout, "entry") ?? ""}
        options={socketOptions(draft)}
        onChoose={(id) => edit(`Begin at ${id}`, (at) => setEntry(at, id))}
      />
      <fieldset className={styles["group"]}>
        <legend>Budget and limits</legend>
        <div className={styles["pair"]}>
          {NUMBERS.map(({ path, label, absent }) => (
            <Typed
              key={label}
              label={label}
              type="number"
              placeholder={absent}
              value={String(numberAt(objectAt(loadout, path[0]), path[1]) ?? "")}
              onType={(to) => change(path, to === "" ? undefined : Number(to))}
            />
          ))}
        </div>
      </fieldset>
      {text("Address of the schema", "$schema")}
      <p className={styles["note"]}>
        Choose a socket, an edge or a loop to edit it. With Shift several sockets are chosen, to make a loop
        of them.
      </p>
    </div>
  );
}
