/** The editor of a loadout: palette, canvas, forms, JSON and margin over one text. */

import { useMemo, useState } from "react";
import { Banner, Empty } from "../../parts/notice.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { useCheck } from "../check/use-check.ts";
import { JsonPane } from "../code/json-pane.tsx";
import { Frame } from "../frame/frame.tsx";
import { Margin } from "../frame/margin.tsx";
import { PlainEditor } from "../frame/plain-editor.tsx";
import { ChosenPanel } from "../panels/chosen-panel.tsx";
import { Palette } from "../panels/palette.tsx";
import type { Editing } from "../session/session.ts";
import { readTree } from "../text/tree.ts";
import { LoadoutCanvas } from "./loadout-canvas.tsx";
import { chosenAt, stepsOf } from "./place.ts";
import { useBelow } from "./use-below.ts";
import { LoadoutContext, useLoadoutEditing } from "./use-loadout.ts";

interface LoadoutEditorProps {
  readonly path: string;
  readonly editing: Editing;
}

export function LoadoutEditor({ path, editing }: LoadoutEditorProps) {
  const below = useBelow(path);
  const loadout = useLoadoutEditing(editing, below);
  const [tab, setTab] = useState("chosen");
  const json = useMemo(
    () => (loadout?.isCurrent ? loadout.draft.json : undefined),
    [loadout?.draft, loadout?.isCurrent],
  );
  const name = loadout?.draft.names.length ? loadout.draft.name : undefined;
  const verdict = useCheck({ text: editing.text, json, name, below });
  if (loadout === undefined)
    return <PlainEditor path={path} kind="loadout" editing={editing} verdict={verdict} />;
  const { draft, isCurrent, place, reveal, refusal } = loadout;
  const goTo = (pointer: string) => {
    const steps = stepsOf(pointer);
    reveal(steps, chosenAt(draft, steps));
  };
  const broken = isCurrent ? undefined : brokenAt(editing.text);
  return (
    <LoadoutContext value={loadout}>
      <Frame
        path={path}
        name={draft.name}
        kind="loadout"
        editing={editing}
        canSimulate
        notices={
          <>
            {broken && (
              <Banner tone="ask">
                The JSON cannot be read: {broken} The canvas shows the last state that could be.
              </Banner>
            )}
            {refusal && <Banner tone="bad">{refusal}</Banner>}
          </>
        }
        palette={<Palette />}
        canvas={<LoadoutCanvas cycle={verdict?.ok ? (verdict.termination.cycle ?? undefined) : undefined} />}
        margin={<Margin verdict={verdict} onChoose={goTo} />}
        side={
          <Tabs
            label="What is chosen"
            value={tab}
            onChange={setTab}
            tabs={[
              { id: "chosen", label: "Properties", panel: <ChosenPanel /> },
              {
                id: "json",
                label: "JSON",
                panel: (
                  <JsonPane
                    text={editing.text}
                    verdict={verdict}
                    place={place}
                    onUndo={editing.undo}
                    onRedo={editing.redo}
                    onChange={(text) =>
                      editing.take({ text, label: "Typing", typing: { kind: "json", at: Date.now() } })
                    }
                  />
                ),
              },
            ]}
          />
        }
      />
    </LoadoutContext>
  );
}

/** What keeps a text from being read, and where. */
export function brokenAt(text: string): string {
  const read = readTree(text);
  if (read.ok) return "there is no loadout in it.";
  const line = text.slice(0, read.at).split("\n").length;
  return `line ${line}. ${read.message}`;
}

export function EmptyCanvas() {
  return (
    <Empty title="Nothing is here yet">
      Drag a materia from the palette to this place, or press the plus beside it. The first socket is where a
      run begins.
    </Empty>
  );
}
