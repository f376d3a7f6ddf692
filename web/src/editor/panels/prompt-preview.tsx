/** The full prompt that a past visit would have had with the prompt as it is written now. */

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../model/api.ts";
import { isJsonObject, type Json } from "../../model/baton.ts";
import { Fold } from "../../model/fold.ts";
import type { Visit } from "../../model/visits.ts";
import { TextDiffView } from "../../parts/diff-view.tsx";
import { Problem } from "../../parts/notice.tsx";
import { TextBlock } from "../../parts/text-block.tsx";
import { objectAt, textAt } from "../loadout/draft.ts";
import { holdersOf } from "../loadout/materia.ts";
import { useLoadout } from "../loadout/use-loadout.ts";
import styles from "./panel.module.css";
import { Choice } from "./typed.tsx";

/** How many runs are offered. */
const RUNS = 20;

interface PromptPreviewProps {
  readonly id: string;
  readonly prompt: string;
}

export function PromptPreview({ id, prompt }: PromptPreviewProps) {
  const { draft } = useLoadout();
  const [run, setRun] = useState("");
  const runs = useQuery({
    queryKey: ["runs", "of", draft.name],
    queryFn: async () => (await api.runs({ dialect: "loadout", search: draft.name, limit: RUNS })).runs,
  });
  const own = (runs.data ?? []).filter(({ program }) => program.name === draft.name);
  return (
    <fieldset className={styles["group"]}>
      <legend>Preview with a past visit</legend>
      {runs.data && own.length === 0 && (
        <p className={styles["note"]}>No run of {draft.name} is known yet.</p>
      )}
      {own.length > 0 && (
        <Choice
          label="Run"
          value={run}
          options={[
            { value: "", text: "choose a run" },
            ...own.map((line) => ({ value: line.run, text: `${line.run} · ${line.status}` })),
          ]}
          onChoose={(chosen) => {
            setRun(chosen);
            return undefined;
          }}
        />
      )}
      {run !== "" && (
        <VisitPreview key={run} run={run} sockets={holdersOf(draft, id)} materia={id} prompt={prompt} />
      )}
    </fieldset>
  );
}

interface VisitPreviewProps {
  readonly run: string;
  readonly sockets: readonly string[];
  readonly materia: string;
  readonly prompt: string;
}

function VisitPreview({ run, sockets, materia, prompt }: VisitPreviewProps) {
  const [task, setTask] = useState("");
  const past = useQuery({
    queryKey: ["past", run],
    staleTime: 60_000,
    queryFn: async () => {
      const [document, { events }] = await Promise.all([api.run(run), api.events(run, { limit: 2000 })]);
      const fold = new Fold(run);
      fold.upTo(events.length, events);
      return { definition: document.definition, visits: fold.visits.all };
    },
  });
  if (past.error) return <Problem error={past.error} />;
  if (past.data === undefined) return <p className={styles["note"]}>Loading…</p>;
  const visits = past.data.visits.filter(({ node }) => sockets.includes(node));
  const visit = visits.find((one) => one.task === task) ?? visits[0];
  if (visit === undefined)
    return <p className={styles["note"]}>This run never came to {sockets.join(", ") || materia}.</p>;
  return (
    <>
      <Choice
        label="Visit"
        value={visit.task}
        options={visits.map((one) => ({
          value: one.task,
          text: `${one.node}, visit ${one.number}${one.title === undefined ? "" : ` · ${one.title}`}`,
        }))}
        onChoose={(chosen) => {
          setTask(chosen);
          return undefined;
        }}
      />
      <Full visit={visit} before={promptIn(past.data.definition, materia)} prompt={prompt} />
    </>
  );
}

function promptIn(definition: Json, materia: string): string {
  const all = isJsonObject(definition) ? objectAt(definition, "materia") : {};
  return textAt(objectAt(all, materia), "prompt") ?? "";
}

interface FullProps {
  readonly visit: Visit;
  readonly before: string;
  readonly prompt: string;
}

function Full({ visit, before, prompt }: FullProps) {
  const ref = (
    visit.texts.find(({ kind }) => kind === "full") ?? visit.texts.find(({ kind }) => kind === "sent")
  )?.ref;
  const { data } = useQuery({
    queryKey: ["text", ref ?? ""],
    queryFn: () => api.text(ref ?? ""),
    enabled: ref !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (ref === undefined) return <p className={styles["note"]}>This visit has no prompt.</p>;
  if (data === undefined) return <p className={styles["note"]}>Loading…</p>;
  const after = data.startsWith(before) ? prompt + data.slice(before.length) : `${prompt}\n\n${data}`;
  return after === data ? <TextBlock text={data} /> : <TextDiffView left={data} right={after} />;
}
