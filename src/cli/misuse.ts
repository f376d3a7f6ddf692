/** A misuse is what is wrong with a command line: nothing has run, and the sentence says what to do. */

import type { Issue } from "../base/issue.ts";

export type MisuseCode =
  | "usage"
  | "not_found"
  | "unreadable"
  | "invalid_definition"
  | "invalid_input"
  | "invalid_script"
  | "no_agent"
  | "not_supported"
  | "not_trusted"
  | "above_budget"
  | "changed";

export class Misuse extends Error {
  override readonly name: string = "Misuse";
  readonly code: MisuseCode;
  readonly hint: string | undefined;
  readonly issues: readonly Issue[] | undefined;

  constructor(code: MisuseCode, message: string, more: { hint?: string; issues?: readonly Issue[] } = {}) {
    super(message);
    this.code = code;
    this.hint = more.hint;
    this.issues = more.issues;
  }
}
