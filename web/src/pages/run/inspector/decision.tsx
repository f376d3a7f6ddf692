/** Why the run went on from a visit the way it did: what was chosen, and what was asked before and why it was not taken. */

import { isJsonObject, type Json, type JsonObject } from "../../../model/baton.ts";
import type { Visit } from "../../../model/visits.ts";
import { cx } from "../../../parts/cx.ts";
import styles from "./decision.module.css";

interface DecisionProps {
  readonly visit: Visit;
  /** What people call each node. */
  readonly labels: ReadonlyMap<string, string>;
}

export function Decision({ visit, labels }: DecisionProps) {
  const { decision, notes } = visit;
  if (decision === undefined) return <Signals visit={visit} labels={labels} />;
  const chosen = isJsonObject(decision.chosen) ? decision.chosen : {};
  const tried = Array.isArray(decision.tried) ? (decision.tried as readonly Json[]).filter(isJsonObject) : [];
  const counters = isJsonObject(decision.counters) ? Object.entries(decision.counters) : [];
  const rework = notes.find(({ kind }) => kind === "loadout.rework")?.data;
  return (
    <section className={styles["decision"]} aria-label="Why it went on like this">
      <h3>
        Went to <Place id={text(chosen["to"])} labels={labels} />
      </h3>
      <p className={styles["why"]}>{whyOf(chosen, decision.satisfied)}</p>
      {isJsonObject(rework) && (
        <blockquote className={styles["rework"]}>
          <b>Sent back:</b> {text(rework["reason"])}
        </blockquote>
      )}
      {tried.length > 0 && (
        <>
          <h4>Asked before, and not taken</h4>
          <ul className={styles["tried"]}>
            {tried.map((one) => (
              <li key={JSON.stringify(one)}>
                <span>
                  {text(one["exit"] ?? `edge ${text(one["edge"])}`)} →{" "}
                  <Place id={text(one["to"])} labels={labels} />
                </span>
                <span className={styles["reason"]}>{text(one["why"])}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {counters.length > 0 && (
        <details className={styles["counters"]}>
          <summary>Counters at that moment</summary>
          <ul>
            {counters.map(([name, count]) => (
              <li key={name}>
                <code>{name}</code> {text(count)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

/** A node by the name that people call it, with its id where that is another one. */
function Place({ id, labels }: { readonly id: string; readonly labels: DecisionProps["labels"] }) {
  const label = labels.get(id) ?? id;
  return (
    <>
      <b>{label}</b>
      {label !== id && <code className={styles["id"]}> {id}</code>}
    </>
  );
}

function whyOf({ via, when, loop, exit, why, exhausted }: JsonObject, satisfied: Json): string {
  const said =
    satisfied === null ? "the output says neither" : `the output says satisfied: ${text(satisfied)}`;
  const condition = when === undefined ? "" : text(when).replaceAll("_", " ");
  switch (via) {
    case "exit":
      if (exit === null) return `The loop ${text(loop)} is over, and none of its exits matches.`;
      return `By an exit of the loop ${text(loop)}: ${text(why)}.`;
    case "end":
      return `The end: ${text(why)}.`;
    case "none":
      return `None of its edges matches: ${said}.`;
    default:
      if (exhausted === true) return "It would go there, but has passed this edge as often as it may.";
      return when === "always" ? "Its edge is always taken." : `Its edge wants ${condition}; ${said}.`;
  }
}

/** What a task of another dialect signalled. */
function Signals({ visit, labels }: DecisionProps) {
  const to = [
    ...visit.route.filter((channel) => channel.startsWith(">")).map((channel) => targetOf(channel)),
    ...visit.sends.map(({ node }) => `${node} (sent)`),
  ];
  if (to.length === 0) return null;
  return (
    <section className={styles["decision"]} aria-label="Why it went on like this">
      <h3>
        Went to <b>{to.map((id) => labels.get(id) ?? id).join(", ")}</b>
      </h3>
      <p className={cx(styles["why"])}>By the edges and sends that it signalled when it finished.</p>
    </section>
  );
}

/** A pulse is `>node`, a gate `>>["source","node"]`. */
function targetOf(channel: string): string {
  if (!channel.startsWith(">>")) return channel.slice(1);
  return (JSON.parse(channel.slice(2)) as readonly string[]).at(-1) ?? channel; // what the compiler writes
}

function text(value: Json | undefined): string {
  if (value === undefined || value === null) return "nowhere";
  return typeof value === "string" ? value : JSON.stringify(value);
}
