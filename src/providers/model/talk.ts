/**
 * A talk is a conversation from where a turn takes it up.
 *
 * 1. A turn that is taken again goes on after what it had said and done before; nothing of that is done twice.
 * 2. A conversation that went on elsewhere since, after a fork for example, is copied up to the place.
 * 3. Every call of a tool has a result before the model is asked again: also one of a turn that was cut short.
 * 4. A turn that failed is forgotten, unless its tools did something.
 * 5. One turn at a time goes on in a conversation; another one that wants to goes on in a copy.
 */

import { randomUUID } from "node:crypto";
import type { ModelMessage, ToolCallPart } from "ai";
import { addUsage, NO_USAGE, type Usage } from "../../agent/agent.ts";
import { isJsonObject, type Json } from "../../base/json.ts";
import { callsIn, goodResultsIn, resultOf, resultsIn } from "./call-messages.ts";
import type { Conversations, Entry } from "./conversations.ts";

/** How far a conversation had come. */
export interface Place {
  /** The provider whose messages it has. */
  readonly by: string;
  readonly conversation: string;
  readonly length: number;
}

export interface TakeUp {
  readonly conversations: Conversations;
  readonly by: string;
  /** The idempotency key of the turn. */
  readonly turn: string;
  readonly cursor: Json | undefined;
  readonly prompt: string;
  /** The name of the conversation that this turn begins when it begins one, the same in every process. */
  readonly first?: string | undefined;
  /** Said instead when nothing is left of the conversation. */
  readonly fullPrompt: string;
  /** Says whether a turn is under way in a conversation (5). */
  isBusy(id: string): boolean;
}

type Answer = Extract<Entry, { kind: "message" }>;

export class Talk {
  readonly #conversations: Conversations;
  readonly #by: string;
  readonly #turn: string;
  #id: string;
  #entries: Entry[];
  /** Where the turn began. */
  #start: number;

  private constructor({ conversations, by, turn }: TakeUp, id: string, entries: readonly Entry[]) {
    this.#conversations = conversations;
    this.#by = by;
    this.#turn = turn;
    this.#id = id;
    this.#entries = [...entries];
    const first = entries.findIndex((entry) => entry.turn === turn);
    this.#start = first < 0 ? entries.length : first;
  }

  /** Takes up a conversation, or begins one, so that the prompt is said in it. */
  static async takeUp(wish: TakeUp): Promise<Talk> {
    const place = readPlace(wish.cursor, wish.by);
    const all = place && (await wish.conversations.read(place.conversation));
    if (place === undefined || all === undefined || all.length < place.length) return Talk.#begin(wish);
    const since = all.slice(place.length);
    if (!wish.isBusy(place.conversation) && since.every(({ turn }) => turn === wish.turn)) {
      const talk = new Talk(wish, place.conversation, all);
      if (talk.#start < all.length && talk.#hasSaid(wish)) return talk; // (1)
      if (talk.#start === all.length) return talk.#goOn(wish);
    }
    const talk = new Talk(wish, randomUUID(), []);
    await talk.#add(all.slice(0, place.length).map((entry) => ({ ...entry, turn: old(entry, wish.turn) }))); // (2)
    talk.#start = talk.#entries.length;
    return talk.#goOn(wish);
  }

  /** Begins a conversation, or goes on with the one that this very turn began before (1). */
  static async #begin(wish: TakeUp): Promise<Talk> {
    const { first = randomUUID(), conversations, fullPrompt, isBusy } = wish;
    const left = isBusy(first) ? undefined : await conversations.read(first);
    const before = new Talk(wish, first, left ?? []);
    const isOurs = left?.every(({ turn }) => turn === wish.turn) === true && before.#hasSaid(wish);
    if (isOurs) return before;
    const talk = new Talk(wish, left === undefined && !isBusy(first) ? first : randomUUID(), []);
    await talk.#say(fullPrompt);
    return talk;
  }

  get id(): string {
    return this.#id;
  }

  get messages(): ModelMessage[] {
    return this.#entries.flatMap((entry) => (entry.kind === "message" ? [entry.message] : []));
  }

  /** The calls of tools that have no result, in order. */
  get openCalls(): readonly ToolCallPart[] {
    const calls = this.messages.flatMap(callsIn);
    const done = new Set(this.messages.flatMap(resultsIn));
    return calls.filter(({ toolCallId }) => !done.has(toolCallId));
  }

  /** Says whether a call was begun, perhaps by a process that is gone. */
  hasBegun({ toolCallId }: ToolCallPart): boolean {
    return this.#entries.some((entry) => entry.kind === "began" && entry.call === toolCallId);
  }

  /** What the model said last, when that was in this turn. */
  get answer(): Answer | undefined {
    const last = this.#entries.findLast((entry) => entry.kind === "message");
    return last?.turn === this.#turn && last.message.role === "assistant" ? last : undefined;
  }

  /** Says whether something was said before this turn. */
  get hasHistory(): boolean {
    return this.#start > 0;
  }

  /** The input of the last call of a tool in this turn that came to a good end. */
  lastDone(tool: string): unknown {
    const own = this.#own.flatMap((entry) => (entry.kind === "message" ? [entry.message] : []));
    const done = new Set(own.flatMap(goodResultsIn));
    const calls = own
      .flatMap(callsIn)
      .filter(({ toolName, toolCallId }) => toolName === tool && done.has(toolCallId));
    return calls.at(-1)?.input;
  }

  /** How often the model answered in this turn. */
  get answers(): number {
    return this.#own.filter((entry) => entry.kind === "message" && entry.message.role === "assistant").length;
  }

  /** What this turn has cost so far. */
  get usage(): Usage {
    const known = this.#own.flatMap((entry) =>
      entry.kind === "message" && entry.usage ? [entry.usage] : [],
    );
    return known.reduce(addUsage, NO_USAGE);
  }

  get cursor(): Json {
    return this.#placeAt(this.#entries.length);
  }

  /** Where the session stands when the turn fails (4). */
  get cursorAfterFailure(): Json {
    const hasActed = this.#own.some(({ kind }) => kind === "began");
    return hasActed ? this.cursor : this.#placeAt(this.#start);
  }

  async heard(
    messages: readonly ModelMessage[],
    { usage, finish }: { readonly usage: Usage; readonly finish: string },
  ): Promise<void> {
    await this.#add(
      messages.map((message, index) => ({
        ...{ kind: "message", turn: this.#turn, message },
        ...(index === 0 && { usage, finish }),
      })),
    );
  }

  async begins({ toolCallId }: ToolCallPart): Promise<void> {
    await this.#add([{ kind: "began", turn: this.#turn, call: toolCallId }]);
  }

  /** Gives a call its result. */
  async result(call: ToolCallPart, text: string, isError: boolean): Promise<void> {
    await this.#add([{ kind: "message", turn: this.#turn, message: resultOf(call, text, isError) }]);
  }

  /** Goes on with this turn alone, which begins with this prompt, in a conversation of its own. */
  async shorten(prompt: string): Promise<void> {
    const [, ...rest] = this.#own; // the first says the prompt
    this.#id = randomUUID();
    this.#entries = [];
    this.#start = 0;
    await this.#say(prompt);
    await this.#add(rest);
  }

  get #own(): readonly Entry[] {
    return this.#entries.filter(({ turn }) => turn === this.#turn);
  }

  async #goOn({ prompt, fullPrompt }: TakeUp): Promise<Talk> {
    for (const call of this.openCalls)
      await this.result(call, "It was not done: the turn was stopped before.", true); // (3)
    await this.#say(this.#entries.length === 0 ? fullPrompt : prompt);
    return this;
  }

  #say(content: string): Promise<void> {
    return this.#add([{ kind: "message", turn: this.#turn, message: { role: "user", content } }]);
  }

  /** Says whether the turn began with the same words. */
  #hasSaid({ prompt, fullPrompt }: TakeUp): boolean {
    const said = this.#own.find((entry) => entry.kind === "message" && entry.message.role === "user");
    const content = said?.kind === "message" ? said.message.content : undefined;
    return content === prompt || content === fullPrompt;
  }

  async #add(entries: readonly Entry[]): Promise<void> {
    if (entries.length === 0) return;
    await this.#conversations.add(this.#id, entries);
    this.#entries.push(...entries);
  }

  #placeAt(length: number): Json {
    return { by: this.#by, conversation: this.#id, length };
  }
}

/** A copy has nothing of the turn that goes on in it. */
function old({ turn }: Entry, now: string): string {
  return turn === now ? `${turn} (before)` : turn;
}

function readPlace(json: Json | undefined, by: string): Place | undefined {
  if (!isJsonObject(json) || json["by"] !== by) return undefined;
  const { conversation, length } = json;
  return typeof conversation === "string" && typeof length === "number"
    ? { by, conversation, length }
    : undefined;
}
