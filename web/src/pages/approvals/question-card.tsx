/** One question: exactly what is asked, and every way to answer it. */

import { useRef, useState } from "react";
import { Link } from "wouter";
import { runAddress } from "../../app/address.ts";
import { useNow } from "../../app/now.ts";
import { isJsonObject, type Json, type QuestionDocument, type RunVerb, summary } from "../../model/baton.ts";
import { ago } from "../../model/format.ts";
import { Button } from "../../parts/button.tsx";
import { Banner, Problem } from "../../parts/notice.tsx";
import { useVerb } from "../run/use-verb.ts";
import { AnswerForm } from "./answer-form.tsx";
import { Asked } from "./asked.tsx";
import { DenyForm } from "./deny-form.tsx";
import styles from "./question-card.module.css";
import type { CardKeys } from "./use-keys.ts";
import { whoAsks } from "./who-asks.ts";

interface QuestionCardProps {
  readonly question: QuestionDocument;
  readonly keys: CardKeys;
}

type Answering = Extract<RunVerb, { readonly verb: "answer" | "approve" | "deny" }>;

type Mode = "decide" | "deny" | "edit";

export function QuestionCard({ question, keys }: QuestionCardProps) {
  const { run, id, node, program, task, askedAt, isApproval, isDecision } = question;
  const [seen, setSeen] = useState(question);
  const [mode, setMode] = useState<Mode>(isDecision ? "decide" : "edit");
  const [focus, setFocus] = useState(0);
  const card = useRef<HTMLElement>(null);
  const command = useVerb(run);
  const now = useNow(30_000);
  const hasChanged = seen.digest !== question.digest;
  const send = (verb: Answering) => {
    if (!hasChanged && !command.isPending) command.mutate({ ...verb, digest: seen.digest });
  };
  const approve = (edit?: Json) =>
    send({ verb: "approve", question: id, ...(edit !== undefined && { edit }) });
  keys.approve = isDecision && mode === "decide" ? () => approve() : undefined;
  keys.deny = isDecision ? () => setMode("deny") : undefined;
  const edit = () => {
    setMode("edit");
    setFocus(focus + 1);
  };
  keys.edit = edit;
  return (
    <article ref={card} className={styles["card"]} aria-label={summary(question.value).slice(0, 200)}>
      <header className={styles["head"]}>
        <h2>{summary(question.value)}</h2>
        <p className={styles["where"]}>
          <Link href={runAddress(run, { node })}>{program.name}</Link> ·{" "}
          <span title={node}>{whoAsks(question)}</span> · asked {ago(askedAt, now)}
        </p>
        {task !== "" && (
          <p className={styles["task"]} title={task}>
            {task}
          </p>
        )}
      </header>
      {hasChanged && <Changed onSeen={() => setSeen(question)} />}
      <Asked value={question.value} heading={summary(question.value)} />
      {command.error && <Problem error={command.error} />}
      {mode === "deny" && (
        <DenyForm
          isBusy={command.isPending}
          onDeny={(reason) => send({ verb: "deny", question: id, ...(reason !== "" && { reason }) })}
          onBack={() => setMode("decide")}
        />
      )}
      {mode === "edit" && (
        <AnswerForm
          schema={isApproval ? null : question.schema}
          initial={isApproval ? argsOf(question.value) : undefined}
          submit={isApproval ? "Approve as edited" : "Answer"}
          isBusy={command.isPending || hasChanged}
          onAnswer={(value) => (isApproval ? approve(value) : send({ verb: "answer", question: id, value }))}
          focus={focus}
          {...(isDecision && { onBack: () => setMode("decide") })}
        />
      )}
      {mode === "decide" && (
        <footer className={styles["foot"]}>
          <Button look="good" disabled={command.isPending || hasChanged} onClick={() => approve()}>
            Approve
          </Button>
          <Button look="danger" disabled={hasChanged} onClick={() => setMode("deny")}>
            Deny…
          </Button>
          <Button disabled={hasChanged} onClick={edit}>
            {isApproval ? "Edit…" : "Answer…"}
          </Button>
        </footer>
      )}
    </article>
  );
}

function argsOf(value: Json): Json | undefined {
  return isJsonObject(value) ? value["args"] : undefined;
}

function Changed({ onSeen }: { readonly onSeen: () => void }) {
  return (
    <Banner
      tone="ask"
      action={
        <Button size="s" onClick={onSeen}>
          I have read it
        </Button>
      }
    >
      This question changed while it was open. Read it again before you answer.
    </Banner>
  );
}
