/** Denies, with a reason that whoever asked gets to read. */

import { useEffect, useRef, useState } from "react";
import { Button } from "../../parts/button.tsx";
import { Field, TextArea } from "../../parts/field.tsx";
import styles from "./question-card.module.css";

interface DenyFormProps {
  readonly isBusy: boolean;
  readonly onDeny: (reason: string) => void;
  readonly onBack: () => void;
}

export function DenyForm({ isBusy, onDeny, onBack }: DenyFormProps) {
  const [reason, setReason] = useState("");
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector("textarea")?.focus(), []);
  return (
    <form
      ref={form}
      className={styles["form"]}
      onSubmit={(event) => {
        event.preventDefault();
        onDeny(reason.trim());
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") onBack();
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) onDeny(reason.trim());
      }}
    >
      <Field label="Why not?" hint="Whoever asked reads this and can do it differently. May be empty.">
        <TextArea value={reason} onChange={setReason} />
      </Field>
      <div className={styles["foot"]}>
        <Button type="submit" look="danger" disabled={isBusy}>
          Deny
        </Button>
        <Button onClick={onBack}>Back</Button>
      </div>
    </form>
  );
}
