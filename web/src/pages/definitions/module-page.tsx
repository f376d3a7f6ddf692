/** A module is code: its text is shown, and its graph, which its code draws where that may run, or else its last run. */

import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useCallback, useMemo, useState } from "react";
import { Link } from "wouter";
import { runAddress } from "../../app/address.ts";
import { api } from "../../model/api.ts";
import { type DefinitionDocument, StudioError } from "../../model/baton.ts";
import { modelOf } from "../../model/drawing/model-of.ts";
import type { NodeLook } from "../../model/moment.ts";
import { Button } from "../../parts/button.tsx";
import { Banner, Marked, Problem } from "../../parts/notice.tsx";
import { Drawing } from "../run/graph/drawing.tsx";
import styles from "./module-page.module.css";

const Canvas = lazy(async () => ({ default: (await import("../run/graph/canvas.tsx")).Canvas }));

const NO_LOOKS: ReadonlyMap<string, NodeLook> = new Map();
const NO_TRAFFIC: ReadonlyMap<string, number> = new Map();
const nothing = () => undefined;

export function ModulePage({ document }: { readonly document: DefinitionDocument }) {
  const { path, text, digest } = document;
  const drawn = useQuery({
    queryKey: ["drawing", path, digest],
    queryFn: () => api.drawing(path),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const run = useLastRun(text, drawn.isError);
  const drawing = drawn.data?.drawing ?? run.data?.drawing;
  const model = useMemo(() => modelOf("graph", drawing), [drawing]);
  const [unfolded, onUnfold] = useUnfolded();
  const isDrawing = drawn.isPending || run.isLoading;
  const hasGraph = model.nodes.length > 0;
  return (
    <div className={styles["page"]}>
      <header className={styles["head"]}>
        <h1 title={path}>{path}</h1>
        <p>
          <Link href="/definitions">Definitions</Link> · state graph, read-only: it is code
          {!drawn.data && run.data && (
            <>
              , drawn as in <Link href={runAddress(run.data.run)}>{run.data.run}</Link>
            </>
          )}
        </p>
      </header>
      {drawn.error && <Undrawn error={drawn.error} onRetry={() => void drawn.refetch()} />}
      <div className={styles["work"]} data-drawn={isDrawing || hasGraph}>
        {(isDrawing || hasGraph) && (
          <section className={styles["canvas"]} aria-label="Canvas">
            {isDrawing ? (
              <Drawing />
            ) : (
              <Suspense fallback={<Drawing />}>
                <Canvas
                  {...{ model, unfolded, onUnfold, chosen: undefined }}
                  looks={NO_LOOKS}
                  traffic={NO_TRAFFIC}
                  onChoose={nothing}
                />
              </Suspense>
            )}
          </section>
        )}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys */}
        <section className={styles["code"]} aria-label="Code" tabIndex={0}>
          <pre>{text}</pre>
        </section>
      </div>
    </div>
  );
}

interface UndrawnProps {
  readonly error: Error;
  readonly onRetry: () => void;
}

/** Why the code did not draw itself, and what to do. */
function Undrawn({ error, onRetry }: UndrawnProps) {
  if (!(error instanceof StudioError)) return <Problem error={error} />;
  const { code, hint } = error.error;
  const isAsking = code === "not_trusted";
  return (
    <div className={styles["banner"]}>
      <Banner
        tone={isAsking ? "ask" : "bad"}
        action={
          <Button size="s" onClick={onRetry}>
            {isAsking ? "I have allowed it" : "Try again"}
          </Button>
        }
      >
        <p>{error.message}</p>
        {hint !== undefined && (
          <p className={styles["hint"]}>
            <Marked text={hint} />
          </p>
        )}
      </Banner>
    </div>
  );
}

function useUnfolded(): readonly [ReadonlySet<string>, (id: string) => void] {
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback((id: string) => {
    setUnfolded((before) => {
      const without = [...before].filter((one) => one !== id && !one.startsWith(`${id}/`));
      return new Set(before.has(id) ? without : [...before, id]);
    });
  }, []);
  return [unfolded, toggle];
}

const RUNS = 50;

/** The newest run of a state graph whose name stands in the text of the module. */
function useLastRun(text: string, isWanted: boolean) {
  return useQuery({
    queryKey: ["runs", "of module", text],
    staleTime: 10_000,
    enabled: isWanted,
    queryFn: async () => {
      const { runs } = await api.runs({ dialect: "graph", limit: RUNS });
      const found = runs.find(({ program, parent }) => parent === null && text.includes(program.name));
      return found ? api.run(found.run) : null;
    },
  });
}
