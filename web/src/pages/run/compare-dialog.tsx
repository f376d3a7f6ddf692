/** Chooses the run that this one is compared with: those of the same definition first. */

import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useNow } from "../../app/now.ts";
import { api } from "../../model/api.ts";
import type { RunDocument, RunLine } from "../../model/baton.ts";
import { ago } from "../../model/format.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Empty, Problem } from "../../parts/notice.tsx";
import { Status } from "../../parts/status.tsx";
import styles from "./compare-dialog.module.css";

interface CompareDialogProps {
  readonly run: string;
  readonly document: RunDocument | undefined;
  readonly onClose: () => void;
}

export function CompareDialog({ run, document, onClose }: CompareDialogProps) {
  const now = useNow(60_000);
  const { data, error } = useQuery({
    queryKey: ["runs", "compare"],
    queryFn: () => api.runs({ limit: 100 }),
  });
  const others = (data?.runs ?? []).filter((line) => line.run !== run);
  const near = (line: RunLine): number => {
    if (document?.forkedFrom?.run === line.run) return 0;
    return line.program.name === document?.program.name ? 1 : 2;
  };
  const sorted = others.toSorted((a, b) => near(a) - near(b));
  return (
    <Dialog title="Compare with" onClose={onClose}>
      {error && <Problem error={error} />}
      {data && sorted.length === 0 && (
        <Empty title="There is no other run">Fork this one, or start another.</Empty>
      )}
      <ul className={styles["list"]}>
        {sorted.map((line) => (
          <li key={line.run}>
            <Link href={addressOf(run, line.run)} className={styles["row"]}>
              <span className={styles["name"]}>
                {line.program.name} <code>{line.run}</code>
              </span>
              <span className={styles["time"]}>{ago(line.updatedAt, now)}</span>
              <Status status={line.status} as="icon" />
            </Link>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function addressOf(left: string, right: string): string {
  return `/compare?${new URLSearchParams({ left, right })}`;
}
