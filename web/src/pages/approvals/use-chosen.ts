/**
 * Which question is shown.
 *
 * 1. A question that somebody else answers stays in sight and says so: another one is never put under a hand that is
 *    about to approve.
 * 2. Where this page answered, the next question follows by itself, and is not approved for a moment: the second of two
 *    quick presses was not meant for it.
 */

import { useCallback, useMemo, useRef } from "react";
import { useAddress } from "../../app/address.ts";
import type { QuestionDocument } from "../../model/baton.ts";

export interface Chosen {
  readonly question: QuestionDocument | undefined;
  /** It is not open any more, and not by an answer of this page (1). */
  readonly isGone: boolean;
  readonly choose: (question: QuestionDocument | undefined) => void;
  /** Whether one press may approve the question by now (2). */
  readonly mayApprove: (question: QuestionDocument) => boolean;
  /** An answer to it is being sent. */
  readonly wasAnswered: (question: QuestionDocument) => void;
  /** The answer was refused: it is as if it had not been sent. */
  readonly wasRefused: (question: QuestionDocument) => void;
}

/** In milliseconds. */
const MOMENT = 500;

export function keyOf({ run, id }: Pick<QuestionDocument, "run" | "id">): string {
  return `${run} ${id}`;
}

export function useChosen(questions: readonly QuestionDocument[]): Chosen {
  const [search, change] = useAddress();
  const shown = useRef<QuestionDocument | undefined>(undefined);
  const answered = useRef<Set<string>>(new Set());
  const sent = useRef({ key: "", at: Number.NEGATIVE_INFINITY });
  const before = shown.current;
  const isGone =
    before !== undefined &&
    !answered.current.has(keyOf(before)) &&
    find(questions, keyOf(before)) === undefined;
  const wanted = search.get("run");
  const chosen =
    find(questions, search.get("question") ?? "") ??
    questions.find(({ run }) => run === wanted) ??
    questions[0];
  if (!isGone) shown.current = chosen;
  const choose = useCallback(
    (question: QuestionDocument | undefined) => {
      shown.current = undefined;
      change({ run: undefined, question: question && keyOf(question) });
    },
    [change],
  );
  const answering = useMemo(
    () => ({
      mayApprove(question: QuestionDocument): boolean {
        return keyOf(question) === sent.current.key || Date.now() - sent.current.at >= MOMENT; // (2)
      },
      wasAnswered(question: QuestionDocument): void {
        const key = keyOf(question);
        sent.current = { key, at: Date.now() };
        answered.current.add(key);
      },
      wasRefused: (question: QuestionDocument) => void answered.current.delete(keyOf(question)),
    }),
    [],
  );
  return { question: isGone ? before : chosen, isGone, choose, ...answering };
}

function find(questions: readonly QuestionDocument[], key: string): QuestionDocument | undefined {
  return questions.find((question) => keyOf(question) === key);
}
