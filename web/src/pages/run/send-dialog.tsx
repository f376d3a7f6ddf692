/** Writes to a node of an inbox graph. */

import { useState } from "react";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Select, TextArea } from "../../parts/field.tsx";
import { Problem } from "../../parts/notice.tsx";
import { useVerb } from "./use-verb.ts";

interface SendDialogProps {
  readonly run: string;
  readonly nodes: readonly string[];
  readonly node?: string | undefined;
  readonly onClose: () => void;
}

export function SendDialog({ run, nodes, node, onClose }: SendDialogProps) {
  const [to, setTo] = useState(node ?? nodes[0] ?? "");
  const [text, setText] = useState("");
  const command = useVerb(run);
  const send = () => command.mutate({ verb: "send", node: to, text }, { onSuccess: onClose });
  return (
    <Dialog
      title="Send a message"
      onClose={onClose}
      footer={
        <Button look="primary" disabled={text.trim() === "" || command.isPending} onClick={send}>
          Send
        </Button>
      }
    >
      <Field label="To">
        <Select value={to} options={nodes} onChange={setTo} />
      </Field>
      <Field label="Message">
        <TextArea value={text} rows={5} onChange={setText} />
      </Field>
      {command.error && <Problem error={command.error} />}
    </Dialog>
  );
}
