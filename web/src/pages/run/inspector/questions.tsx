/** What a visit asked a person, and what the person said. */

import type { QuestionLine } from "../../../model/baton.ts";
import type { Visit } from "../../../model/visits.ts";
import { JsonView } from "../../../parts/json-view.tsx";
import { Status } from "../../../parts/status.tsx";
import styles from "./visit-view.module.css";

interface QuestionsProps {
  readonly visit: Visit;
  readonly questions: readonly QuestionLine[];
}

export function Questions({ visit, questions }: QuestionsProps) {
  const own = questions.filter(({ id }) => id.startsWith(`${visit.task}:`));
  return own.map(({ id, value, answer }) => (
    <section key={id} className={styles["section"]} aria-label="Question">
      <h3>
        Asked a person <Status status={answer ? "finished" : "asking"} as="icon" />
      </h3>
      <JsonView value={value} name="asked" open={1} />
      {answer && <JsonView value={answer.value} name="answered" open={1} />}
    </section>
  ));
}
