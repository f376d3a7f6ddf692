/** What a person should know first about a run: that it stands still and why, with the one action that helps. */

import { useState } from "react";
import { Link } from "wouter";
import { isJsonObject, type Json, type RunDocument } from "../../model/baton.ts";
import type { Moment } from "../../model/moment.ts";
import type { LogView } from "../../model/run-log.ts";
import { Button } from "../../parts/button.tsx";
import { cx } from "../../parts/cx.ts";
import { JsonView } from "../../parts/json-view.tsx";
import { Banner } from "../../parts/notice.tsx";
import styles from "./banners.module.css";
import { Help } from "./help.tsx";

interface RunBannersProps {
  readonly run: string;
  readonly document: RunDocument | undefined;
  readonly moment: Moment;
  readonly log: LogView;
  /** What people call each node. */
  readonly labels: ReadonlyMap<string, string>;
  readonly onLive: () => void;
}

export function RunBanners({ run, document, moment, log, labels, onLive }: RunBannersProps) {
  if (!moment.isLive) {
    return (
      <div className={styles["banners"]}>
        <Banner
          tone="info"
          action={
            <Button size="s" onClick={onLive}>
              Go to live
            </Button>
          }
        >
          This is the past: event {moment.seq} of {log.length}.
        </Banner>
      </div>
    );
  }
  if (document === undefined) return null;
  return (
    <div className={styles["banners"]}>
      <Standing run={run} document={document} moment={moment} />
      <Warnings warnings={worthTelling(document)} labels={labels} />
    </div>
  );
}

/** That a budget runs out is no news once the run stands still because of it. */
function worthTelling({ reason, result: { warnings } }: RunDocument): RunDocument["result"]["warnings"] {
  return reason === "budget_exhausted" ? warnings.filter(({ code }) => code !== "budget") : warnings;
}

const SHOWN = 3;

interface WarningsProps {
  readonly warnings: RunDocument["result"]["warnings"];
  readonly labels: ReadonlyMap<string, string>;
}

/** What went well enough to go on, and should be looked at all the same. */
function Warnings({ warnings, labels }: WarningsProps) {
  if (warnings.length === 0) return null;
  return (
    <Banner tone="ask">
      {warnings.slice(-SHOWN).map(({ code, message, at }) => (
        <p key={`${code} ${at} ${message}`}>
          {labels.get(at) ?? at}: {message} <span className={styles["where"]}>[{code}]</span>
        </p>
      ))}
      {warnings.length > SHOWN && (
        <p className={styles["where"]}>and {warnings.length - SHOWN} earlier ones</p>
      )}
    </Banner>
  );
}

/** The node that a run stands still because of, where the reason names one. */
function nodeIn(detail: Json | undefined): string | undefined {
  const node = isJsonObject(detail) ? detail["node"] : undefined;
  return typeof node === "string" ? node : undefined;
}

/** In characters: what is longer is not set in bold, and what is much longer begins folded. */
const LONG = 200;
const VERY_LONG = 320;

/** Why it stands still. An agent may have written a page of it, which must not push what helps out of sight. */
function Sentence({ text }: { readonly text: string }) {
  const [isWhole, setWhole] = useState(false);
  if (text.length <= VERY_LONG) return <p className={cx(text.length < LONG && styles["sentence"])}>{text}</p>;
  return (
    <>
      <p className={cx(!isWhole && styles["folded"])}>{text}</p>
      <button
        type="button"
        className={styles["more"]}
        aria-expanded={isWhole}
        onClick={() => setWhole(!isWhole)}
      >
        {isWhole ? "Show less" : "Show all of it"}
      </button>
    </>
  );
}

function Standing({
  run,
  document,
  moment,
}: Pick<RunBannersProps, "run" | "moment"> & { document: RunDocument }) {
  const { status, waitsFor, driver } = document;
  const isOver = status === "completed" || status === "cancelled";
  const isLeft = status === "running" && driver === null;
  if (isOver || waitsFor === null || (status === "running" && !isLeft)) return null;
  const isQuestion = status === "waiting";
  const detail = moment.state.detail ?? moment.state.failure?.detail;
  return (
    <Banner
      tone={status === "failed" ? "bad" : "ask"}
      action={
        isQuestion ? (
          <Link href={`/approvals?run=${encodeURIComponent(run)}`} className={styles["go"]}>
            Decide
          </Link>
        ) : (
          <Help run={run} verb={waitsFor.verb} document={document} node={nodeIn(detail)} />
        )
      }
    >
      <Sentence text={waitsFor.sentence} />
      {detail !== undefined && (
        <details>
          <summary>Evidence</summary>
          <JsonView value={detail} open={2} />
        </details>
      )}
    </Banner>
  );
}
