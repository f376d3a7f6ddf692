/** The filters of the list of runs: words, a status with how many have it, and a dialect. */

import { Search } from "lucide-react";
import { useEffect, useState } from "react";
import type { Change } from "../../app/address.ts";
import type { RunsPage } from "../../model/baton.ts";
import styles from "./filters.module.css";

interface Filter {
  readonly status: string | undefined;
  readonly dialect: string | undefined;
  readonly search: string | undefined;
}

interface FiltersProps {
  readonly filter: Filter;
  readonly counts: RunsPage["counts"];
  readonly onChange: (change: Change) => void;
}

const STATUSES = ["running", "waiting", "paused", "failed", "completed", "cancelled"] as const;
const DIALECTS = ["loadout", "inbox", "graph"];

export function Filters({ filter, counts, onChange }: FiltersProps) {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const toggle = (status: string | undefined) => ({
    ...({ type: "button", className: styles["chip"], "aria-pressed": filter.status === status } as const),
    onClick: () => onChange({ status: filter.status === status ? undefined : status }),
  });
  return (
    <search className={styles["filters"]}>
      <SearchField value={filter.search ?? ""} onChange={(search) => onChange({ search })} />
      <fieldset className={styles["chips"]}>
        <legend className="visually-hidden">Status</legend>
        <button {...toggle(undefined)}>
          all <span className={styles["count"]}>{total}</span>
        </button>
        {STATUSES.filter((status) => counts[status] || filter.status === status).map((status) => (
          <button key={status} {...toggle(status)}>
            {status} <span className={styles["count"]}>{counts[status] ?? 0}</span>
          </button>
        ))}
      </fieldset>
      <select
        className={styles["dialect"]}
        aria-label="Kind of definition"
        value={filter.dialect ?? ""}
        onChange={(event) => onChange({ dialect: event.target.value })}
      >
        <option value="">every kind</option>
        {DIALECTS.map((dialect) => (
          <option key={dialect} value={dialect}>
            {dialect}
          </option>
        ))}
      </select>
    </search>
  );
}

/** Says what is searched for once the typing pauses. */
function SearchField({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (to: string) => void;
}) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onChange(text), 200);
    return () => clearTimeout(timer);
  }, [text, value, onChange]);
  return (
    <label className={styles["search"]}>
      <Search aria-hidden />
      <span className="visually-hidden">Search runs</span>
      <input
        type="search"
        value={text}
        placeholder="Search runs"
        onChange={(event) => setText(event.target.value)}
      />
    </label>
  );
}
