/** The full prompt that a past visit would have had with the prompt as it is written now. */

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../model/api.ts";
import { isJsonObject, type Json, type PastVisit } from "../../model/baton.ts";
import { usePastVisits } from "../../model/past-visits.ts";
import { Button } from "../../parts/button.tsx";
import { TextDiffView } from "../../parts/diff-view.tsx";
import { Problem } from "../../parts/notice.tsx";
import { TextBlock } from "../../parts/text-block.tsx";
import { holdersOf } from "../loadout/materia.ts";
import { useLoadout } from "../loadout/use-loadout.ts";
import { objectAt, textAt } from "../text/held.ts";
import styles from "./panel.module.css";
import { Choice, kept } from "./typed.tsx";

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
          onChoose={kept(setRun)}
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
  const document = useQuery({ queryKey: ["run", run], queryFn: () => api.run(run), staleTime: 60_000 });
  const { visits, error, more } = usePastVisits(run, sockets);
  if (error ?? document.error) return <Problem error={error ?? document.error} />;
  if (visits === undefined || document.data === undefined) return <p className={styles["note"]}>Loading…</p>;
  const visit = visits.find((one) => one.task === task) ?? visits[0];
  const earlier = more && (
    <Button size="s" look="quiet" onClick={more}>
      Look for earlier visits
    </Button>
  );
  if (visit === undefined) {
    if (earlier) return earlier;
    return <p className={styles["note"]}>This run never came to {sockets.join(", ") || materia}.</p>;
  }
  return (
    <>
      <Choice
        label="Visit"
        value={visit.task}
        options={visits.map((one) => ({
          value: one.task,
          text: `${one.node}, step ${one.step}${one.title === null ? "" : ` · ${one.title}`}`,
        }))}
        onChoose={kept(setTask)}
      />
      {earlier}
      <Full visit={visit} before={promptIn(document.data.definition, materia)} prompt={prompt} />
    </>
  );
}

function promptIn(definition: Json, materia: string): string {
  const all = isJsonObject(definition) ? objectAt(definition, "materia") : {};
  return textAt(objectAt(all, materia), "prompt") ?? "";
}

interface FullProps {
  readonly visit: PastVisit;
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
