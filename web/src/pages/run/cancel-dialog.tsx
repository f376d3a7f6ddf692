/** Asks before a run is ended for good. */

import { useState } from "react";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, TextInput } from "../../parts/field.tsx";
import { Problem } from "../../parts/notice.tsx";
import { useVerb } from "./use-verb.ts";

export function CancelDialog({ run, onClose }: { readonly run: string; readonly onClose: () => void }) {
  const [reason, setReason] = useState("");
  const command = useVerb(run);
  const cancel = () =>
    command.mutate({ verb: "cancel", ...(reason.trim() !== "" && { reason }) }, { onSuccess: onClose });
  return (
    <Dialog
      title="Cancel this run for good?"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button look="danger" disabled={command.isPending} onClick={cancel}>
            Cancel the run
          </Button>
        </>
      }
    >
      <p>
        Its tasks are stopped and it cannot be resumed. What it did stays, and it can still be forked. To stop
        it for a while, pause it.
      </p>
      <Field label="Reason" hint="Stands in the log. May be empty.">
        <TextInput value={reason} onChange={setReason} />
      </Field>
      {command.error && <Problem error={command.error} />}
    </Dialog>
  );
}
