/** What stands around every editor: its file, undo and redo, what can be done with it, and its four parts. */

import { FlaskConical, Play, Redo2, Save, Undo2 } from "lucide-react";
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { Link } from "wouter";
import { Button } from "../../parts/button.tsx";
import { Banner, Problem } from "../../parts/notice.tsx";
import type { Editing } from "../session/session.ts";
import styles from "./frame.module.css";
import { SaveDialogs, SaveNotices, useSaving } from "./saving.tsx";
import { SimulateDialog } from "./simulate-dialog.tsx";

const StartDialog = lazy(async () => ({
  default: (await import("../../pages/start/start-dialog.tsx")).StartDialog,
}));

/** What stands in the place of saving. */
export interface Finish {
  readonly actions: ReactNode;
  readonly problem?: Error | null;
  /** Something to know before it is done. */
  readonly note?: string | undefined;
}

export interface FrameProps {
  /** The path of the file, or what it will be saved as first. */
  readonly path: string;
  readonly name: string;
  readonly kind: string;
  readonly editing: Editing;
  readonly canSimulate?: boolean;
  /** Stands in the place of saving. */
  readonly finish?: Finish | undefined;
  readonly notices?: ReactNode;
  readonly palette?: ReactNode;
  readonly canvas: ReactNode;
  readonly margin?: ReactNode;
  readonly side: ReactNode;
}

export function Frame(props: FrameProps) {
  const { path, name, kind, editing, canSimulate, finish, notices, palette, canvas, margin, side } = props;
  const { past, future } = editing.session.history;
  const [asking, setAsking] = useState<"simulate" | "start" | undefined>(undefined);
  const saving = useSaving(path, editing);
  useKeys(editing, saving.save);
  return (
    <div className={styles["frame"]}>
      <header className={styles["head"]}>
        <div className={styles["what"]}>
          <h1 title={name}>{name}</h1>
          <p className={styles["path"]} title={path}>
            <Link href="/definitions">Definitions</Link> / {path || "a new file"} · {kind}
            {editing.isDirty && <b> · not saved</b>}
          </p>
        </div>
        <div className={styles["actions"]}>
          <Button
            look="quiet"
            label={past.length > 0 ? `Undo: ${editing.session.history.now.label}` : "Undo"}
            icon={<Undo2 aria-hidden />}
            disabled={past.length === 0}
            onClick={editing.undo}
          />
          <Button
            look="quiet"
            label={future[0] ? `Redo: ${future[0].label}` : "Redo"}
            icon={<Redo2 aria-hidden />}
            disabled={future.length === 0}
            onClick={editing.redo}
          />
          {canSimulate && (
            <Button icon={<FlaskConical aria-hidden />} onClick={() => setAsking("simulate")}>
              Simulate
            </Button>
          )}
          {finish?.actions ?? (
            <>
              <Button
                icon={<Play aria-hidden />}
                disabled={editing.isDirty}
                title={editing.isDirty ? "Save first: a run takes what is in the file" : undefined}
                onClick={() => setAsking("start")}
              >
                Start
              </Button>
              <Button
                look="primary"
                icon={<Save aria-hidden />}
                disabled={!editing.isDirty || saving.isPending}
                onClick={saving.save}
              >
                Save
              </Button>
            </>
          )}
        </div>
      </header>
      <div className={styles["notices"]}>
        {finish === undefined && <SaveNotices saving={saving} editing={editing} />}
        {finish?.problem && <Problem error={finish.problem} />}
        {finish?.note && <Banner tone="ask">{finish.note}</Banner>}
        {notices}
      </div>
      <div className={styles["work"]} data-palette={palette !== undefined}>
        {palette && (
          <nav className={styles["palette"]} aria-label="Palette">
            {palette}
          </nav>
        )}
        <section className={styles["canvas"]} aria-label="Canvas">
          {canvas}
        </section>
        <aside className={styles["side"]} aria-label="What is chosen">
          {side}
        </aside>
        {margin && (
          <section className={styles["margin"]} aria-label="Check">
            {margin}
          </section>
        )}
      </div>
      {finish === undefined && <SaveDialogs saving={saving} editing={editing} path={path} />}
      {asking === "simulate" && <SimulateDialog text={editing.text} onClose={() => setAsking(undefined)} />}
      {asking === "start" && (
        <Suspense>
          <StartDialog definition={path} onClose={() => setAsking(undefined)} />
        </Suspense>
      )}
    </div>
  );
}

/** Undo, redo and save by keys, save where a field has its own undo. */
function useKeys({ undo, redo }: Editing, save: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      const key = event.key.toLowerCase();
      const isTyping =
        event.target instanceof HTMLElement && event.target.closest("input, textarea, .cm-editor");
      if (key === "s") save();
      else if (isTyping) return;
      else if (key === "z" && !event.shiftKey) undo();
      else if (key === "y" || (key === "z" && event.shiftKey)) redo();
      else return;
      event.preventDefault();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [undo, redo, save]);
}
