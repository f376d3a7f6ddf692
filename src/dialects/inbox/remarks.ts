/** Remarks are what turns note besides their work: sends that were rejected, warnings, and how the goal ended. */

import type { JsonObject } from "../../base/json.ts";
import type { InboxWarning, RejectionLine } from "./result.ts";

export class Remarks {
  readonly rejections: RejectionLine[] = [];
  readonly warnings: InboxWarning[] = [];
  /** How the orchestrator finished the goal (`ok`, `summary`); nothing while it is open. */
  goal: JsonObject | undefined;

  /** Takes in a note of a turn; one of another kind is none of these. */
  note(kind: string, data: JsonObject): void {
    switch (kind) {
      case "inbox.rejected": {
        const { from, to, code } = data;
        this.rejections.push({ from: String(from), to: String(to), code: String(code) });
        break;
      }
      case "inbox.warning": {
        const { node, code, message } = data;
        this.warnings.push({ code: String(code), message: String(message), at: String(node) });
        break;
      }
      case "inbox.finished":
        this.#finish(data);
        break;
    }
  }

  #finish(goal: JsonObject): void {
    this.goal = goal;
    const { ok, summary, node } = goal;
    if (ok === true) return;
    this.warnings.push({ code: "goal_not_reached", message: String(summary), at: String(node) });
  }
}
