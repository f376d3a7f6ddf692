/** The editor of an inbox graph: of a file, or of the graph of a run that is under way. */

import { Plus } from "lucide-react";
import { type ReactNode, useCallback, useMemo, useRef, useState } from "react";
import { Button } from "../../parts/button.tsx";
import { Banner, Empty } from "../../parts/notice.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { EditorCanvas } from "../canvas/editor-canvas.tsx";
import { useCheck } from "../check/use-check.ts";
import { JsonPane } from "../code/json-pane.tsx";
import { Frame } from "../frame/frame.tsx";
import { Margin } from "../frame/margin.tsx";
import { PlainEditor } from "../frame/plain-editor.tsx";
import { textAt } from "../loadout/draft.ts";
import { brokenAt } from "../loadout/loadout-editor.tsx";
import { stepsOf } from "../loadout/place.ts";
import { InboxPanel } from "../panels/inbox-panel.tsx";
import type { Editing } from "../session/session.ts";
import type { Path } from "../text/tree.ts";
import {
  addInboxEdge,
  addNode,
  type InboxDraft,
  inboxDraftOf,
  type NodeKind,
  nextNodeId,
  performInbox,
  removeInboxEdge,
  removeNode,
} from "./edits.ts";
import { inboxScene } from "./scene.ts";

export type InboxChosen =
  | { readonly kind: "node"; readonly id: string }
  | { readonly kind: "edge"; readonly index: number };

export type InboxEdit = (
  label: string,
  edit: (draft: InboxDraft) => Parameters<typeof performInbox>[1],
  typing?: string,
) => string | undefined;

const KINDS: readonly NodeKind[] = ["orchestrator", "task", "verifier"];
const NO_CYCLE: readonly string[] = [];

interface InboxEditorProps {
  readonly path: string;
  readonly editing: Editing;
  /** Stands in the place of saving, for the graph of a run. */
  readonly finish?: ReactNode;
  readonly name?: string;
}

export function InboxEditor({ path, editing, finish, name }: InboxEditorProps) {
  const { text } = editing;
  const fresh = useMemo(() => inboxDraftOf(text), [text]);
  const good = useRef<InboxDraft | undefined>(undefined);
  if (fresh !== undefined) good.current = fresh;
  const draft = good.current;
  const verdict = useCheck({ text, json: fresh?.json });
  if (draft === undefined)
    return <PlainEditor path={path} kind="inbox" editing={editing} verdict={verdict} />;
  return (
    <Drawn
      {...{ path, editing, draft, verdict, isCurrent: fresh !== undefined }}
      name={name ?? textAt(draft.json, "name") ?? path}
      {...(finish !== undefined && { finish })}
    />
  );
}

interface DrawnProps extends InboxEditorProps {
  readonly name: string;
  readonly draft: InboxDraft;
  readonly isCurrent: boolean;
  readonly verdict: ReturnType<typeof useCheck>;
}

function Drawn({ path, editing, draft, isCurrent, verdict, finish, name }: DrawnProps) {
  const { text, take } = editing;
  const [chosen, setChosen] = useState<InboxChosen | undefined>(undefined);
  const [place, setPlace] = useState<Path | undefined>(undefined);
  const [refusal, refuse] = useState<string | undefined>(undefined);
  const [tab, setTab] = useState("chosen");
  const scene = useMemo(() => inboxScene(draft), [draft]);
  const lit = useMemo(
    () => new Set(chosen === undefined ? [] : [chosen.kind === "node" ? chosen.id : String(chosen.index)]),
    [chosen],
  );
  const edit: InboxEdit = (label, change, typing) => {
    if (!isCurrent) return "The JSON cannot be read. Mend it first, or undo.";
    const done = performInbox(draft, change(draft));
    if (!done.ok) return done.why;
    refuse(undefined);
    take({
      text: done.text,
      label,
      ...(typing !== undefined && { typing: { kind: typing, at: Date.now() } }),
    });
    return undefined;
  };
  const choose = useCallback((next: InboxChosen | undefined) => {
    setChosen(next);
    if (next) setPlace(next.kind === "node" ? ["nodes", next.id] : ["edges", next.index]);
  }, []);
  const onChoose = useCallback(
    (id: string | undefined) => choose(id === undefined ? undefined : { kind: "node", id }),
    [choose],
  );
  const onChooseEdge = useCallback((id: string) => choose({ kind: "edge", index: Number(id) }), [choose]);
  const add = (kind: NodeKind) => {
    const id = nextNodeId(draft, kind);
    refuse(edit(`Add ${id}`, (at) => addNode(at, kind)));
    choose({ kind: "node", id });
  };
  const remove = () => {
    if (chosen === undefined) return;
    refuse(
      edit("Delete", (at) =>
        chosen.kind === "node" ? removeNode(at, chosen.id) : removeInboxEdge(at, chosen.index),
      ),
    );
    choose(undefined);
  };
  const goTo = (pointer: string) => {
    const steps = stepsOf(pointer);
    const [part, key] = steps;
    if (part === "nodes" && key !== undefined) choose({ kind: "node", id: String(key) });
    if (part === "edges" && key !== undefined) choose({ kind: "edge", index: Number(key) });
    setPlace(steps);
  };
  return (
    <Frame
      {...{ path, name, editing, kind: finish === undefined ? "inbox graph" : "graph of a run" }}
      {...(finish !== undefined && { finish })}
      notices={
        <>
          {!isCurrent && (
            <Banner tone="ask">
              The JSON cannot be read: {brokenAt(text)} The canvas shows the last state that could be.
            </Banner>
          )}
          {refusal && <Banner tone="bad">{refusal}</Banner>}
        </>
      }
      palette={
        <div style={{ display: "grid", gap: "var(--s2)", padding: "var(--s3)" }}>
          {KINDS.map((kind) => (
            <Button key={kind} icon={<Plus aria-hidden />} onClick={() => add(kind)}>
              Add {kind}
            </Button>
          ))}
        </div>
      }
      canvas={
        <EditorCanvas
          label="Canvas of the inbox graph"
          {...{ scene, chosen: lit, cycle: NO_CYCLE, onChoose, onChooseEdge, onChooseRegion: nothing }}
          empty={<Empty title="Nobody is here yet">Add an orchestrator and those who work for it.</Empty>}
          onConnect={(from, to) =>
            refuse(edit(`Edge from ${from} to ${to}`, (at) => addInboxEdge(at, from, to)))
          }
          onConnectRegion={nothing}
          onMove={undefined}
          onDrop={nothing}
          onDelete={remove}
        />
      }
      margin={<Margin verdict={verdict} onChoose={goTo} />}
      side={
        <Tabs
          label="What is chosen"
          value={tab}
          onChange={setTab}
          tabs={[
            {
              id: "chosen",
              label: "Properties",
              panel: (
                <InboxPanel draft={draft} chosen={chosen} edit={edit} choose={choose} onRemove={remove} />
              ),
            },
            {
              id: "json",
              label: "JSON",
              panel: (
                <JsonPane
                  {...{ text, verdict, place, onUndo: editing.undo, onRedo: editing.redo }}
                  onChange={(next) =>
                    take({ text: next, label: "Typing", typing: { kind: "json", at: Date.now() } })
                  }
                />
              ),
            },
          ]}
        />
      }
    />
  );
}

const nothing = () => undefined;
