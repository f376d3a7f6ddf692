/** The editor of an inbox graph: of a file, or of the graph of a run that is under way. */

import { useCheck } from "../check/use-check.ts";
import { DefinitionFrame, type Drawing } from "../frame/definition-frame.tsx";
import type { Finish } from "../frame/frame.tsx";
import { InboxPanel } from "../panels/inbox-panel.tsx";
import type { Editing } from "../session/session.ts";
import { textAt } from "../text/held.ts";
import { stepsOf } from "../text/tree.ts";
import { InboxCanvas } from "./inbox-canvas.tsx";
import { InboxPalette } from "./inbox-palette.tsx";
import { InboxContext, useInboxEditing } from "./use-inbox.ts";

interface InboxEditorProps {
  readonly path: string;
  readonly editing: Editing;
  /** Stands in the place of saving, for the graph of a run. */
  readonly finish?: Finish;
  readonly name?: string;
}

export function InboxEditor({ path, editing, finish, name }: InboxEditorProps) {
  const inbox = useInboxEditing(path, editing);
  const json = inbox?.isCurrent ? inbox.draft.json : undefined;
  const verdict = useCheck({ text: editing.text, json });
  const drawing: Drawing | undefined = inbox && {
    palette: <InboxPalette />,
    canvas: <InboxCanvas cycle={verdict?.termination.cycle ?? undefined} />,
    panel: <InboxPanel />,
    isCurrent: inbox.isCurrent,
    refusal: inbox.refusal,
    onGoTo: (pointer) => inbox.reveal(stepsOf(pointer)),
  };
  return (
    <InboxContext value={inbox}>
      <DefinitionFrame
        {...{ path, editing, verdict, drawing, finish, place: inbox?.place }}
        name={name ?? textAt(inbox?.draft.json, "name") ?? path}
        kind={finish === undefined ? "inbox graph" : "graph of a run"}
        blank="The text beside this holds no inbox graph that could be drawn. Mend it there."
      />
    </InboxContext>
  );
}
