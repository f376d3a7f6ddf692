/** Lets a run go on that used up its budget, with a higher one. */

import { useState } from "react";
import type { RunDocument } from "../../model/baton.ts";
import { dollars, tokens } from "../../model/format.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, NumberInput } from "../../parts/field.tsx";
import { Problem } from "../../parts/notice.tsx";
import { useVerb } from "./use-verb.ts";

interface ResumeDialogProps {
  readonly run: string;
  readonly document: RunDocument;
  readonly onClose: () => void;
}

export function ResumeDialog({ run, document, onClose }: ResumeDialogProps) {
  const { budget, usage } = document;
  const [maxTokens, setTokens] = useState(budget.maxTokens === null ? undefined : budget.maxTokens * 2);
  const [maxCostUsd, setCost] = useState(budget.maxCostUsd === null ? undefined : budget.maxCostUsd * 2);
  const command = useVerb(run);
  const resume = () => {
    const more = {
      ...(maxTokens !== undefined && { maxTokens }),
      ...(maxCostUsd !== undefined && { maxCostUsd }),
    };
    command.mutate({ verb: "resume", budget: more }, { onSuccess: onClose });
  };
  return (
    <Dialog
      title="Raise the budget and go on"
      onClose={onClose}
      footer={
        <Button look="primary" disabled={command.isPending} onClick={resume}>
          Resume
        </Button>
      }
    >
      <p>
        It used {tokens(usage.tokens)} tokens so far ({dollars(usage.costUsd)}).
      </p>
      <Field label="Most tokens" hint="Leave it empty for no limit of this kind.">
        <NumberInput value={maxTokens} min={1} onChange={setTokens} />
      </Field>
      <Field label="Most dollars">
        <NumberInput value={maxCostUsd} min={0} step="any" onChange={setCost} />
      </Field>
      {command.error && <Problem error={command.error} />}
    </Dialog>
  );
}
