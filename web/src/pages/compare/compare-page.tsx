/** Two runs side by side: where they first went apart, the visits that differ with their texts, and what each came to. */

import { useQuery } from "@tanstack/react-query";
import { ArrowLeftRight } from "lucide-react";
import { Link } from "wouter";
import { runAddress, useAddress } from "../../app/address.ts";
import { useTitle } from "../../app/questions.ts";
import { api } from "../../model/api.ts";
import type { DiffDocument } from "../../model/baton.ts";
import { dollars, tokens } from "../../model/format.ts";
import { standingOf } from "../../model/standing.ts";
import { Button } from "../../parts/button.tsx";
import { JsonView } from "../../parts/json-view.tsx";
import { Banner, Empty, Problem } from "../../parts/notice.tsx";
import { Status } from "../../parts/status.tsx";
import styles from "./compare-page.module.css";
import { VisitDiffs } from "./visit-diffs.tsx";
import { useNames, VisitName } from "./visit-name.tsx";

export function ComparePage() {
  useTitle("Compare");
  const [search, change] = useAddress();
  const left = search.get("left") ?? "";
  const right = search.get("right") ?? "";
  const { data, error } = useQuery({
    queryKey: ["diff", left, right],
    queryFn: () => api.diff(left, right),
    enabled: left !== "" && right !== "",
  });
  if (left === "" || right === "") {
    return (
      <Empty title="Choose two runs" action={<Link href="/runs">All runs</Link>}>
        The page of a run has the button Compare.
      </Empty>
    );
  }
  return (
    <div className={styles["page"]}>
      <header className={styles["head"]}>
        <h1>Compare</h1>
        <Button
          size="s"
          icon={<ArrowLeftRight aria-hidden />}
          onClick={() => change({ left: right, right: left })}
        >
          Swap
        </Button>
      </header>
      {error && <Problem error={error} />}
      {data && <Compared diff={data} />}
    </div>
  );
}

function SideHead({ side: { run, status, reason } }: { readonly side: DiffDocument["runs"][number] }) {
  const { data } = useQuery({ queryKey: ["run", run], queryFn: () => api.run(run) });
  return (
    <>
      <h2>
        <Link href={runAddress(run)}>{data?.program.name ?? run}</Link> <code>{run}</code>
      </h2>
      <p className={styles["task"]}>
        {data?.forkedFrom ? `fork of ${data.forkedFrom.run} at ${data.forkedFrom.seq}` : (data?.task ?? "")}
      </p>
      <Status {...(data ? standingOf(data) : { status, reason })} />
    </>
  );
}

function Compared({ diff }: { readonly diff: DiffDocument }) {
  const { runs, identical, diverges, visits, state } = diff;
  const nameOf = useNames([runs[0].run, runs[1].run]);
  return (
    <>
      <div className={styles["sides"]}>
        {runs.map((side, index) => (
          <section
            key={index === 0 ? "left" : "right"}
            className={styles["side"]}
            aria-label={index === 0 ? "Left" : "Right"}
          >
            <SideHead side={side} />
            <p className={styles["used"]}>
              {side.visits} visits, {tokens(side.usage.tokens)} tokens, {dollars(side.usage.costUsd)}
            </p>
          </section>
        ))}
      </div>
      {identical && <Banner tone="info">Both did the same: {visits.same} visits, and the same state.</Banner>}
      {diverges && (
        <section className={styles["part"]} aria-label="First difference">
          <h2>
            They first went apart{" "}
            {diverges.key === "" ? (
              "at the end"
            ) : (
              <>
                at <VisitName visit={diverges.key} nameOf={nameOf} />
              </>
            )}
          </h2>
          <p className={styles["used"]}>By their {diverges.what}:</p>
          <div className={styles["sides"]}>
            {[diverges.left, diverges.right].map((value, index) => (
              <div key={index === 0 ? "left" : "right"} className={styles["side"]}>
                {value === null ? (
                  <p className={styles["used"]}>never came there</p>
                ) : (
                  <JsonView value={value} open={3} />
                )}
              </div>
            ))}
          </div>
        </section>
      )}
      {visits.differing.length > 0 && (
        <VisitDiffs visits={visits} runs={[runs[0].run, runs[1].run]} nameOf={nameOf} />
      )}
      {state.length > 0 && <StateDiff state={state} />}
    </>
  );
}

const MOST = 100;

function StateDiff({ state }: Pick<DiffDocument, "state">) {
  return (
    <section className={styles["part"]} aria-label="State">
      <h2>
        State <span className={styles["count"]}>{state.length} places differ</span>
      </h2>
      <table className={styles["table"]}>
        <thead>
          <tr>
            <th scope="col">Where</th>
            <th scope="col">Left</th>
            <th scope="col">Right</th>
          </tr>
        </thead>
        <tbody>
          {state.slice(0, MOST).map(({ channel, path, left, right }) => (
            <tr key={channel + path}>
              <th scope="row">
                <code>
                  {channel}
                  {path}
                </code>
              </th>
              <td>{left !== undefined && <JsonView value={left} />}</td>
              <td>{right !== undefined && <JsonView value={right} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {state.length > MOST && <p className={styles["used"]}>and {state.length - MOST} more</p>}
    </section>
  );
}
