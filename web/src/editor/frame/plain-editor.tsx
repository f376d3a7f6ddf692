/** The editor of a text that cannot be drawn: its JSON alone, to be mended or written. */

import { Empty } from "../../parts/notice.tsx";
import type { Verdict } from "../check/use-check.ts";
import { JsonPane } from "../code/json-pane.tsx";
import type { Editing } from "../session/session.ts";
import { Frame } from "./frame.tsx";

interface PlainEditorProps {
  readonly path: string;
  readonly kind: string;
  readonly editing: Editing;
  readonly verdict?: Verdict | undefined;
}

export function PlainEditor({ path, kind, editing, verdict }: PlainEditorProps) {
  return (
    <Frame
      path={path}
      name={path.split("/").at(-1) ?? path}
      kind={kind}
      editing={editing}
      canvas={
        <Empty title="Nothing to draw">
          {kind === "materia"
            ? "This file brings materia along; the loadouts that use them are drawn."
            : "The text beside this holds no graph that could be drawn. Mend it there."}
        </Empty>
      }
      side={
        <JsonPane
          text={editing.text}
          verdict={verdict}
          place={undefined}
          onUndo={editing.undo}
          onRedo={editing.redo}
          onChange={(text) =>
            editing.take({ text, label: "Typing", typing: { kind: "json", at: Date.now() } })
          }
        />
      }
    />
  );
}
