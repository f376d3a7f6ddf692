/** The visits that are not the same in two runs, each with the texts that differ. */

import { useState } from "react";
import { Link } from "wouter";
import { runAddress } from "../../app/address.ts";
import type { DiffDocument, NameOf } from "../../model/baton.ts";
import { tokens } from "../../model/format.ts";
import { TextDiffView } from "../../parts/diff-view.tsx";
import { TextBlock } from "../../parts/text-block.tsx";
import styles from "./compare-page.module.css";
import { nodeOf, VisitName } from "./visit-name.tsx";

interface VisitDiffsProps {
  readonly visits: DiffDocument["visits"];
  readonly runs: readonly [string, string];
  readonly nameOf: NameOf;
}

type VisitDiff = DiffDocument["visits"]["differing"][number];
type TextDiff = VisitDiff["texts"][number];

const PAGE = 50;

export function VisitDiffs({ visits, runs, nameOf }: VisitDiffsProps) {
  const [shown, setShown] = useState(PAGE);
  const { same, differing } = visits;
  return (
    <section className={styles["part"]} aria-label="Visits">
      <h2>
        Visits{" "}
        <span className={styles["count"]}>
          {differing.length} differ, {same} are the same
        </span>
      </h2>
      {differing.slice(0, shown).map((visit, index) => (
        <VisitView key={visit.key} {...{ visit, runs, nameOf }} isFirst={index === 0} />
      ))}
      {differing.length > shown && (
        <button type="button" className={styles["more"]} onClick={() => setShown(shown + PAGE * 4)}>
          {differing.length - shown} more
        </button>
      )}
    </section>
  );
}

interface VisitViewProps extends Pick<VisitDiffsProps, "nameOf"> {
  readonly visit: VisitDiff;
  readonly runs: readonly [string, string];
  readonly isFirst: boolean;
}

function VisitView({ visit, runs, nameOf, isFirst }: VisitViewProps) {
  const [isOpen, setOpen] = useState(isFirst);
  const { key, seq, differs, texts, usage } = visit;
  const node = nodeOf(key);
  return (
    <details
      className={styles["visit"]}
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        <VisitName visit={key} nameOf={nameOf} />
        <span className={styles["differs"]}>
          {seq[0] === null
            ? "only right"
            : seq[1] === null
              ? "only left"
              : `differs in ${differs.join(", ")}`}
        </span>
      </summary>
      {isOpen && (
        <div className={styles["inside"]}>
          <p className={styles["used"]}>
            {runs.map((run, index) => {
              const at = seq[index];
              return at === null || at === undefined ? null : (
                <Link key={index === 0 ? "left" : "right"} href={runAddress(run, { seq: String(at), node })}>
                  {index === 0 ? "left" : "right"} at event {at}
                </Link>
              );
            })}
            {differs.includes("usage") && (
              <span>
                {tokens(usage[0]?.tokens ?? 0)} / {tokens(usage[1]?.tokens ?? 0)} tokens
              </span>
            )}
          </p>
          {texts.map((text) => (
            <TextView key={`${text.kind} ${text.left} ${text.right}`} text={text} />
          ))}
        </div>
      )}
    </details>
  );
}

function TextView({ text: { kind, left, right } }: { readonly text: TextDiff }) {
  const [isBeside, setBeside] = useState(false);
  if (left === null || right === null) {
    return (
      <figure>
        <figcaption>
          {kind}, {left === null ? "right" : "left"} only
        </figcaption>
        <TextBlock text={left ?? right ?? ""} />
      </figure>
    );
  }
  return (
    <figure>
      <figcaption>
        {kind}{" "}
        <button
          type="button"
          className={styles["more"]}
          aria-pressed={isBeside}
          onClick={() => setBeside(!isBeside)}
        >
          {isBeside ? "as a diff" : "side by side"}
        </button>
      </figcaption>
      {isBeside ? (
        <div className={styles["sides"]}>
          <TextBlock text={left} />
          <TextBlock text={right} />
        </div>
      ) : (
        <TextDiffView left={left} right={right} />
      )}
    </figure>
  );
}
