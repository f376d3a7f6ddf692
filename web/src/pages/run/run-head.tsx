/** The head of a run: what it is, how it stands, what it used up of what it may, and what can be done with it. */

import { CornerUpLeft, GitFork } from "lucide-react";
import { Link } from "wouter";
import { runAddress } from "../../app/address.ts";
import { useNow } from "../../app/now.ts";
import type { RunDocument } from "../../model/baton.ts";
import { dollars, duration, tokens } from "../../model/format.ts";
import type { Moment } from "../../model/moment.ts";
import { standingOf } from "../../model/standing.ts";
import { Status } from "../../parts/status.tsx";
import { Actions } from "./actions.tsx";
import { Meter } from "./meter.tsx";
import styles from "./run-head.module.css";

interface RunHeadProps {
  readonly run: string;
  readonly document: RunDocument | undefined;
  readonly moment: Moment;
  readonly node: string | undefined;
}

export function RunHead({ run, document, moment, node }: RunHeadProps) {
  const { status, reason } = standing(document, moment);
  return (
    <header className={styles["head"]}>
      <div className={styles["what"]}>
        <div className={styles["title"]}>
          <h1 title={moment.name}>{moment.name || run}</h1>
          <Status status={status} reason={reason} />
        </div>
        <p className={styles["task"]}>
          <code>{run}</code>
          <Relatives document={document} />
          {document?.task && (
            <span className={styles["asked"]} title={document.task}>
              {document.task}
            </span>
          )}
        </p>
      </div>
      <Meters document={document} moment={moment} status={status} />
      <Actions run={run} document={document} moment={moment} node={node} />
    </header>
  );
}

/** How the run stands: as the studio says for now, as its events say for a moment of the past. */
function standing(document: RunDocument | undefined, { isLive, status, reason, questions }: Moment) {
  if (isLive && document && (document.status !== "running" || status === "running")) {
    return standingOf(document);
  }
  const isAsking = status === "running" && questions.some(({ answer }) => answer === undefined);
  return { status: isAsking && !isLive ? "waiting" : status, reason };
}

/** How many runs inside are named. */
const SHOWN = 2;

function Relatives({ document }: { readonly document: RunDocument | undefined }) {
  if (document === undefined) return null;
  const { run, parent, forkedFrom, children, driver } = document;
  return (
    <>
      {driver === "elsewhere" && (
        <span title="What its agents say right now is told there; here it appears once it is recorded.">
          driven by another process
        </span>
      )}
      {parent && (
        <Link href={runAddress(parent.run)} className={styles["link"]}>
          <CornerUpLeft aria-hidden /> part of {parent.run}
        </Link>
      )}
      {forkedFrom && (
        <Link href={runAddress(forkedFrom.run, { seq: String(forkedFrom.seq) })} className={styles["link"]}>
          <GitFork aria-hidden /> fork of {forkedFrom.run} at {forkedFrom.seq}
        </Link>
      )}
      {children.length > SHOWN && <span>{children.length} runs inside, unfolded on the timeline</span>}
      {children.length <= SHOWN &&
        children.map((child) => (
          <Link key={child} href={runAddress(child)} className={styles["link"]}>
            inside: {child.startsWith(`${run}/`) ? child.slice(run.length + 1) : child}
          </Link>
        ))}
    </>
  );
}

interface MetersProps {
  readonly document: RunDocument | undefined;
  readonly moment: Moment;
  readonly status: string;
}

function Meters({ document, moment, status }: MetersProps) {
  const now = useNow(1000);
  const { usage, at, startedAt, isLive } = moment;
  const isGoingOn = isLive && status === "running" && document?.driver !== null;
  const until = isGoingOn ? now : at;
  const { maxTokens = null, maxCostUsd = null } = document?.budget ?? {};
  // A state graph does not know what its nodes use.
  const isCounted = moment.dialect !== "graph" || usage.tokens > 0;
  return (
    <dl className={styles["meters"]}>
      {isCounted && <Meter name="Tokens" value={usage.tokens} most={maxTokens} print={tokens} />}
      {isCounted && <Meter name="Cost" value={usage.costUsd} most={maxCostUsd} print={dollars} />}
      <Meter name="Time" value={startedAt === 0 ? 0 : until - startedAt} most={null} print={duration} />
    </dl>
  );
}
