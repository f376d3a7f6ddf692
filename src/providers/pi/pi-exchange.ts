/**
 * An exchange is one prompt to pi and everything that it says, does and asks until it has settled.
 *
 * 1. pi has settled when it says so. Its agent may end before that and go on by itself: it tries again, or compacts.
 * 2. Dialogs wait in line, and each is answered exactly once.
 * 3. The final message is the text of the last answer of the model.
 */

import {
  type Approval,
  type Asked,
  addUsage,
  NO_USAGE,
  type Progress,
  type Usage,
} from "../../agent/agent.ts";
import type { Rules } from "../../agent/policy.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { DISMISSED, type DialogAnswer, handle, sameAsked } from "./dialogs.ts";

interface Open {
  readonly id: string;
  readonly asked: Asked;
  readonly answer: (approval: Approval) => DialogAnswer;
}

export interface PiExchangeOptions {
  /** Which turn it is for. */
  readonly key: string;
  readonly cwd: string;
  readonly rules: Rules;
  /** A decision that was taken before, when the process that asked for it is gone. */
  readonly decided?: Approval | undefined;
  readonly progress: (chunk: Progress) => void;
  /** Answers the dialog with this id. */
  readonly answer: (id: string, answer: DialogAnswer) => void;
}

export class PiExchange {
  readonly key: string;
  readonly #options: PiExchangeOptions;
  readonly #open: Open[] = [];
  readonly #titles: Map<string, string> = new Map();
  #decided: Approval | undefined;
  #progress: (chunk: Progress) => void;
  #wake: (() => void) | undefined;
  #last: JsonObject = {};
  isParked = false;
  hasSettled = false;
  /** How often pi has shown a sign of life. */
  signs = 0;
  usage: Usage = NO_USAGE;

  constructor(options: PiExchangeOptions) {
    this.key = options.key;
    this.#options = options;
    this.#decided = options.decided;
    this.#progress = options.progress;
  }

  get asked(): Asked | undefined {
    return this.#open[0]?.asked;
  }

  /** The final message (3). */
  get message(): string {
    const { content } = this.#last;
    const parts = Array.isArray(content) ? content : [];
    return parts
      .map((part: Json) => (isJsonObject(part) && part["type"] === "text" ? String(part["text"]) : ""))
      .join("")
      .trim();
  }

  /** Why the model's last answer ended, and what was wrong with it. */
  get ending(): { readonly reason: Json | undefined; readonly error: Json | undefined } {
    return { reason: this.#last["stopReason"], error: this.#last["errorMessage"] };
  }

  park(): void {
    this.isParked = true;
    this.#progress = () => {};
  }

  takeUp(progress: (chunk: Progress) => void): void {
    this.isParked = false;
    this.#progress = progress;
  }

  /** Takes in a record that is no response. */
  hear(record: JsonObject): void {
    this.signs++;
    switch (record["type"]) {
      case "message_update":
        this.#show(record);
        break;
      case "message_end":
        this.#end(record);
        break;
      case "tool_execution_start":
        this.#use(record, "running");
        break;
      case "tool_execution_end":
        this.#use(record, record["isError"] === true ? "failed" : "completed");
        break;
      case "extension_ui_request":
        this.#dialog(record);
        break;
      case "agent_settled":
        this.hasSettled = true; // (1)
        break;
      default: // a sign of life
    }
    this.wake();
  }

  /** Gives pi a person's decision on what it asked first. */
  decide(approval: Approval): void {
    const open = this.#open[0];
    if (open === undefined || (approval.asked !== undefined && !sameAsked(approval.asked, open.asked)))
      return;
    this.#open.shift();
    this.#options.answer(open.id, open.answer(approval));
  }

  /** Dismisses every open dialog: being told to stop does not close them. */
  dismiss(): void {
    for (const { id } of this.#open.splice(0)) this.#options.answer(id, DISMISSED);
  }

  /** Resolves with the next change, or after so many milliseconds. */
  changed(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.min(milliseconds, 2 ** 31 - 1));
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  wake(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }

  #show({ assistantMessageEvent: event }: JsonObject): void {
    const { type, delta } = isJsonObject(event) ? event : {};
    if (typeof delta !== "string") return;
    if (type === "text_delta") this.#progress({ kind: "text", text: delta });
    if (type === "thinking_delta") this.#progress({ kind: "thought", text: delta });
  }

  #end({ message }: JsonObject): void {
    if (!isJsonObject(message) || message["role"] !== "assistant") return;
    this.#last = message;
    this.usage = addUsage(this.usage, usageOf(message["usage"]));
  }

  /** The end of a call does not say what it was about; its beginning did. */
  #use(record: JsonObject, status: Extract<Progress, { kind: "tool" }>["status"]): void {
    const id = String(record["toolCallId"]);
    const title = this.#titles.get(id) ?? titleOf(record);
    this.#titles.set(id, title);
    this.#progress({ kind: "tool", title, status });
  }

  #dialog(record: JsonObject): void {
    const { answer, rules, cwd } = this.#options;
    const id = String(record["id"]);
    const handling = handle(record, rules, cwd);
    if (handling?.kind === "answer") answer(id, handling.answer);
    if (handling?.kind !== "ask") return;
    const decided = this.#decided;
    if (decided?.asked !== undefined && sameAsked(decided.asked, handling.asked)) {
      this.#decided = undefined;
      answer(id, handling.answer(decided));
    } else this.#open.push({ id, asked: handling.asked, answer: handling.answer });
  }
}

function titleOf({ toolName, args }: JsonObject): string {
  const { path, command } = isJsonObject(args) ? args : {};
  return `${String(toolName)} ${String(path ?? command ?? "")}`.trim();
}

function usageOf(usage: Json | undefined): Usage {
  if (!isJsonObject(usage)) return { tokens: 0, costUsd: null, uncounted: true };
  const parts = [usage["input"], usage["output"], usage["cacheRead"], usage["cacheWrite"]];
  const sum = parts.reduce<number>((all, part) => all + (typeof part === "number" ? part : 0), 0);
  const { totalTokens, cost } = usage;
  const total = isJsonObject(cost) ? cost["total"] : undefined;
  return {
    tokens: typeof totalTokens === "number" ? totalTokens : sum,
    costUsd: typeof total === "number" ? total : null,
  };
}
