/** The state of a run at the moment that is shown, and what the step before it changed. */

import { useMemo } from "react";
import { channelValue, type Difference, differences, type Json } from "../../../model/baton.ts";
import type { StateChange } from "../../../model/fold.ts";
import type { Moment } from "../../../model/moment.ts";
import { JsonView } from "../../../parts/json-view.tsx";
import styles from "./state-panel.module.css";

/** More differences than this are counted and not listed. */
const MOST = 60;

export function StatePanel({ moment }: { readonly moment: Moment }) {
  const { state, change, seq } = moment;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the state goes on in place; a moment is known by its number
  const channels = useMemo(() => {
    return Object.entries(state.plan.channels).flatMap(([name, { kind }]): [string, Json][] => {
      if (kind === "pulse" || kind === "gate") return [];
      const value = channelValue(state, name);
      return value === undefined ? [] : [[name, value]];
    });
  }, [state, seq]);
  return (
    <div className={styles["panel"]}>
      {change && <Changes change={change} />}
      <section aria-label="State">
        <h3 className={styles["title"]}>State after event {seq}</h3>
        {channels.length === 0 && <p className={styles["none"]}>It holds nothing yet.</p>}
        {channels.map(([name, value]) => (
          <JsonView key={name} name={name} value={value} open={name === "state" ? 1 : 0} />
        ))}
      </section>
    </div>
  );
}

function Changes({ change }: { readonly change: StateChange }) {
  const found = useMemo(() => {
    return change.channels.flatMap(({ channel, before, after }) =>
      [...differences(before, after)].map((difference) => ({ channel, ...difference })),
    );
  }, [change]);
  return (
    <section aria-label="Changes">
      <h3 className={styles["title"]}>
        Changed by event {change.seq} <span className={styles["none"]}>{found.length}</span>
      </h3>
      {found.length === 0 && <p className={styles["none"]}>Nothing.</p>}
      <ul className={styles["changes"]}>
        {found.slice(0, MOST).map((one) => (
          <Change key={one.channel + one.path} change={one} />
        ))}
      </ul>
      {found.length > MOST && <p className={styles["none"]}>and {found.length - MOST} more</p>}
    </section>
  );
}

function Change({ change }: { readonly change: Difference & { readonly channel: string } }) {
  const { channel, path, left, right } = change;
  return (
    <li className={styles["change"]}>
      <code className={styles["where"]}>
        {channel}
        {path}
      </code>
      {left !== undefined && (
        <del>
          <JsonView value={left} open={0} />
        </del>
      )}
      {right !== undefined && (
        <ins>
          <JsonView value={right} open={0} />
        </ins>
      )}
    </li>
  );
}
