/** Starts a run: what, with what, at most how much, and with a person's leave for what the definition may do. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { runAddress } from "../../app/address.ts";
import { api } from "../../model/api.ts";
import type { StartRequest } from "../../model/baton.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Problem } from "../../parts/notice.tsx";
import { type Draft, problemOf, requestOf } from "./draft.ts";
import { StartForm } from "./start-form.tsx";

interface StartDialogProps {
  readonly definition: string | undefined;
  readonly onClose: () => void;
}

const EMPTY: Omit<Draft, "definition"> = {
  ...{ task: "", inputs: "", messages: {}, script: "", agent: "" },
  ...{ maxTokens: undefined, maxCostUsd: undefined, isAllowed: false },
};

export function StartDialog({ definition, onClose }: StartDialogProps) {
  const [draft, setDraft] = useState<Draft>({ ...EMPTY, definition: definition ?? "" });
  const [, go] = useLocation();
  const client = useQueryClient();
  const path = draft.definition;
  const chosen = useQuery({
    queryKey: ["definition", path],
    queryFn: () => api.definition(path),
    enabled: path !== "",
  });
  const start = useMutation({
    mutationFn: (request: StartRequest) => api.start(request),
    onSuccess: ({ run }) => {
      void client.invalidateQueries({ queryKey: ["runs"] });
      go(runAddress(run));
    },
  });
  const isTrusted = chosen.data?.trust.isTrusted !== false;
  const problem = problemOf(draft);
  const isReady =
    chosen.data !== undefined && problem === undefined && (isTrusted || draft.isAllowed) && !start.isPending;
  return (
    <Dialog
      title="Start a run"
      onClose={onClose}
      footer={
        <Button look="primary" disabled={!isReady} onClick={() => start.mutate(requestOf(draft))}>
          {start.isPending ? "Starting…" : "Start"}
        </Button>
      }
    >
      <StartForm
        draft={draft}
        chosen={chosen.data}
        onChange={(change) => setDraft({ ...draft, ...change })}
      />
      {problem && <p role="alert">{problem}</p>}
      {chosen.error && <Problem error={chosen.error} />}
      {start.error && <Problem error={start.error} />}
    </Dialog>
  );
}
