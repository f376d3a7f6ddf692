/** The questions, oldest first. */

import { useEffect, useRef } from "react";
import { useNow } from "../../app/now.ts";
import { type QuestionDocument, summary } from "../../model/baton.ts";
import { ago } from "../../model/format.ts";
import styles from "./question-list.module.css";
import { whoAsks } from "./who-asks.ts";

interface QuestionListProps {
  readonly questions: readonly QuestionDocument[];
  readonly chosen: QuestionDocument | undefined;
  readonly onChoose: (question: QuestionDocument) => void;
}

export function QuestionList({ questions, chosen, onChoose }: QuestionListProps) {
  const now = useNow(30_000);
  const list = useRef<HTMLUListElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another choice scrolls
  useEffect(() => {
    list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  return (
    <ul ref={list} className={styles["list"]} aria-label="Open questions">
      {questions.map((question) => {
        const { run, id, program, task, value, askedAt } = question;
        return (
          <li key={`${run} ${id}`}>
            <button
              type="button"
              className={styles["row"]}
              aria-current={question === chosen ? "true" : undefined}
              onClick={() => onChoose(question)}
            >
              <span className={styles["title"]} title={summary(value).slice(0, 1000)}>
                {summary(value).slice(0, 200)}
              </span>
              <span className={styles["where"]}>
                <span>
                  {program.name} · {whoAsks(question)}
                </span>
                <span>{ago(askedAt, now)}</span>
              </span>
              <span className={styles["task"]}>{task || run}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
