/** Makes a run that has the past of this one up to the moment that is shown, with changes to its state if wanted. */

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { runAddress } from "../../app/address.ts";
import { api } from "../../model/api.ts";
import type { Json } from "../../model/baton.ts";
import type { Moment } from "../../model/moment.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, TextArea, TextInput } from "../../parts/field.tsx";
import { Problem } from "../../parts/notice.tsx";

interface ForkDialogProps {
  readonly run: string;
  readonly moment: Moment;
  readonly onClose: () => void;
}

export function ForkDialog({ run, moment, onClose }: ForkDialogProps) {
  const [pointer, setPointer] = useState("");
  const [value, setValue] = useState("");
  const [, go] = useLocation();
  const fork = useMutation({
    mutationFn: () => {
      const edit = pointer.trim() === "" ? {} : { edit: [{ pointer: pointer.trim(), value: read(value) }] };
      return api.fork(run, { at: moment.seq, ...edit });
    },
    onSuccess: (made) => {
      onClose();
      go(runAddress(made.run));
    },
  });
  return (
    <Dialog
      title={`Fork from event ${moment.seq}`}
      onClose={onClose}
      footer={
        <Button look="primary" disabled={fork.isPending} onClick={() => fork.mutate()}>
          Fork
        </Button>
      }
    >
      <p>
        A new run begins with everything that this one had come to after event {moment.seq}. This run stays as
        it is. The fork waits until it is resumed.
      </p>
      <Field
        label="Change in its state"
        hint="A JSON pointer, such as /state/workItems/0/title. May be empty."
      >
        <TextInput value={pointer} onChange={setPointer} placeholder="/state/…" />
      </Field>
      {pointer.trim() !== "" && (
        <Field label="New value" hint="JSON; anything else is taken as a text.">
          <TextArea value={value} onChange={setValue} />
        </Field>
      )}
      {fork.error && <Problem error={fork.error} />}
    </Dialog>
  );
}

function read(text: string): Json {
  try {
    return JSON.parse(text) as Json; // what JSON.parse gives is JSON
  } catch {
    return text;
  }
}
