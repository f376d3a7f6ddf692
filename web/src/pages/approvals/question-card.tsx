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
import type { Chosen } from "./use-chosen.ts";
import type { CardKeys } from "./use-keys.ts";
import { whoAsks } from "./who-asks.ts";

interface QuestionCardProps {
  readonly question: QuestionDocument;
  readonly keys: CardKeys;
  readonly chosen: Chosen;
  /** How many questions are open. */
  readonly left: number;
  readonly onNext: () => void;
}

type Answering = Extract<RunVerb, { readonly verb: "answer" | "approve" | "deny" }>;

type Mode = "decide" | "deny" | "edit";

export function QuestionCard({ question, keys, chosen, left, onNext }: QuestionCardProps) {
  const { run, id, node, program, task, askedAt, isApproval, isDecision } = question;
  const [seen, setSeen] = useState(question);
  const [mode, setMode] = useState<Mode>(isDecision ? "decide" : "edit");
  const [focus, setFocus] = useState(0);
  const card = useRef<HTMLElement>(null);
  const command = useVerb(run);
  const now = useNow(30_000);
  const hasChanged = seen.digest !== question.digest;
  const { isGone } = chosen;
  const isShut = hasChanged || isGone || command.isPending;
  const send = (verb: Answering) => {
    if (isShut) return;
    chosen.wasAnswered(question);
    command.mutate({ ...verb, digest: seen.digest }, { onError: () => chosen.wasRefused(question) });
  };
  const approve = () => {
    if (chosen.mayApprove(question)) send({ verb: "approve", question: id });
  };
  keys.approve = isDecision && mode === "decide" && !isGone ? approve : undefined;
  keys.deny = isDecision && !isGone ? () => setMode("deny") : undefined;
  const edit = () => {
    setMode("edit");
    setFocus(focus + 1);
  };
  keys.edit = isGone ? undefined : edit;
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
      {isGone && <Gone left={left} onNext={onNext} />}
      {hasChanged && <Changed onSeen={() => setSeen(question)} />}
      <Asked value={question.value} heading={summary(question.value)} />
      {command.error && <Problem error={command.error} />}
      {mode === "deny" && !isGone && (
        <DenyForm
          isBusy={isShut}
          onDeny={(reason) => send({ verb: "deny", question: id, ...(reason !== "" && { reason }) })}
          onBack={() => setMode("decide")}
        />
      )}
      {mode === "edit" && !isGone && (
        <AnswerForm
          schema={isApproval ? null : question.schema}
          initial={isApproval ? argsOf(question.value) : undefined}
          submit={isApproval ? "Approve as edited" : "Answer"}
          isBusy={isShut}
          onAnswer={(value) =>
            send(
              isApproval
                ? { verb: "approve", question: id, edit: value }
                : { verb: "answer", question: id, value },
            )
          }
          focus={focus}
          {...(isDecision && { onBack: () => setMode("decide") })}
        />
      )}
      {mode === "decide" && !isGone && (
        <footer className={styles["foot"]}>
          <Button look="good" disabled={isShut} onClick={approve}>
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

function Gone({ left, onNext }: Pick<QuestionCardProps, "left" | "onNext">) {
  return (
    <Banner
      tone="info"
      action={
        <Button size="s" onClick={onNext}>
          {left === 0 ? "Done" : "Next question"}
        </Button>
      }
    >
      This question is not open any more: it was answered elsewhere, or its run has ended or was removed.
    </Banner>
  );
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
