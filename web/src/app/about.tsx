/** What this page is: its version, where the studio works, and the licences of what the page is made of. */

import { useQuery } from "@tanstack/react-query";
import { api } from "../model/api.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Problem } from "../parts/notice.tsx";
import styles from "./about.module.css";

export function About({ onClose }: { readonly onClose: () => void }) {
  const { data, error } = useQuery({ queryKey: ["project"], queryFn: api.project, staleTime: 60_000 });
  return (
    <Dialog title="About Baton" onClose={onClose}>
      <p>Baton passes work between agents and never drops it.</p>
      {error && <Problem error={error} />}
      {data && (
        <dl className={styles["facts"]}>
          <dt>Version</dt>
          <dd>{data.version}</dd>
          <dt>Folder</dt>
          <dd>{data.folder}</dd>
          <dt>Database</dt>
          <dd>{data.db}</dd>
        </dl>
      )}
      <p>
        This page asks nobody but your own studio.{" "}
        <a href="/licenses.md" target="_blank" rel="noreferrer">
          Licences of what it is made of
        </a>
      </p>
    </Dialog>
  );
}
