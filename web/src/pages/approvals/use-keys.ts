/** The keys of the approvals, which mean nothing while somebody types into a field. */

import { useEffect, useRef } from "react";
import type { QuestionDocument } from "../../model/baton.ts";

/** What the card of the chosen question does on a key; the card fills it in. */
export interface CardKeys {
  approve: (() => void) | undefined;
  deny: (() => void) | undefined;
  edit: (() => void) | undefined;
}

export function useKeys(
  questions: readonly QuestionDocument[],
  chosen: QuestionDocument | undefined,
  choose: (question: QuestionDocument | undefined) => void,
): CardKeys {
  const keys = useRef<CardKeys>({ approve: undefined, deny: undefined, edit: undefined });
  useEffect(() => {
    const step = (by: number) => {
      const at = chosen === undefined ? -1 : questions.indexOf(chosen);
      choose(questions[Math.max(0, Math.min(questions.length - 1, at + by))]);
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
      const { approve, deny, edit } = keys.current;
      const actions: Readonly<Record<string, (() => void) | undefined>> = {
        ...{ j: () => step(1), k: () => step(-1), a: approve, d: deny, e: edit },
      };
      const action = Object.hasOwn(actions, event.key) ? actions[event.key] : undefined;
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [questions, chosen, choose]);
  return keys.current;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, textarea, select, dialog") !== null;
}
