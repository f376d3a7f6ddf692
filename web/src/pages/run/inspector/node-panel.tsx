/** What is known of a node: how it stands, and each of its visits. */

import { ChevronLeft, ChevronRight, CircleStop, CornerDownRight, MessageSquare } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { runAddress } from "../../../app/address.ts";
import { insideOf } from "../../../model/inside-tree.ts";
import { type Open, standsAs } from "../../../model/moment.ts";
import type { LiveTask } from "../../../model/run-log.ts";
import type { Visit } from "../../../model/visits.ts";
import { Button } from "../../../parts/button.tsx";
import { Empty, Problem } from "../../../parts/notice.tsx";
import { Status } from "../../../parts/status.tsx";
import { SendDialog } from "../send-dialog.tsx";
import { useVerb } from "../use-verb.ts";
import styles from "./node-panel.module.css";
import type { SideProps } from "./side.tsx";
import { VisitView } from "./visit-view.tsx";

export function NodePanel(props: SideProps) {
  const { moment, node, insides, document } = props;
  if (node === undefined) {
    return (
      <Empty title="Choose a node">
        A click in the graph or on a bar shows every visit of it: what it was asked, what it said, and why the
        run went on the way it did.
        {moment.isLive && document?.because && <p className={styles["because"]}>{document.because}.</p>}
      </Empty>
    );
  }
  const inside = insides.findLast(({ path }) => node.startsWith(`${path}/`));
  if (inside === undefined) return <Panel {...props} node={node} />;
  const { path, run, labels } = inside;
  const onChoose: SideProps["onChoose"] = (one, visit) => {
    props.onChoose(one === undefined ? undefined : `${path}/${one}`, visit);
  };
  const own = { run, moment: inside.moment, document: undefined, labels, onChoose };
  return <Panel {...props} {...own} node={node.slice(path.length + 1)} isInside />;
}

type PanelProps = SideProps & { readonly node: string; readonly isInside?: boolean };

function Panel(props: PanelProps) {
  const { run, log, moment, labels, node, visit: number, document, onChoose, isInside = false } = props;
  const visits = moment.visits.filter((visit) => visit.node === node);
  const index = number === undefined ? visits.length - 1 : visits.findIndex((one) => one.number === number);
  const visit = visits[index] ?? visits.at(-1);
  const look = moment.nodes.get(node);
  const live = visit && moment.isLive && !isInside ? log.live.get(visit.task) : undefined;
  const isUnseen = moment.isLive && log.driver === "elsewhere" && visit?.status === "running";
  return (
    <div className={styles["panel"]}>
      <header className={styles["head"]}>
        <h2>{labels.get(node) ?? node}</h2>
        {labels.has(node) && labels.get(node) !== node && <code className={styles["id"]}>{node}</code>}
        <Status status={look?.status ?? "idle"} />
        {!isInside && (
          <NodeActions
            run={run}
            node={node}
            document={document}
            moment={moment}
            isRunning={visit?.status === "running"}
          />
        )}
      </header>
      {isInside && (
        <Link href={runAddress(run, { node })} className={styles["inside"]}>
          <CornerDownRight aria-hidden /> its own page: {run}
        </Link>
      )}
      {visits.length > 1 && visit && (
        <Pager visits={visits} visit={visit} open={moment.open} onChoose={onChoose} />
      )}
      {visit && <Children run={run} task={visit.task} runs={document?.children ?? []} />}
      {live && <Live live={live} />}
      {isUnseen && (
        <p className={styles["because"]}>
          Another process drives this run. What the node says right now is told there; it appears here once it
          is recorded.
        </p>
      )}
      {visit ? (
        <VisitView key={visit.task} visit={visit} moment={moment} labels={labels} />
      ) : (
        <Empty title="Not visited yet">At this moment, the run has not come to {node}.</Empty>
      )}
    </div>
  );
}

type NodeActionsProps = Pick<SideProps, "run" | "document" | "moment"> & {
  readonly node: string;
  readonly isRunning: boolean;
};

function NodeActions({ run, node, document, moment, isRunning }: NodeActionsProps) {
  const [isWriting, setWriting] = useState(false);
  const command = useVerb(run);
  const isOpen = moment.isLive && document?.status === "running";
  return (
    <div className={styles["actions"]}>
      {isOpen && isRunning && (
        <Button
          size="s"
          icon={<CircleStop aria-hidden />}
          disabled={command.isPending}
          onClick={() => command.mutate({ verb: "interrupt", node })}
        >
          Interrupt
        </Button>
      )}
      {moment.dialect === "inbox" && moment.isLive && (
        <Button size="s" icon={<MessageSquare aria-hidden />} onClick={() => setWriting(true)}>
          Write to it
        </Button>
      )}
      {command.error && <Problem error={command.error} />}
      {isWriting && (
        <SendDialog
          run={run}
          nodes={[...moment.nodes.keys()]}
          node={node}
          onClose={() => setWriting(false)}
        />
      )}
    </div>
  );
}

interface PagerProps {
  readonly visits: readonly Visit[];
  readonly visit: Visit;
  readonly open: Open;
  readonly onChoose: SideProps["onChoose"];
}

function Pager({ visits, visit, open, onChoose }: PagerProps) {
  const go = (number: number) => onChoose(visit.node, number);
  const last = visits.length;
  return (
    <div className={styles["pager"]}>
      <Button
        size="s"
        label="Visit before"
        disabled={visit.number === 1}
        icon={<ChevronLeft aria-hidden />}
        onClick={() => go(visit.number - 1)}
      />
      <select
        aria-label="Visit"
        value={visit.number}
        onChange={(event) => go(Number(event.target.value))}
        className={styles["visits"]}
      >
        {visits.map((one) => (
          <option key={one.task} value={one.number}>
            Visit {one.number} of {last}
            {one.item === undefined ? "" : `, ${one.item}`}, {standsAs(one, open)}
          </option>
        ))}
      </select>
      <Button
        size="s"
        label="Visit after"
        disabled={visit.number === last}
        icon={<ChevronRight aria-hidden />}
        onClick={() => go(visit.number + 1)}
      />
    </div>
  );
}

interface ChildrenProps {
  readonly run: string;
  readonly task: string;
  readonly runs: readonly string[];
}

/** The runs that a visit started: a sub-graph, a loadout inside, the lanes of a loop. */
function Children({ run, task, runs }: ChildrenProps) {
  const own = insideOf(`${run}/${task}`, runs);
  if (own.length === 0) return null;
  return (
    <ul className={styles["children"]} aria-label="Runs inside">
      {own.map(({ id, key }) => (
        <li key={id}>
          <Link href={runAddress(id)}>
            <CornerDownRight aria-hidden /> {key === "" ? "what happened inside" : `the lane of ${key}`}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** What it does right now, which is gone when it is done. */
function Live({ live }: { readonly live: LiveTask }) {
  return (
    <section className={styles["live"]} aria-label="Live">
      <h3>
        Live <span className={styles["note"]}>not recorded</span>
      </h3>
      {live.tools.length > 0 && (
        <ul className={styles["tools"]}>
          {live.tools.map(({ title, status }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same call may come twice; the list only grows
            <li key={index}>
              <Status status={status} as="icon" /> {title}
            </li>
          ))}
        </ul>
      )}
      {live.text !== "" && <pre className={styles["said"]}>{live.text}</pre>}
    </section>
  );
}
