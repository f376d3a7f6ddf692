/** What a visit asked a person, and what the person said. */

import type { QuestionLine } from "../../../model/baton.ts";
import { type Open, standsAs } from "../../../model/moment.ts";
import type { Visit } from "../../../model/visits.ts";
import { JsonView } from "../../../parts/json-view.tsx";
import { Status } from "../../../parts/status.tsx";
import styles from "./visit-view.module.css";

interface QuestionsProps {
  readonly visit: Visit;
  readonly questions: readonly QuestionLine[];
  /** How what is open stands in the run. */
  readonly open: Open;
}

export function Questions({ visit, questions, open }: QuestionsProps) {
  const own = questions.filter(({ id }) => id.startsWith(`${visit.task}:`));
  return own.map(({ id, value, answer }) => (
    <section key={id} className={styles["section"]} aria-label="Question">
      <h3>
        Asked a person{" "}
        <Status status={answer ? "finished" : standsAs({ status: "asking" }, open)} as="icon" />
      </h3>
      <JsonView value={value} name="asked" open={1} />
      {answer && <JsonView value={answer.value} name="answered" open={1} />}
    </section>
  ));
}
