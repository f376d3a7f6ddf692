/** What could be run in this project, and what comes with Baton. */

import { useQuery } from "@tanstack/react-query";
import { Play, Plus } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { useTitle } from "../../app/questions.ts";
import { unsavedAt, unsavedPaths } from "../../editor/session/session.ts";
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
  const [isAsking, setAsking] = useState(false);
  const own = (data ?? []).filter(({ isBundled }) => !isBundled);
  const bundled = (data ?? []).filter(({ isBundled }) => isBundled);
  const fresh = data ? unsavedPaths().filter((path) => isNew(path, data)) : [];
  return (
    <div className={styles["page"]}>
      <header className={styles["head"]}>
        <h1>Definitions</h1>
        <Button icon={<Plus aria-hidden />} onClick={() => setAsking(true)}>
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
      {fresh.length > 0 && (
        <section className={styles["group"]}>
          <h2>Not saved yet</h2>
          <ul className={styles["list"]}>
            {fresh.map((path) => (
              <li key={path} className={styles["row"]}>
                <Link href={editAddress(path)} className={styles["name"]}>
                  <b>{path}</b>
                  <span className={styles["path"]}>Its changes are in this window alone.</span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      {own.length > 0 && <Group title="In this project" lines={own} />}
      {bundled.length > 0 && <Group title="With Baton" lines={bundled} />}
      {isAsking && <NewDialog taken={own.map(({ path }) => path)} onClose={() => setAsking(false)} />}
    </div>
  );
}

/** The graphs of runs are no definitions: their page is the one of the run. */
function isNew(path: string, known: readonly DefinitionLine[]): boolean {
  return !path.startsWith("run:") && known.every((line) => line.path !== path);
}

function editAddress(path: string): string {
  return `/definitions/edit?${new URLSearchParams({ path })}`;
}

function Group({ title, lines }: { readonly title: string; readonly lines: readonly DefinitionLine[] }) {
  return (
    <section className={styles["group"]}>
      <h2>{title}</h2>
      <ul className={styles["list"]}>
        {lines.map(({ path, name, kind }) => (
          <li key={path} className={styles["row"]}>
            <Link href={editAddress(path)} className={styles["name"]}>
              <b>{name}</b>
              <span className={styles["path"]}>
                {path}
                {unsavedAt(path) && <em> · not saved</em>}
              </span>
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
