/** The editor of a loadout: palette, canvas, forms, JSON and margin over one text. */

import { useCheck } from "../check/use-check.ts";
import { DefinitionFrame, type Drawing } from "../frame/definition-frame.tsx";
import { ChosenPanel } from "../panels/chosen-panel.tsx";
import { Palette } from "../panels/palette.tsx";
import type { Editing } from "../session/session.ts";
import { stepsOf } from "../text/tree.ts";
import { LoadoutCanvas } from "./loadout-canvas.tsx";
import { chosenAt } from "./place.ts";
import { useBelow } from "./use-below.ts";
import { LoadoutContext, useLoadoutEditing } from "./use-loadout.ts";

interface LoadoutEditorProps {
  readonly path: string;
  readonly editing: Editing;
}

export function LoadoutEditor({ path, editing }: LoadoutEditorProps) {
  const below = useBelow(path);
  const loadout = useLoadoutEditing(editing, below);
  const draft = loadout?.draft;
  const json = loadout?.isCurrent ? draft?.json : undefined;
  const name = draft?.names.length ? draft.name : undefined;
  const verdict = useCheck({ text: editing.text, json, name, below });
  const drawing: Drawing | undefined = loadout && {
    palette: <Palette />,
    canvas: <LoadoutCanvas cycle={verdict?.termination.cycle ?? undefined} />,
    panel: <ChosenPanel />,
    isCurrent: loadout.isCurrent,
    refusal: loadout.refusal,
    onGoTo: (pointer) => {
      const steps = stepsOf(pointer);
      loadout.reveal(steps, chosenAt(loadout.draft, steps));
    },
  };
  return (
    <LoadoutContext value={loadout}>
      <DefinitionFrame
        {...{ path, editing, verdict, drawing, place: loadout?.place }}
        name={draft?.name ?? path}
        kind="loadout"
        blank="The text beside this holds no loadout that could be drawn. Mend it there."
        canSimulate
      />
    </LoadoutContext>
  );
}
