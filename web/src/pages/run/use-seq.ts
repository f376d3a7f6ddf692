/**
 * The number of the event that is looked at: at once on the page, and a little later in the address.
 *
 * 1. Leaving the newest moment is a step that the back button undoes, and so is going back to it; moving about in the
 *    past is none, or a slider would fill the history.
 */

import { useCallback, useEffect, useRef, useState } from "react";
import { useAddress } from "../../app/address.ts";

/** A browser takes only so many changes of the address in a second. */
const LATER = 250;

/** Undefined is the newest moment, whatever is newest. */
export function useSeq(newest: number): readonly [number | undefined, (seq: number | undefined) => void] {
  const [search, change] = useAddress();
  const written = search.get("seq") ?? undefined;
  const [seq, setSeq] = useState(() => numberOf(written));
  const own = useRef(written);
  useEffect(() => {
    if (written !== own.current) setSeq(numberOf(written));
    own.current = written;
  }, [written]);
  useEffect(() => {
    const text = seq?.toString();
    if (text === own.current) return;
    const timer = setTimeout(() => {
      const isStep = own.current === undefined || text === undefined; // (1)
      own.current = text;
      change({ seq: text }, isStep ? "a step" : "in place");
    }, LATER);
    return () => clearTimeout(timer);
  }, [seq, change]);
  const choose = useCallback(
    (to: number | undefined) => setSeq(to === undefined ? undefined : Math.max(1, Math.min(newest, to))),
    [newest],
  );
  return [seq, choose];
}

function numberOf(text: string | undefined): number | undefined {
  const seq = Number(text);
  return Number.isInteger(seq) && seq > 0 ? seq : undefined;
}
