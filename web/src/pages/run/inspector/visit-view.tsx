/** One visit of a node, from what it was given to why the run went on the way it did. */

import { type ReactNode, useState } from "react";
import type { Json, PromptLine, TextRef, TurnLine } from "../../../model/baton.ts";
import { dollars, duration, tokens, whole } from "../../../model/format.ts";
import type { Moment } from "../../../model/moment.ts";
import type { Visit } from "../../../model/visits.ts";
import { JsonView } from "../../../parts/json-view.tsx";
import { Banner } from "../../../parts/notice.tsx";
import { StoredText } from "../../../parts/text-block.tsx";
import { Decision } from "./decision.tsx";
import { Questions } from "./questions.tsx";
import styles from "./visit-view.module.css";

interface VisitViewProps {
  readonly visit: Visit;
  readonly moment: Moment;
  readonly labels: ReadonlyMap<string, string>;
}

export function VisitView({ visit, moment, labels }: VisitViewProps) {
  const turn = turnOf(visit, moment);
  const prompt = moment.prompts.find((line) => line.node === visit.node && line.turn === turn?.turn);
  const outputs = visit.texts.filter(({ kind }) => kind === "output");
  const others = visit.texts.filter(({ kind }) => kind === "stderr");
  return (
    <div className={styles["visit"]}>
      <Facts visit={visit} />
      {visit.failures.map(({ attempt, code, message }) => (
        <Banner key={attempt} tone="bad">
          <b>
            Attempt {attempt} failed ({code})
          </b>
          <p>{message}</p>
        </Banner>
      ))}
      <Decision visit={visit} labels={labels} />
      <Questions visit={visit} questions={moment.questions} open={moment.open} />
      <Texts title="Output" texts={outputs} isOpen />
      <Texts title="Changes" texts={visit.texts.filter(({ kind }) => kind === "diff")} isOpen />
      <Input visit={visit} turn={turn} />
      <Prompts texts={visit.texts} prompt={prompt} />
      <Texts title="Standard error" texts={others} />
      {visit.writes.length > 0 && (
        <Section title="Written" count={visit.writes.length}>
          {visit.writes.map(({ channel, value }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: what a task wrote does not change
            <JsonView key={index} name={channel} value={value} />
          ))}
        </Section>
      )}
      {visit.notes.length > 0 && (
        <Section title="Notes" count={visit.notes.length}>
          {visit.notes.map(({ seq, kind, data }) => (
            <JsonView key={seq} name={`${seq} ${kind}`} value={data} open={0} />
          ))}
        </Section>
      )}
    </div>
  );
}

/** The latest turn of an inbox node that this visit took: its visits and its turns begin in the same order. */
function turnOf(visit: Visit, { turns, dialect }: Moment): TurnLine | undefined {
  if (dialect !== "inbox") return undefined;
  const noted = visit.notes.findLast(({ kind }) => kind === "inbox.turn")?.data;
  const number = (noted as { readonly turn?: Json } | undefined)?.turn ?? visit.number;
  return turns.find(({ node, turn }) => node === visit.node && turn === number);
}

function Facts({ visit }: { readonly visit: Visit }) {
  const { item, title, openedAt, settledAt, tokens: used, costUsd, task } = visit;
  return (
    <dl className={styles["facts"]}>
      {item && (
        <div className={styles["wide"]}>
          <dt>Item</dt>
          <dd>
            {item}
            {title && title !== item && ` · ${title}`}
          </dd>
        </div>
      )}
      <div>
        <dt>Task</dt>
        <dd title={whole(openedAt)}>{task}</dd>
      </div>
      <div>
        <dt>Took</dt>
        <dd>{settledAt === undefined ? "not settled" : duration(settledAt - openedAt)}</dd>
      </div>
      <div>
        <dt>Used</dt>
        <dd>
          {tokens(used)} tokens, {dollars(costUsd)}
        </dd>
      </div>
    </dl>
  );
}

interface SectionProps {
  readonly title: string;
  readonly count?: number;
  readonly isOpen?: boolean;
  readonly children: ReactNode;
}

/** What is folded is not there, so that texts are loaded only when somebody wants them. */
function Section({ title, count, isOpen = false, children }: SectionProps) {
  const [open, setOpen] = useState(isOpen);
  return (
    <details
      className={styles["section"]}
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        {title}
        {count !== undefined && <span className={styles["count"]}>{count}</span>}
      </summary>
      {open && <div className={styles["inside"]}>{children}</div>}
    </details>
  );
}

interface TextsProps {
  readonly title: string;
  readonly texts: readonly TextRef[];
  readonly isOpen?: boolean;
}

function Texts({ title, texts, isOpen = false }: TextsProps) {
  return texts.map(({ ref }, index) => (
    <Section
      key={ref}
      title={texts.length === 1 ? title : `${title} ${index + 1}`}
      isOpen={isOpen && index === texts.length - 1}
    >
      <StoredText text={ref} />
    </Section>
  ));
}

function Prompts({ texts, prompt }: { texts: readonly TextRef[]; prompt: PromptLine | undefined }) {
  const full = texts.filter(({ kind }) => kind === "full");
  const sent = texts.filter(({ kind, ref }) => kind === "sent" && full.every((text) => text.ref !== ref));
  const isDelta = prompt?.form === "delta";
  return (
    <>
      <Texts title={isDelta ? "Sent, what is new only" : "Prompt"} texts={sent} />
      <Texts title={isDelta ? "Full effective prompt" : "Prompt, as sent"} texts={full} />
    </>
  );
}

function Input({ visit, turn }: { readonly visit: Visit; readonly turn: TurnLine | undefined }) {
  const { input } = visit;
  if (turn !== undefined && turn.consumed.length > 0) {
    return (
      <Section title="Input" count={turn.consumed.length} isOpen>
        {turn.consumed.map(({ seq, kind, from, message }) => (
          <p key={seq} className={styles["letter"]}>
            <b>{from}</b> <span className={styles["kind"]}>{`${kind} #${seq}`}</span>
            <span>{message}</span>
          </p>
        ))}
      </Section>
    );
  }
  if (input === undefined) return null;
  return (
    <Section title="Input" isOpen>
      <JsonView value={input} open={2} />
    </Section>
  );
}
