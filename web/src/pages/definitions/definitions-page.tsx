/** What could be run in this project, and what comes with Baton. */

import { useQuery } from "@tanstack/react-query";
import { Play, Plus } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { useTitle } from "../../app/questions.ts";
import { api } from "../../model/api.ts";
import type { DefinitionLine } from "../../model/baton.ts";
import { Button } from "../../parts/button.tsx";
import { Empty, Problem } from "../../parts/notice.tsx";
import styles from "./definitions-page.module.css";
import { NewDialog } from "./new-dialog.tsx";

export function DefinitionsPage() {
  useTitle("Definitions");
  const { data, error } = useQuery({
    queryKey: ["definitions"],
    queryFn: async () => (await api.definitions()).definitions,
  });
  const [isNew, setNew] = useState(false);
  const own = (data ?? []).filter(({ isBundled }) => !isBundled);
  const bundled = (data ?? []).filter(({ isBundled }) => isBundled);
  return (
    <div className={styles["page"]}>
      <header className={styles["head"]}>
        <h1>Definitions</h1>
        <Button icon={<Plus aria-hidden />} onClick={() => setNew(true)}>
          New definition
        </Button>
      </header>
      {error && <Problem error={error} />}
      {data && own.length === 0 && (
        <Empty title="This project has no definitions yet">
          Draw a new one, open one of those below as a copy, or let <code>baton init</code> write a small
          loadout with a script that plays it offline.
        </Empty>
      )}
      {own.length > 0 && <Group title="In this project" lines={own} />}
      {bundled.length > 0 && <Group title="With Baton" lines={bundled} />}
      {isNew && <NewDialog taken={own.map(({ path }) => path)} onClose={() => setNew(false)} />}
    </div>
  );
}

function Group({ title, lines }: { readonly title: string; readonly lines: readonly DefinitionLine[] }) {
  return (
    <section className={styles["group"]}>
      <h2>{title}</h2>
      <ul className={styles["list"]}>
        {lines.map(({ path, name, kind }) => (
          <li key={path} className={styles["row"]}>
            <Link href={`/definitions/edit?${new URLSearchParams({ path })}`} className={styles["name"]}>
              <b>{name}</b>
              <span className={styles["path"]}>{path}</span>
            </Link>
            <span className={styles["kind"]}>{kind}</span>
            {kind !== "materia" && (
              <Link
                href={`/runs?${new URLSearchParams({ start: "1", definition: path })}`}
                className={styles["start"]}
                aria-label={`Start ${name}`}
              >
                <Play aria-hidden /> Start
              </Link>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
