/**
 * What is drawn of a text that is open: its last state that could be drawn, and the one way to change it.
 *
 * 1. A text that cannot be drawn is mended where it stands; until then nothing else changes it.
 * 2. A refusal is about the text as it was: it is gone with the next one.
 */

import { useCallback, useRef, useState } from "react";
import type { Edit, Performed } from "../take.ts";
import type { Editing } from "./session.ts";

export interface Drawn<Draft> {
  /** The last state that could be drawn. */
  readonly draft: Draft;
  /** Whether the text is that state (1). */
  readonly isCurrent: boolean;
  /** Makes a change; gives back the sentence when it is refused. Changes of one kind without a pause are one step. */
  readonly edit: Editor<Draft>;
  /** Why the last change of the canvas was refused. */
  readonly refusal: string | undefined;
  readonly refuse: (why: string | undefined) => void;
}

export type Editor<Draft> = (
  label: string,
  edit: (draft: Draft) => Edit,
  typing?: string,
) => string | undefined;

const MEND = "The JSON cannot be read. Mend it first, or undo.";

/** `fresh` is what can be drawn of the text as it is; nothing comes back as long as there was never such a text. */
export function useDrawn<Draft>(
  { text, take }: Editing,
  fresh: Draft | undefined,
  perform: (draft: Draft, edit: Edit) => Performed,
): Drawn<Draft> | undefined {
  const [refused, setRefused] = useState<{ readonly why: string; readonly text: string } | undefined>(
    undefined,
  );
  const refuse = useCallback(
    (why: string | undefined) => setRefused(why === undefined ? undefined : { why, text }),
    [text],
  );
  const good = useRef(fresh);
  if (fresh !== undefined) good.current = fresh;
  const edit = useCallback<Editor<Draft>>(
    (label, change, typing) => {
      if (fresh === undefined) return MEND;
      const done = perform(fresh, change(fresh));
      if (!done.ok) return done.why;
      refuse(undefined);
      const kind = typing === undefined ? {} : { typing: { kind: typing, at: Date.now() } };
      take({ text: done.text, label, ...kind });
      return undefined;
    },
    [fresh, perform, take, refuse],
  );
  const draft = good.current;
  const refusal = refused?.text === text ? refused.why : undefined; // (2)
  return draft && { draft, isCurrent: fresh !== undefined, edit, refusal, refuse };
}
