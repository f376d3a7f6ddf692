/**
 * The document of an open question: what a page shows of it, and by what its answer is held to what was shown.
 *
 * 1. The digest covers all that a person decides by: the value and the schema of the answer.
 */

import { canonical, isJsonObject, type Json } from "../../base/json.ts";
import { sha256 } from "../../engines/local.ts";
import type { Question } from "../../kernel/state.ts";
import type { QuestionDocument, RunLine } from "../../protocol/studio.ts";
import type { Dialect } from "../runs/dialect.ts";
import { isApproval } from "../terminal/next-call.ts";

/** The digest of a question as it stands (1). */
export function digestOfQuestion({ value, schema }: Pick<Question, "value" | "schema">): string {
  return sha256(canonical({ value, schema: schema ?? null }));
}

/** Says whether yes and no are answers: to an approval, and at a person's socket that goes on by a decision. */
export function takesDecision(question: Question, { checkAnswer }: Pick<Dialect, "checkAnswer">): boolean {
  if (isApproval(question)) return true;
  const { value, schema } = question;
  if (!isJsonObject(value) || value["kind"] !== "human") return false;
  const { contract } = value;
  const goesOnByIt = isJsonObject(contract) && contract["satisfied"] === "required";
  return (schema === undefined || goesOnByIt) && checkAnswer(question, { approved: true }) === undefined;
}

interface Asked {
  readonly line: Pick<RunLine, "run" | "program" | "task">;
  readonly node: string;
  readonly question: Question;
  /** Milliseconds since 1970 UTC. */
  readonly askedAt: number;
}

export function questionDocument(
  { line, node, question, askedAt }: Asked,
  dialect: Dialect,
): QuestionDocument {
  const { run, program, task } = line;
  const { id, value, schema = null } = question;
  return {
    ...{ run, program, task, id, node, value, askedAt },
    schema: schema as Json,
    digest: digestOfQuestion(question),
    isApproval: isApproval(question),
    isDecision: takesDecision(question, dialect),
  };
}
