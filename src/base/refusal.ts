/** A refusal is the answer to a command that cannot be carried out now; nothing was recorded. */

/** Every reason for which a command is refused. */
export type RefusalCode =
  | "unknown_run"
  | "unknown_node"
  | "unknown_task"
  | "unknown_question"
  | "ambiguous_question"
  | "already_answered"
  | "already_exists"
  | "wrong_state"
  | "invalid_value"
  | "conflict"
  | "not_trusted"
  | "newer_format";

export class Refusal extends Error {
  override readonly name: string = "Refusal";
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string) {
    super(message);
    this.code = code;
  }
}
