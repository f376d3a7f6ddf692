/**
 * Everything that waits for a person, in any run, and the way to decide it.
 *
 * 1. An answer is to the question as it was shown: one that changed meanwhile is shown again before it can be answered.
 * 2. The keyboard alone is enough: j and k choose, a approves, d denies, e edits.
 */

import { useMemo } from "react";
import { useQuestions, useTitle } from "../../app/questions.ts";
import { Empty, Problem } from "../../parts/notice.tsx";
import styles from "./approvals-page.module.css";
import { Legend } from "./legend.tsx";
import { QuestionCard } from "./question-card.tsx";
import { QuestionList } from "./question-list.tsx";
import { keyOf, useChosen } from "./use-chosen.ts";
import { useKeys } from "./use-keys.ts";

export function ApprovalsPage() {
  useTitle("Approvals");
  const { data, error, isSuccess } = useQuestions();
  const questions = useMemo(() => (data ?? []).toSorted((a, b) => a.askedAt - b.askedAt), [data]);
  const chosen = useChosen(questions);
  const { question, choose } = chosen;
  const keys = useKeys(questions, question, choose);
  if (error && !isSuccess) {
    return (
      <div className={styles["page"]}>
        <h1>Approvals</h1>
        <Problem error={error} />
      </div>
    );
  }
  if (isSuccess && question === undefined) {
    return (
      <div className={styles["page"]}>
        <h1>Approvals</h1>
        <Empty title="Nobody waits for you">
          When a run asks for a decision, it stands here, and the title of the tab counts it.
        </Empty>
      </div>
    );
  }
  return (
    <div className={styles["page"]}>
      <header className={styles["head"]}>
        <h1>Approvals</h1>
        <Legend />
      </header>
      <div className={styles["columns"]}>
        <QuestionList questions={questions} chosen={question} onChoose={choose} />
        {question && (
          <QuestionCard
            key={keyOf(question)}
            {...{ question, keys, chosen }}
            onNext={() => choose(questions[0])}
            left={questions.length}
          />
        )}
      </div>
    </div>
  );
}
