/** A module is code: its text is shown, and its graph as the last run of it was started with it. */

import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useCallback, useMemo, useState } from "react";
import { Link } from "wouter";
import { runAddress } from "../../app/address.ts";
import { api } from "../../model/api.ts";
import type { DefinitionDocument } from "../../model/baton.ts";
import { modelOf } from "../../model/drawing/model-of.ts";
import type { NodeLook } from "../../model/moment.ts";
import { Empty } from "../../parts/notice.tsx";
import styles from "./module-page.module.css";

const Canvas = lazy(async () => ({ default: (await import("../run/graph/canvas.tsx")).Canvas }));

const NO_LOOKS: ReadonlyMap<string, NodeLook> = new Map();
const NO_TRAFFIC: ReadonlyMap<string, number> = new Map();
const nothing = () => undefined;

export function ModulePage({ document }: { readonly document: DefinitionDocument }) {
  const { path, text } = document;
  const run = useLastRun(text);
  const model = useMemo(() => modelOf("stategraph", run?.drawing), [run]);
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const onUnfold = useCallback((id: string) => {
    setUnfolded((before) => {
      const without = [...before].filter((one) => one !== id && !one.startsWith(`${id}/`));
      return new Set(before.has(id) ? without : [...before, id]);
    });
  }, []);
  return (
    <div className={styles["page"]}>
      <header className={styles["head"]}>
        <h1 title={path}>{path}</h1>
        <p>
          <Link href="/definitions">Definitions</Link> · state graph, read-only: it is code
          {run && (
            <>
              , drawn as in <Link href={runAddress(run.run)}>{run.run}</Link>
            </>
          )}
        </p>
      </header>
      <div className={styles["work"]}>
        <section className={styles["canvas"]} aria-label="Canvas">
          {model.nodes.length > 0 ? (
            <Suspense>
              <Canvas
                {...{ model, unfolded, onUnfold, chosen: undefined }}
                looks={NO_LOOKS}
                traffic={NO_TRAFFIC}
                onChoose={nothing}
              />
            </Suspense>
          ) : (
            <Empty title="Not drawn yet">
              Looking at a module runs none of it, so its graph is known from its runs. Start one and come
              back.
            </Empty>
          )}
        </section>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys */}
        <section className={styles["code"]} aria-label="Code" tabIndex={0}>
          <pre>{text}</pre>
        </section>
      </div>
    </div>
  );
}

const RUNS = 50;

/** The newest run of a state graph whose name stands in the text of the module. */
function useLastRun(text: string) {
  return useQuery({
    queryKey: ["runs", "of module", text],
    staleTime: 10_000,
    queryFn: async () => {
      const { runs } = await api.runs({ limit: RUNS });
      const found = runs.find(
        ({ program, parent }) =>
          parent === null && !DECLARED.has(program.dialect) && text.includes(program.name),
      );
      return found ? api.run(found.run) : null;
    },
  }).data;
}

/** Dialects whose definitions are files, not code. */
const DECLARED: ReadonlySet<string> = new Set(["loadout", "inbox"]);
