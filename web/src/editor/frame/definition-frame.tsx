/**
 * The frame of a definition that is a text: drawn with its forms, its JSON beside it; or that JSON alone, as long as
 * nothing of it can be drawn.
 *
 * 1. The JSON stays where it is when a text begins or ceases to be one that can be drawn, so nobody is interrupted who
 *    types.
 */

import { type ReactNode, useState } from "react";
import { Banner, Empty } from "../../parts/notice.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import type { Verdict } from "../check/use-check.ts";
import { JsonPane } from "../code/json-pane.tsx";
import type { Editing } from "../session/session.ts";
import { type Path, readTree } from "../text/tree.ts";
import styles from "./frame.module.css";
import { type Finish, Frame } from "./frame.tsx";
import { Margin } from "./margin.tsx";

export interface Drawing {
  readonly palette: ReactNode;
  readonly canvas: ReactNode;
  /** The form of what is chosen. */
  readonly panel: ReactNode;
  /** Whether the text is what is drawn. */
  readonly isCurrent: boolean;
  readonly refusal: string | undefined;
  /** Shows what an issue is about. */
  readonly onGoTo: (pointer: string) => void;
}

interface DefinitionFrameProps {
  readonly path: string;
  readonly name: string;
  readonly kind: string;
  readonly editing: Editing;
  readonly verdict?: Verdict | undefined;
  /** Where the JSON is to show something. */
  readonly place?: Path | undefined;
  readonly drawing?: Drawing | undefined;
  /** What is said where nothing is drawn. */
  readonly blank: string;
  readonly canSimulate?: boolean;
  /** Stands in the place of saving. */
  readonly finish?: Finish | undefined;
}

export function DefinitionFrame(props: DefinitionFrameProps) {
  const { path, name, kind, editing, verdict, place, drawing, blank, canSimulate, finish } = props;
  const { text, take } = editing;
  const [tab, setTab] = useState(drawing ? "chosen" : "json");
  const json = (
    <JsonPane
      {...{ text, verdict, place, onUndo: editing.undo, onRedo: editing.redo }}
      onChange={(next) => take({ text: next, label: "Typing", typing: { kind: "json", at: Date.now() } })}
    />
  );
  return (
    <Frame
      {...{ path, name, kind, editing, finish, palette: drawing?.palette }}
      canSimulate={canSimulate === true && drawing !== undefined}
      notices={<Notices drawing={drawing} text={text} />}
      canvas={drawing ? drawing.canvas : <Blank>{blank}</Blank>}
      margin={drawing && <Margin verdict={verdict} onChoose={drawing.onGoTo} />}
      side={
        <Tabs
          label="What is chosen"
          value={tab}
          onChange={setTab}
          tabs={[
            ...(drawing ? [{ id: "chosen", label: "Properties", panel: drawing.panel }] : []),
            { id: "json", label: "JSON", panel: json },
          ]}
        />
      }
    />
  );
}

function Blank({ children }: { readonly children: string }) {
  return (
    <div className={styles["blank"]}>
      <Empty title="Nothing to draw">{children}</Empty>
    </div>
  );
}

interface NoticesProps {
  readonly drawing: Drawing | undefined;
  readonly text: string;
}

function Notices({ drawing, text }: NoticesProps) {
  const fault = drawing?.isCurrent ? undefined : faultOf(text, drawing !== undefined);
  return (
    <>
      {fault !== undefined && (
        <Banner tone="ask">
          The JSON cannot be read: {fault}
          {drawing && " The canvas and the check show the last state that could be."}
        </Banner>
      )}
      {drawing?.refusal && <Banner tone="bad">{drawing.refusal}</Banner>}
    </>
  );
}

/** What keeps a text from being drawn, and where. */
function faultOf(text: string, wasDrawn: boolean): string | undefined {
  const read = readTree(text);
  if (read.ok) return wasDrawn ? "there is nothing in it that could be drawn." : undefined;
  const line = text.slice(0, read.at).split("\n").length;
  return `line ${line}. ${read.message}`;
}
