/** The JSON beside the canvas: what is typed goes to the session, and what the canvas does is taken over as it is. */

import { defaultKeymap, indentWithTab } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, defaultHighlightStyle, foldGutter, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { Annotation, EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { pageNonce } from "../../app/nonce.ts";
import type { Verdict } from "../check/use-check.ts";
import { type Path, readTree, type Span, stepsOf, treeAt } from "../text/tree.ts";
import styles from "./json-pane.module.css";

interface JsonPaneProps {
  readonly text: string;
  readonly verdict: Verdict | undefined;
  /** What is shown and marked; a new list is a new wish. */
  readonly place: Path | undefined;
  readonly onChange: (text: string) => void;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
}

/** Marks what came from outside, which is not told back. */
const fromOutside = Annotation.define<boolean>();

export function JsonPane(props: JsonPaneProps) {
  const { text, verdict, place } = props;
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | undefined>(undefined);
  const live = useRef(props);
  live.current = props;
  useEffect(() => {
    if (parent.current === null) return;
    const made = new EditorView({ parent: parent.current, state: stateOf(live) });
    made.scrollDOM.tabIndex = 0; // what scrolls has to be reached by keys
    view.current = made;
    return () => made.destroy();
  }, []);
  useEffect(() => {
    if (view.current) takeOver(view.current, text);
  }, [text]);
  useEffect(() => {
    const at = view.current;
    if (at) at.dispatch(setDiagnostics(at.state, diagnosticsOf(at.state.doc.toString(), text, verdict)));
  }, [verdict, text]);
  useEffect(() => {
    if (view.current && place) show(view.current, place);
  }, [place]);
  return <div ref={parent} className={styles["pane"]} />;
}

function stateOf(live: { readonly current: JsonPaneProps }): EditorState {
  const act = (name: "onUndo" | "onRedo") => () => {
    live.current[name]();
    return true;
  };
  return EditorState.create({
    doc: live.current.text,
    extensions: [
      ...[
        lineNumbers(),
        foldGutter(),
        drawSelection(),
        highlightActiveLine(),
        bracketMatching(),
        lintGutter(),
      ],
      ...[json(), syntaxHighlighting(defaultHighlightStyle, { fallback: true }), EditorView.lineWrapping],
      keymap.of([
        { key: "Mod-z", run: act("onUndo") },
        { key: "Mod-y", run: act("onRedo") },
        { key: "Mod-Shift-z", run: act("onRedo") },
        ...[...defaultKeymap, indentWithTab],
      ]),
      EditorView.cspNonce.of(pageNonce()),
      EditorView.contentAttributes.of({ "aria-label": "JSON of the definition" }),
      EditorView.updateListener.of((update) => {
        const isOurs = update.transactions.some((one) => one.annotation(fromOutside));
        if (update.docChanged && !isOurs) live.current.onChange(update.state.sliceDoc());
      }),
      // What the author's line ends are is kept.
      EditorState.lineSeparator.of(live.current.text.includes("\r\n") ? "\r\n" : "\n"),
    ],
  });
}

/** Changes only what differs, so that the cursor and the scroll position stay. */
function takeOver(view: EditorView, text: string): void {
  const before = view.state.sliceDoc();
  if (before === text) return;
  const breaks = view.state.lineBreak;
  const [old, fresh] =
    breaks === "\n" ? [before, text] : [before, text].map((one) => one.replaceAll(breaks, "\n"));
  if (old === undefined || fresh === undefined) return;
  let from = 0;
  while (from < old.length && old[from] === fresh[from]) from++;
  let end = 0;
  while (end < Math.min(old.length, fresh.length) - from && old.at(-1 - end) === fresh.at(-1 - end)) end++;
  const insert = view.state.toText(fresh.slice(from, fresh.length - end).replaceAll("\n", breaks));
  view.dispatch({ changes: { from, to: old.length - end, insert }, annotations: fromOutside.of(true) });
}

function show(view: EditorView, path: Path): void {
  const span = spanOf(view.state.doc.toString(), path);
  if (span === undefined) return;
  view.dispatch({
    selection: { anchor: span.from, head: span.to },
    effects: EditorView.scrollIntoView(span.from, { y: "center" }),
  });
}

/** The value at a path, or the nearest one around it. */
function spanOf(text: string, path: Path): Span | undefined {
  const read = readTree(text);
  if (!read.ok) return undefined;
  for (let length = path.length; length >= 0; length--) {
    const tree = treeAt(read.tree, path.slice(0, length));
    if (tree !== undefined) return tree;
  }
  return undefined;
}

/** Nothing is marked in a text that is not the one that was read. */
function diagnosticsOf(shown: string, text: string, verdict: Verdict | undefined): Diagnostic[] {
  if (shown !== text.replaceAll("\r\n", "\n")) return [];
  const read = readTree(shown);
  if (!read.ok) {
    const from = Math.min(read.at, shown.length);
    return [{ from, to: Math.min(from + 1, shown.length), severity: "error", message: read.message }];
  }
  const mark = (severity: "error" | "warning") => (issue: Verdict["errors"][number]) => {
    const span = spanOf(shown, stepsOf(issue.pointer)) ?? read.tree;
    const to = Math.min(span.to, span.from + 200);
    return { from: span.from, to, severity, message: `${issue.message} ${issue.hint}` };
  };
  const all = [
    ...(verdict?.errors ?? []).map(mark("error")),
    ...(verdict?.warnings ?? []).map(mark("warning")),
  ];
  return all.toSorted((a, b) => a.from - b.from);
}
