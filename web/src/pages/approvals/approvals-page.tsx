/**
 * Everything that waits for a person, in any run, and the way to decide it.
 *
 * 1. An answer is to the question as it was shown: one that changed meanwhile is shown again before it can be answered.
 * 2. The keyboard alone is enough: j and k choose, a approves, d denies, e edits.
 */

import { useCallback, useMemo } from "react";
import { useAddress } from "../../app/address.ts";
import { useQuestions, useTitle } from "../../app/questions.ts";
import type { QuestionDocument } from "../../model/baton.ts";
import { Empty, Problem } from "../../parts/notice.tsx";
import styles from "./approvals-page.module.css";
import { Legend } from "./legend.tsx";
import { QuestionCard } from "./question-card.tsx";
import { QuestionList } from "./question-list.tsx";
import { useKeys } from "./use-keys.ts";

export function ApprovalsPage() {
  useTitle("Approvals");
  const [search, change] = useAddress();
  const { data, error, isSuccess } = useQuestions();
  const questions = useMemo(() => (data ?? []).toSorted((a, b) => a.askedAt - b.askedAt), [data]);
  const wanted = search.get("run");
  const key = search.get("question");
  const chosen =
    questions.find((question) => keyOf(question) === key) ??
    questions.find(({ run }) => run === wanted) ??
    questions[0];
  const choose = useCallback(
    (question: QuestionDocument | undefined) => {
      change({ run: undefined, question: question && keyOf(question) });
    },
    [change],
  );
  const keys = useKeys(questions, chosen, choose);
  if (error && !isSuccess) {
    return (
      <div className={styles["page"]}>
        <h1>Approvals</h1>
        <Problem error={error} />
      </div>
    );
  }
  if (isSuccess && questions.length === 0) {
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
        <QuestionList questions={questions} chosen={chosen} onChoose={choose} />
        {chosen && <QuestionCard key={keyOf(chosen)} question={chosen} keys={keys} />}
      </div>
    </div>
  );
}

function keyOf({ run, id }: QuestionDocument): string {
  return `${run} ${id}`;
}
