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
import type { Reach } from "../../agent/tool-desk.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { Attention } from "../agent-process/attention.ts";
import { Decisions } from "../agent-process/decisions.ts";
import { callTool } from "../tool-desk/graph-tools.ts";
import { TurnSeat } from "../tool-desk/turn-seat.ts";
import { DISMISSED, type DialogAnswer, graphAnswer, type Handling, handle } from "./dialogs.ts";

export interface PiExchangeOptions {
  /** Which turn it is for. */
  readonly key: string;
  readonly cwd: string;
  readonly rules: Rules;
  /** A decision that was taken before, when the process that asked for it is gone. */
  readonly decided?: Approval | undefined;
  /** What pi can reach of its graph. */
  readonly reach: Reach;
  readonly progress: (chunk: Progress) => void;
  /** Answers the dialog with this id. */
  readonly answer: (id: string, answer: DialogAnswer) => void;
}

export class PiExchange {
  readonly key: string;
  readonly attention: Attention;
  /** Where pi reaches its graph. */
  readonly seat: TurnSeat;
  readonly #options: PiExchangeOptions;
  readonly #decisions: Decisions;
  readonly #titles: Map<string, string> = new Map();
  /** Fires when nothing that is asked is waited for any more. */
  readonly #gone: AbortController = new AbortController();
  #hasActed = false;
  #last: JsonObject = {};
  hasSettled = false;
  usage: Usage = NO_USAGE;

  constructor(options: PiExchangeOptions) {
    const { key, decided, reach, progress } = options;
    this.key = key;
    this.#options = options;
    this.attention = new Attention(progress);
    this.#decisions = new Decisions(decided, () => this.attention.wake());
    this.seat = new TurnSeat(reach, (asked, gone) => this.#ask(asked, gone));
  }

  get asked(): Asked | undefined {
    return this.#decisions.asked;
  }

  /** Whether a tool was called, or a person asked. */
  get hasActed(): boolean {
    return this.#hasActed || this.seat.wasUsed;
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

  /** Leaves it alone until a person has decided. */
  park(): void {
    this.seat.park();
    this.attention.park();
  }

  /** Takes in a record that is no response. */
  hear(record: JsonObject): void {
    this.attention.signs++;
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
    this.attention.wake();
  }

  /** Gives pi a person's decision on what it asked first. */
  decide(approval: Approval): void {
    this.#decisions.take(approval);
  }

  /** Dismisses every open dialog: being told to stop does not close them. */
  dismiss(): void {
    this.#decisions.cancel();
  }

  /** It is over: nothing that was asked in it is waited for. */
  close(): void {
    this.#gone.abort();
    this.seat.end();
  }

  #show({ assistantMessageEvent: event }: JsonObject): void {
    const { type, delta } = isJsonObject(event) ? event : {};
    if (typeof delta !== "string") return;
    if (type === "text_delta") this.attention.show({ kind: "text", text: delta });
    if (type === "thinking_delta") this.attention.show({ kind: "thought", text: delta });
  }

  #end({ message }: JsonObject): void {
    if (!isJsonObject(message) || message["role"] !== "assistant") return;
    this.#last = message;
    this.usage = addUsage(this.usage, usageOf(message["usage"]));
  }

  /** The end of a call does not say what it was about; its beginning did. */
  #use(record: JsonObject, status: Extract<Progress, { kind: "tool" }>["status"]): void {
    this.#hasActed = true;
    const id = String(record["toolCallId"]);
    const title = this.#titles.get(id) ?? titleOf(record);
    this.#titles.set(id, title);
    this.attention.show({ kind: "tool", title, status });
  }

  #dialog(record: JsonObject): void {
    const { rules, cwd } = this.#options;
    const handling = handle(record, rules, cwd);
    if (handling === undefined) return;
    this.#hasActed = true;
    void this.#answerTo(handling).then((answer) => this.#options.answer(String(record["id"]), answer));
  }

  async #answerTo(handling: Handling): Promise<DialogAnswer> {
    const gone = this.#gone.signal;
    switch (handling.kind) {
      case "answer":
        return handling.answer;
      case "ask": {
        const decision = await this.#decisions.on(handling.asked, gone);
        return decision === undefined ? DISMISSED : handling.answer(decision);
      }
      case "graph": {
        const { text, isError } = await callTool(this.seat.offer, handling.tool, handling.input, gone);
        return graphAnswer(text, isError);
      }
    }
  }

  /** Puts a question of pi's to a person. Rejects when the turn ends before there is an answer. */
  async #ask(asked: Asked, gone: AbortSignal): Promise<Approval> {
    const decision = await this.#decisions.on(asked, gone);
    if (decision === undefined) throw new Error("The turn ended before anybody answered.");
    return decision;
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
