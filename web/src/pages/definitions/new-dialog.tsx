/** Asks what is to be made and under which path; nothing is written before it is saved. */

import { useState } from "react";
import { useLocation } from "wouter";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Select, TextInput } from "../../parts/field.tsx";

const KINDS = ["loadout", "inbox"] as const;

interface NewDialogProps {
  /** The paths that are taken. */
  readonly taken: readonly string[];
  readonly onClose: () => void;
}

export function NewDialog({ taken, onClose }: NewDialogProps) {
  const [kind, setKind] = useState<string>("loadout");
  const [path, setPath] = useState("");
  const [, go] = useLocation();
  const file = path === "" || path.endsWith(".json") ? path : `${path}.json`;
  const isTaken = taken.includes(file);
  const open = () => go(`/definitions/edit?${new URLSearchParams({ path: file, new: kind })}`);
  return (
    <Dialog
      title="New definition"
      onClose={onClose}
      footer={
        <Button look="primary" disabled={file === "" || isTaken} onClick={open}>
          Draw it
        </Button>
      }
    >
      <Field
        label="Kind"
        hint="A loadout is an ordered way through sockets; an inbox graph is a team that writes letters."
      >
        <Select value={kind} options={KINDS} onChange={setKind} />
      </Field>
      <Field
        label="Path"
        hint={isTaken ? "There is a file of this name already." : "Within the project, such as review.json."}
      >
        <TextInput value={path} onChange={setPath} placeholder="review.json" />
      </Field>
    </Dialog>
  );
}
