/** A problem is why a request was not carried out, with what its sender may do; every error leaves the server as one. */

import type { Issue } from "../base/issue.ts";
import type { RefusalCode } from "../base/refusal.ts";
import { Refusal } from "../base/refusal.ts";
import { httpStatusOf, type RequestCode } from "../protocol/codes.ts";
import type { ErrorDocument } from "../protocol/result.ts";
import { Conflict } from "../run/journal.ts";

type Told = ErrorDocument["error"];

export class Problem extends Error {
  override readonly name: string = "Problem";
  readonly told: Told;

  constructor(code: RequestCode | RefusalCode, message: string, more: Omit<Told, "code" | "message"> = {}) {
    super(message);
    this.told = { code, message, ...more };
  }
}

/** The response for what was thrown. */
export function responseFor(thrown: unknown): Response {
  const error = toldOf(thrown);
  const document: ErrorDocument = { error };
  return Response.json(document, { status: httpStatusOf(error.code) });
}

/** A request whose body or query does not have its shape. */
export function misshapen(what: string, issues: readonly Issue[]): Problem {
  const [first] = issues;
  const where = first === undefined || first.pointer === "" ? "" : ` (${first.pointer})`;
  return new Problem("invalid_input", `${what} is not as it should be${where}: ${first?.message ?? ""}`, {
    ...(first && { hint: first.hint }),
    issues,
  });
}

function toldOf(thrown: unknown): Told {
  if (thrown instanceof Problem) return thrown.told;
  if (thrown instanceof Refusal) return { code: thrown.code, message: thrown.message };
  if (thrown instanceof Conflict) return { code: "conflict", message: thrown.message };
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return { code: "internal", message };
}
