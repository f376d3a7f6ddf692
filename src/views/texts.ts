/** The texts that an event refers to: prompts, outputs, diffs, stored once and named by the hash of their content. */

import { isJsonObject, type Json } from "../base/json.ts";

export interface TextRef {
  /** What it is, as people call it: `sent`, `full`, `output`, `diff`, `stderr`. */
  readonly kind: string;
  /** `sha256:` and 64 hex digits. */
  readonly ref: string;
}

const REF = /^sha256:[0-9a-f]{64}$/;

/** The names under which a reference leads to a text. */
const KINDS: Readonly<Record<string, string>> = {
  ...{ prompt: "sent", sent: "sent", full: "full" },
  ...{ output: "output", text: "output", partial: "output" },
  ...{ diff: "diff", stderr: "stderr" },
};

/** The texts in a value that an event has, each kind and reference once, in the order in which they stand. */
export function textsIn(value: Json): readonly TextRef[] {
  const found: TextRef[] = [];
  collect(value, "", (kind, ref) => {
    if (!found.some((text) => text.ref === ref && text.kind === kind)) found.push({ kind, ref });
  });
  return found;
}

function collect(value: Json, name: string, take: (kind: string, ref: string) => void): void {
  if (typeof value === "string") {
    const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
    if (kind !== undefined && REF.test(value)) take(kind, value);
  } else if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) collect(item, name, take);
  } else if (isJsonObject(value)) {
    const { kind } = value;
    for (const [key, held] of Object.entries(value)) {
      collect(held, key === "ref" && typeof kind === "string" ? kind : key, take);
    }
  }
}
