/**
 * An exchange is one prompt and everything that the agent says, does and asks until it has answered it.
 *
 * 1. Permission requests and questions wait in line; one that nobody needs to decide on is answered at once.
 * 2. Options are chosen by their kind, never by their id or place, and only ever for this once.
 * 3. The tools of the graph need nobody's permission: what they are given is checked where it arrives.
 */

import type {
  PermissionOption,
  PromptResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionUpdate,
  UsageUpdate,
} from "@agentclientprotocol/sdk/unstable";
import type { Approval, Asked, Progress } from "../../agent/agent.ts";
import { type Rules, verdictOn } from "../../agent/policy.ts";
import type { Reach } from "../../agent/tool-desk.ts";
import { type Json, sameJson } from "../../base/json.ts";
import { Attention } from "../agent-process/attention.ts";
import { Decisions } from "../agent-process/decisions.ts";
import { TurnSeat } from "../tool-desk/turn-seat.ts";
import { Remarks } from "./remarks.ts";
import { planText, Speech } from "./speech.ts";
import { type CallQuirks, ToolCalls } from "./tool-calls.ts";

/** How a prompt ended: with an answer, or with what was thrown. */
export type Ending =
  | { readonly kind: "answered"; readonly answer: PromptResponse }
  | { readonly kind: "broken"; readonly error: unknown };

/** What can be said to a permission request. */
interface Choice {
  readonly id: string;
  readonly options: readonly PermissionOption[];
}

const CANCELLED: RequestPermissionResponse = { outcome: { outcome: "cancelled" } };

export interface ExchangeOptions {
  /** Which turn it is for. */
  readonly key: string;
  /** The folder that the agent works in, absolute. */
  readonly cwd: string;
  readonly rules: Rules;
  readonly quirks?: CallQuirks;
  /** A decision that was taken before, when the process that asked for it is gone. */
  readonly decided?: Approval | undefined;
  /** What the agent can reach of its graph. */
  readonly reach: Reach;
  readonly progress: (chunk: Progress) => void;
}

export class Exchange {
  readonly key: string;
  readonly attention: Attention;
  /** Where the agent reaches its graph. */
  readonly seat: TurnSeat;
  readonly #rules: Rules;
  readonly #calls: ToolCalls;
  readonly #decisions: Decisions;
  readonly #speech: Speech = new Speech();
  readonly #metas: unknown[] = [];
  readonly #remarks: Remarks = new Remarks();
  readonly #answers: PromptResponse[] = [];
  #mayWrite = false;
  #hasActed = false;
  /** What the agent last said that its session has cost, in US dollars. */
  cost: number | undefined;
  /** The most tokens that the agent said its conversation has: a request of this turn had as many. */
  filled = 0;
  ending: Ending | undefined;

  constructor({ key, cwd, rules, quirks, decided, reach, progress }: ExchangeOptions) {
    this.key = key;
    this.#rules = rules;
    this.#calls = new ToolCalls(cwd, quirks);
    this.attention = new Attention(progress);
    this.#decisions = new Decisions(decided, () => this.attention.wake());
    this.seat = new TurnSeat(reach, (asked, gone) => this.#ask(asked, gone));
  }

  /** What a person is to decide on next. */
  get asked(): Asked | undefined {
    return this.#decisions.asked;
  }

  /** The final message. */
  get message(): string {
    return this.#speech.message;
  }

  /** What every prompt of it was answered with. */
  get answers(): readonly PromptResponse[] {
    return this.#answers;
  }

  /** The `_meta` of everything that was said. */
  get metas(): readonly unknown[] {
    return this.#metas;
  }

  /** Whether a tool was called, a person asked, or a file written. */
  get hasActed(): boolean {
    return this.#hasActed || this.seat.wasUsed;
  }

  /** Lets the agent have this file written, when the policy or a person has let it edit. */
  letWrite(path: string): boolean {
    const verdict = verdictOn({ kind: "edit", paths: [path] }, this.#rules);
    const may = verdict === "allow" || (verdict === "ask" && this.#mayWrite);
    if (may) this.#hasActed = true;
    return may;
  }

  /** Says whether the agent has told that it calls a graph tool with these arguments. */
  isCalling(tool: string, args: Json): boolean {
    return this.#calls.isCalling(tool, args);
  }

  /** Leaves it alone until a person has decided. */
  park(): void {
    this.seat.park();
    this.attention.park();
  }

  update(update: SessionUpdate): void {
    this.attention.signs++;
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
        this.#metas.push(update._meta);
        if (update.content.type === "text") this.#say(update.content.text, update.messageId ?? undefined);
        break;
      case "agent_thought_chunk":
        if (update.content.type === "text")
          this.attention.show({ kind: "thought", text: update.content.text });
        break;
      case "tool_call":
      case "tool_call_update":
        this.#use(update);
        break;
      case "plan":
        this.attention.show({ kind: "thought", text: planText(update.entries) });
        break;
      case "usage_update":
        this.#spend(update);
        break;
      default: // what the session offers or is called changes nothing here
    }
    this.attention.wake();
  }

  /** Answers a permission request, at once or when a person has decided (1). */
  async permission(
    { toolCall, options }: RequestPermissionRequest,
    gone: AbortSignal,
  ): Promise<RequestPermissionResponse> {
    this.attention.signs++;
    this.#use(toolCall);
    const id = toolCall.toolCallId;
    const verdict = this.#calls.isGraphTool(id) ? "allow" : verdictOn(this.#calls.use(id), this.#rules); // (3)
    if (verdict !== "ask") return this.#chosen({ id, options }, { approved: verdict === "allow" });
    const decision = await this.#decisions.on(this.#calls.asked(id), gone);
    return decision === undefined ? CANCELLED : this.#chosen({ id, options }, decision);
  }

  /** Gives the agent a person's decision on what it asked first. */
  decide(approval: Approval): void {
    const isHeard = this.#decisions.take(approval);
    if (!isHeard && approval.answer !== undefined) this.#remarks.keep(approval); // it gave up waiting
  }

  /** Answers everything that is open the way the protocol wants it when a turn is cancelled. */
  cancelOpen(): void {
    this.#decisions.cancel();
  }

  end(ending: Ending): void {
    this.ending = ending;
    if (ending.kind === "answered") this.#answers.push(ending.answer);
    this.cancelOpen();
    for (const chunk of this.#calls.closeOpen()) this.attention.show(chunk);
    this.attention.wake();
  }

  /** What the agent must still be told, when a decision ended its work or said more than yes or no; once. */
  takeRemark(): string | undefined {
    return this.#remarks.take();
  }

  /** Opens it again for another prompt. */
  reopen(): void {
    this.ending = undefined;
    this.#speech.breakOff();
  }

  /** Puts a question of the agent's to a person. Rejects when the turn ends before there is an answer. */
  async #ask(asked: Asked, gone: AbortSignal): Promise<Approval> {
    this.attention.signs++;
    const decision = await this.#decisions.on(asked, gone);
    if (decision === undefined) throw new Error("The turn ended before anybody answered.");
    return decision;
  }

  #say(text: string, id: string | undefined): void {
    if (text === "") return;
    this.#speech.add(text, id);
    if (text.trim() !== "") this.#remarks.spoke();
    this.attention.show({ kind: "text", text });
  }

  #use(update: Parameters<ToolCalls["update"]>[0]): void {
    this.#hasActed = true;
    if (!this.#calls.has(update.toolCallId)) this.#speech.breakOff();
    const chunk = this.#calls.update(update);
    if (chunk !== undefined) this.attention.show(chunk);
  }

  #spend({ cost, used }: UsageUpdate): void {
    if (cost?.currency === "USD") this.cost = cost.amount;
    this.filled = Math.max(this.filled, used);
  }

  /** Chooses by kind (2). Changed arguments cannot be passed on, so the call is declined and the agent told. */
  #chosen({ id, options }: Choice, decision: Approval): RequestPermissionResponse {
    const { approved, args, reason } = decision;
    const changed = approved && args !== undefined && !sameJson(args, this.#calls.asked(id).args);
    const allowed = approved && !changed;
    const option = options.find(({ kind }) => kind === (allowed ? "allow_once" : "reject_once"));
    const { kind } = this.#calls.use(id);
    if (allowed && option !== undefined && kind === "edit") this.#mayWrite = true;
    if (!allowed) this.#remarks.declined();
    if (changed || (!approved && reason !== undefined)) this.#remarks.keep(decision);
    if (option === undefined) return CANCELLED;
    return { outcome: { outcome: "selected", optionId: option.optionId } };
  }
}
