/** The page of a run: its graph, what happened, and everything about the node and the moment that are chosen. */

import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from "react";
import { useAddress } from "../../app/address.ts";
import { useTitle } from "../../app/questions.ts";
import { api } from "../../model/api.ts";
import type { Json } from "../../model/baton.ts";
import { modelOf, undrawn, withTaken } from "../../model/drawing/model-of.ts";
import { useInside } from "../../model/inside.ts";
import { looksWithin, trafficWithin } from "../../model/inside-looks.ts";
import { nodesWithLanes } from "../../model/inside-tree.ts";
import { type Moment, useMoment } from "../../model/moment.ts";
import { type LogView, RunLog } from "../../model/run-log.ts";
import { useStore } from "../../model/store.ts";
import { Empty } from "../../parts/notice.tsx";
import { RunBanners } from "./banners.tsx";
import { Dock } from "./dock/dock.tsx";
import { Drawing } from "./graph/drawing.tsx";
import { Side } from "./inspector/side.tsx";
import { RunHead } from "./run-head.tsx";
import styles from "./run-page.module.css";
import { Scrubber } from "./scrubber.tsx";
import { useSeq } from "./use-seq.ts";

/** Fetched beside the log, so that the graph is there soon after its drawing is known. */
const canvas = import("./graph/canvas.tsx");
canvas.catch(() => {}); // whoever draws is told
const Canvas = lazy(async () => ({ default: (await canvas).Canvas }));

export function RunPage({ run }: { readonly run: string }) {
  const log = useRunLog(run);
  const [seq, setSeq] = useSeq(log.length);
  const moment = useMoment(run, log, seq);
  useTitle(moment.name || run);
  if (log.status === "missing") {
    return <Empty title="There is no such run">{`Nothing is known of ${run} in this project.`}</Empty>;
  }
  return <Opened run={run} log={log} moment={moment} setSeq={setSeq} />;
}

interface OpenedProps {
  readonly run: string;
  readonly log: LogView;
  readonly moment: Moment;
  readonly setSeq: (seq: number | undefined) => void;
}

function Opened({ run, log, moment, setSeq }: OpenedProps) {
  const [search, change] = useAddress();
  const { data: document } = useQuery({ queryKey: ["run", run], queryFn: () => api.run(run) });
  const node = search.get("node") ?? undefined;
  const visit = Number(search.get("visit")) || undefined;
  const choose = useCallback(
    (node: string | undefined, visit?: number) => change({ node, visit: visit?.toString() }, "a step"),
    [change],
  );
  const model = useDrawing(moment, document?.definition);
  const labels = useMemo(() => new Map(model.nodes.map(({ id, label }) => [id, label])), [model]);
  const runs = document?.children ?? NONE;
  const [unfolded, onUnfold] = useUnfolded(useLanes(run, moment, runs));
  const insides = useInside(log, { moment, unfolded, runs });
  const looks = useMemo(() => looksWithin(moment, insides), [moment, insides]);
  const traffic = useMemo(() => trafficWithin(moment, insides), [moment, insides]);
  return (
    <div className={styles["page"]}>
      <RunHead run={run} document={document} moment={moment} node={node} />
      <RunBanners {...{ run, document, moment, log, labels }} onLive={() => setSeq(undefined)} />
      <div className={styles["work"]}>
        <section className={styles["graph"]} aria-label="Graph">
          {model.nodes.length > 0 ? (
            <Suspense fallback={<Drawing />}>
              <Canvas
                model={model}
                looks={looks}
                traffic={traffic}
                chosen={node}
                unfolded={unfolded}
                onChoose={choose}
                onUnfold={onUnfold}
              />
            </Suspense>
          ) : (
            log.status === "live" && (
              <Empty title="This run has no drawing">Its events tell what happened.</Empty>
            )
          )}
        </section>
        <section className={styles["dock"]} aria-label="What happened">
          <Dock
            log={log}
            moment={moment}
            labels={labels}
            node={node}
            visit={visit}
            insides={insides}
            unfolded={unfolded}
            runs={runs}
            onUnfold={onUnfold}
            onChoose={choose}
            onSeq={setSeq}
          />
        </section>
        <aside className={styles["side"]} aria-label="Inspector">
          <Side
            run={run}
            log={log}
            moment={moment}
            labels={labels}
            node={node}
            visit={visit}
            document={document}
            insides={insides}
            onChoose={choose}
          />
        </aside>
      </div>
      <Scrubber log={log} moment={moment} onSeq={setSeq} />
    </div>
  );
}

const NONE: readonly string[] = [];

/** The nodes with lanes inside. */
function useLanes(run: string, moment: Moment, runs: readonly string[]): ReadonlySet<string> {
  const key = nodesWithLanes(run, moment, runs).join("\n");
  return useMemo(() => new Set(key === "" ? [] : key.split("\n")), [key]);
}

/**
 * The nodes whose inside is shown: those that were unfolded, and those with lanes that were not folded, since the graph
 * has no other place for what lanes do. One that is folded is folded with all inside of it.
 */
function useUnfolded(lanes: ReadonlySet<string>): readonly [ReadonlySet<string>, (id: string) => void] {
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback((id: string) => {
    setTurned((before) => {
      if (!before.has(id)) return new Set([...before, id]);
      return new Set([...before].filter((one) => one !== id && !one.startsWith(`${id}/`)));
    });
  }, []);
  const unfolded = useMemo(() => {
    const all = new Set([...turned].filter((id) => !lanes.has(id)));
    for (const id of lanes) if (!turned.has(id)) all.add(id);
    return all;
  }, [turned, lanes]);
  return [unfolded, toggle];
}

function useRunLog(run: string): LogView {
  const [log] = useState(() => new RunLog(run));
  useEffect(() => {
    log.open();
    return () => log.close();
  }, [log]);
  return useStore(log.view);
}

/** The drawing of the moment: the plan's own, which only an amendment changes. */
function useDrawing({ dialect, state, seq, traffic }: Moment, definition: Json | undefined) {
  const drawing: Json | undefined = seq === 0 ? undefined : state.plan.drawing;
  // Only a loadout is drawn with its definition, which never changes.
  const text = dialect === "loadout" && definition !== undefined ? JSON.stringify(definition) : "null";
  const drawn = useMemo(
    () => modelOf(dialect, drawing, JSON.parse(text) as Json), // the line above
    [dialect, drawing, text],
  );
  const taken = JSON.stringify(dialect === "graph" ? undrawn(drawn, traffic) : []);
  return useMemo(() => withTaken(drawn, JSON.parse(taken) as readonly string[]), [drawn, taken]); // the line above
}
