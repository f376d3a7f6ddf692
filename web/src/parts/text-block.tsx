/** A text that somebody wrote, shown as what it is: JSON as a tree, a diff by lines, the rest as Markdown or as it stands. */

import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useMemo, useState } from "react";
import { api } from "../model/api.ts";
import type { Json } from "../model/baton.ts";
import { Button } from "./button.tsx";
import { cx } from "./cx.ts";
import { looksLikePatch, PatchView } from "./diff-view.tsx";
import { JsonView } from "./json-view.tsx";
import { Problem } from "./notice.tsx";
import styles from "./text-block.module.css";

const Markdown = lazy(async () => ({ default: (await import("./markdown.tsx")).Markdown }));

/** Longer texts are shown as they stand: reading them as Markdown would hold the page up. */
const MARKDOWN_MOST = 60_000;
const SHOWN = 20_000;

/** A stored text, loaded when it is shown. What a reference stands for never changes. */
export function StoredText({ text }: { readonly text: string }) {
  const { data, error } = useQuery({
    queryKey: ["text", text],
    queryFn: () => api.text(text),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error) return <Problem error={error} />;
  if (data === undefined) return <p className={styles["loading"]}>Loading…</p>;
  return <TextBlock text={data} />;
}

export function TextBlock({ text }: { readonly text: string }) {
  const [isRaw, setRaw] = useState(false);
  const [isWhole, setWhole] = useState(false);
  const json = useMemo(() => parsed(text), [text]);
  const isPatch = looksLikePatch(text);
  const isPlain = isRaw || (json === undefined && !isPatch && text.length > MARKDOWN_MOST);
  const shown = isWhole ? text : text.slice(0, SHOWN);
  return (
    <div className={cx(styles["block"], isPatch && !isPlain && styles["bare"])}>
      <div className={styles["tools"]}>
        <button type="button" title={`${text.length} characters`} onClick={() => setRaw(!isRaw)}>
          {isRaw ? "formatted" : "as it stands"}
        </button>
      </div>
      {isPlain ? (
        <>
          <pre className={styles["raw"]}>{shown}</pre>
          {shown.length < text.length && (
            <Button size="s" onClick={() => setWhole(true)}>
              Show all {text.length} characters
            </Button>
          )}
        </>
      ) : isPatch ? (
        <PatchView text={text} />
      ) : json !== undefined ? (
        <JsonView value={json} open={2} />
      ) : (
        <Suspense fallback={<pre className={styles["raw"]}>{shown}</pre>}>
          <Markdown text={text} />
        </Suspense>
      )}
    </div>
  );
}

function parsed(text: string): Json | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as Json; // what JSON.parse gives is JSON
  } catch {
    return undefined;
  }
}
