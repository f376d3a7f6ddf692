/** Plays a loadout many times with agents that misbehave, and says what came of it and what was never passed. */

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../model/api.ts";
import type { SimulationDocument } from "../../model/baton.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, NumberInput } from "../../parts/field.tsx";
import { Banner, Problem } from "../../parts/notice.tsx";
import styles from "./simulate-dialog.module.css";

export function SimulateDialog({ text, onClose }: { readonly text: string; readonly onClose: () => void }) {
  const [runs, setRuns] = useState<number | undefined>(100);
  const [seed, setSeed] = useState<number | undefined>(1);
  const simulation = useMutation({
    mutationFn: () => api.simulate({ text, runs: runs ?? 100, seed: seed ?? 1 }),
  });
  return (
    <Dialog
      title="Simulate"
      onClose={onClose}
      footer={
        <Button look="primary" disabled={simulation.isPending} onClick={() => simulation.mutate()}>
          {simulation.isPending ? "Playing…" : "Play"}
        </Button>
      }
    >
      <p>Plays what stands in the editor, saved or not. No agent is called and no command is run.</p>
      <div className={styles["fields"]}>
        <Field label="Runs">
          <NumberInput value={runs} min={1} onChange={setRuns} />
        </Field>
        <Field label="Seed">
          <NumberInput value={seed} min={0} onChange={setSeed} />
        </Field>
      </div>
      {simulation.error && <Problem error={simulation.error} />}
      {simulation.data && <Report report={simulation.data} />}
    </Dialog>
  );
}

function Report({ report }: { readonly report: SimulationDocument }) {
  const { ok, runs, outcomes, coverage } = report;
  const { completed, failed, paused, waiting, unfinished } = outcomes;
  const rows: readonly (readonly [string, number])[] = [
    ["completed", completed],
    ...Object.entries(failed).map(([code, count]) => [`failed: ${code}`, count] as const),
    ...Object.entries(paused).map(([reason, count]) => [`paused: ${reason}`, count] as const),
    ["waiting for a person", waiting],
    ["cut, because they did not end", unfinished],
  ];
  const missed = [
    ...coverage.sockets.map((id) => `Socket ${id}`),
    ...coverage.edges.map(({ socket, when, to }) => `${socket} → ${to} (${when})`),
    ...coverage.exits.map(({ loop, exit, to }) => `Exit ${exit} of ${loop} → ${to}`),
  ];
  return (
    <>
      <Banner tone={ok ? "info" : "bad"}>
        {ok ? `${runs} runs kept every rule.` : "A run broke a rule."}
      </Banner>
      <table className={styles["table"]}>
        <caption className="visually-hidden">How the runs ended</caption>
        <tbody>
          {rows
            .filter(([, count]) => count > 0)
            .map(([name, count]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td className="numbers">{count}</td>
              </tr>
            ))}
        </tbody>
      </table>
      <h3>{missed.length === 0 ? "Every way was taken by some run." : "What no run did"}</h3>
      <ul className={styles["missed"]}>
        {missed.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </>
  );
}
