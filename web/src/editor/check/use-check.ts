/**
 * The check of a text as it is typed.
 *
 * 1. The answer of a text that is no longer there is dropped.
 * 2. Where a materia is not known here, the studio is asked: it also knows the configs below the project.
 */

import { useEffect, useState } from "react";
import { api } from "../../model/api.ts";
import type { CheckDocument, Json } from "../../model/baton.ts";
import type { CheckAnswer, CheckRequest } from "./check-worker.ts";

/** What a check says. */
export type Verdict = Pick<CheckDocument, "ok" | "errors" | "warnings" | "termination">;

export interface Checked {
  readonly text: string;
  readonly json: Json | undefined;
  readonly name?: string | undefined;
  readonly below?: readonly Json[] | undefined;
}

const NONE: readonly Json[] = [];

/** In milliseconds: how long the text has to rest before it is checked. */
const REST = 120;

export function useCheck({ text, json, name, below = NONE }: Checked): Verdict | undefined {
  const [verdict, setVerdict] = useState<Verdict | undefined>(undefined);
  useEffect(() => {
    if (json === undefined) return;
    let isWanted = true;
    const timer = setTimeout(async () => {
      const check = await beside({ json, name, below });
      const known = isOpen(check) ? await api.check({ text }).catch(() => check) : check; // (2)
      if (isWanted) setVerdict(known);
    }, REST);
    return () => {
      isWanted = false; // (1)
      clearTimeout(timer);
    };
  }, [text, json, name, below]);
  return verdict;
}

function isOpen({ errors }: Verdict): boolean {
  return errors.some(({ code }) => code === "unknown_materia" || code === "unknown_loadout");
}

let worker: Worker | undefined;
let count = 0;
const waiting: Map<number, (check: Verdict) => void> = new Map();

function beside(request: Omit<CheckRequest, "number">): Promise<Verdict> {
  worker ??= start();
  const number = ++count;
  worker.postMessage({ ...request, number } satisfies CheckRequest);
  return new Promise((resolve) => waiting.set(number, resolve));
}

function start(): Worker {
  const made = new Worker(new URL("./check-worker.ts", import.meta.url), { type: "module" });
  made.addEventListener("message", ({ data }: MessageEvent<CheckAnswer>) => {
    waiting.get(data.number)?.(data.check);
    waiting.delete(data.number);
  });
  return made;
}
