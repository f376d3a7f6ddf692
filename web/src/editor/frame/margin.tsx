/** The margin: what is wrong with the text, whether a run must end, and the way that may never do so. */

import { CircleAlert, CircleCheck, CircleHelp, Infinity as Endless, TriangleAlert } from "lucide-react";
import type { IssueLine } from "../../model/baton.ts";
import type { Verdict } from "../check/use-check.ts";
import styles from "./margin.module.css";

interface MarginProps {
  readonly verdict: Verdict | undefined;
  readonly onChoose: (pointer: string) => void;
}

export function Margin({ verdict, onChoose }: MarginProps) {
  if (verdict === undefined) return <p className={styles["end"]}>Checking…</p>;
  const { errors, warnings } = verdict;
  return (
    <div className={styles["margin"]}>
      <Termination verdict={verdict} />
      {errors.length + warnings.length > 0 && (
        <ul className={styles["issues"]} aria-label="Issues">
          {errors.map((issue) => (
            <Issue key={keyOf(issue)} issue={issue} severity="error" onChoose={onChoose} />
          ))}
          {warnings.map((issue) => (
            <Issue key={keyOf(issue)} issue={issue} severity="warning" onChoose={onChoose} />
          ))}
        </ul>
      )}
    </div>
  );
}

function keyOf({ code, pointer, message }: IssueLine): string {
  return `${code} ${pointer} ${message}`;
}

function Termination({ verdict: { ok, termination } }: { readonly verdict: Verdict }) {
  const { verdict, bound, cycle } = termination;
  if (!ok) {
    return (
      <p className={styles["end"]}>
        <CircleHelp aria-hidden /> It has errors, so nothing is proven yet.
      </p>
    );
  }
  if (verdict === "terminates") {
    return (
      <p className={styles["end"]} data-tone="good">
        <CircleCheck aria-hidden /> Every run ends{bound === null ? "." : `, after at most ${bound} turns.`}
      </p>
    );
  }
  if (verdict === "unknown") {
    return (
      <p className={styles["end"]}>
        <CircleHelp aria-hidden /> Whether every run ends is not known.
      </p>
    );
  }
  return (
    <p className={styles["end"]} data-tone="bad">
      <Endless aria-hidden /> A run may never end{cycle ? `: ${cycle.join(" → ")}` : "."}
    </p>
  );
}

interface IssueProps {
  readonly issue: IssueLine;
  readonly severity: "error" | "warning";
  readonly onChoose: (pointer: string) => void;
}

function Issue({ issue: { code, pointer, message, hint }, severity, onChoose }: IssueProps) {
  const Icon = severity === "error" ? CircleAlert : TriangleAlert;
  return (
    <li>
      <button
        type="button"
        className={styles["issue"]}
        data-tone={severity}
        onClick={() => onChoose(pointer)}
      >
        <Icon role="img" aria-label={severity} />
        <span>
          {message} <span className={styles["hint"]}>{hint}</span>
        </span>
        <code title={pointer}>{code}</code>
      </button>
    </li>
  );
}
