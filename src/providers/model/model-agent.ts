/**
 * A model agent takes turns by asking a language model, and by doing what it asks for with tools of its own.
 *
 * 1. What was said and done is kept as it happens, so a turn that is taken again, by any process, goes on from there.
 * 2. The time in which a person decides is nobody's: the turn has returned, and another one goes on after the decision.
 */

import { createHash } from "node:crypto";
import type { LanguageModel } from "ai";
import { type Agent, NO_USAGE, type SessionRequest, type Turn, type TurnRequest } from "../../agent/agent.ts";
import { type Policy, policyWith } from "../../agent/policy.ts";
import { type Failure, failure, messageOf } from "../../base/failure.ts";
import type { Json } from "../../base/json.ts";
import type { Attempts } from "../../kernel/plan.ts";
import { attemptsFor } from "../agent-process/turn-taking.ts";
import { CHANGING_TOOLS } from "./changing-tools.ts";
import { type Conversations, MemoryConversations } from "./conversations.ts";
import { graphTools } from "./graph-tools.ts";
import { LOOKING_TOOLS } from "./looking-tools.ts";
import { type ModelTool, offered } from "./model-tool.ts";
import { type Learnt, ModelTurn, STOPPED } from "./model-turn.ts";
import { Talk } from "./talk.ts";
import { isThinking, THINKING_LEVELS } from "./thinking.ts";
import { ToolCalls } from "./tool-calls.ts";

export interface ModelAgentOptions {
  /** A model of the AI SDK, or a function that gives the one that a turn names; without a name, the usual one. */
  readonly model: LanguageModel | ((name: string | undefined) => LanguageModel | Promise<LanguageModel>);
  /** Where turns work that name no folder of their own, absolute. */
  readonly cwd: string;
  /** Changes to the default policy, in which only what looks needs nobody. */
  readonly policy?: Partial<Policy>;
  /** Tools besides those that look into and change the working folder. */
  readonly tools?: readonly ModelTool[];
  /** What the model is told before everything else. */
  readonly instructions?: string;
  /** Where conversations are kept; in memory when absent. */
  readonly conversations?: Conversations;
  /**
   * What makes the names of conversations those of a run and no other: a turn that has no place yet, and is taken again
   * with the same key by another process, goes on from where it was. Without it such a turn begins again.
   */
  readonly salt?: string;
  /** Whether the model can be held to a schema; true when absent, until it declines one. */
  readonly structured?: boolean;
  /** How often a model is asked again that could not be reached, and how it is waited for meanwhile; 3 times when absent. */
  readonly retries?: number | Partial<Attempts>;
  readonly limits?: Partial<ModelLimits>;
  /** In US dollars for a million tokens of any kind; the cost of a turn is not known without it. */
  readonly usdPerMillion?: number;
}

/** What a turn may take at most. One that takes more fails; what it did until then stays done. */
export interface ModelLimits {
  /** How long a turn may take from one decision of a person to the next, in milliseconds; an hour when absent. */
  readonly turnMs: number;
  /** How long a model may show nothing, in milliseconds; two minutes when absent. */
  readonly idleMs: number;
  /** How often it may be asked in one turn; 100 when absent. */
  readonly answers: number;
  /** How many tokens a turn may take, but for its last answer; any number when absent. */
  readonly tokens: number;
}

const LIMITS: ModelLimits = {
  turnMs: 3_600_000,
  idleMs: 120_000,
  answers: 100,
  tokens: Number.POSITIVE_INFINITY,
};
const RETRIES: Attempts = {
  max: 4,
  initialInterval: 1000,
  backoffFactor: 3,
  maxInterval: 30_000,
  jitter: true,
};

/**
 * A language model as an agent: it is asked over its API, and gets tools that stay in `cwd`. What changes something waits
 * for a person, unless `policy` says otherwise. It has no process and needs no closing.
 */
export class ModelAgent implements Agent {
  readonly #options: ModelAgentOptions;
  readonly #limits: ModelLimits;
  readonly #policy: Policy;
  readonly #conversations: Conversations;
  /** Where turns stand that asked, for those who take them again without saying so. */
  readonly #left: Map<string, Json> = new Map();
  /** The conversations that turns are under way in (talk 5). */
  readonly #busy: Set<string> = new Set();
  readonly #learnt: Learnt;
  #taking: Promise<unknown> = Promise.resolve();

  constructor(options: ModelAgentOptions) {
    this.#options = options;
    this.#limits = { ...LIMITS, ...options.limits };
    this.#policy = policyWith(options.policy);
    this.#conversations = options.conversations ?? new MemoryConversations();
    this.#learnt = { isStructured: options.structured ?? true };
  }

  session({ node }: SessionRequest): string {
    return node;
  }

  async turn(request: TurnRequest): Promise<Turn> {
    if (request.signal.aborted) return failed(STOPPED);
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), Math.min(this.#limits.turnMs, 2 ** 31 - 1));
    try {
      const turn = await this.#take(request, AbortSignal.any([request.signal, late.signal]));
      if (turn.kind === "asks" && turn.cursor !== undefined)
        this.#left.set(request.idempotencyKey, turn.cursor);
      else this.#left.delete(request.idempotencyKey);
      return turn.kind === "failed" && late.signal.aborted ? { ...turn, failure: this.#tooLong() } : turn;
    } catch (error) {
      const message = messageOf(error);
      return failed(failure("agent_failed", `The turn could not be taken: ${message}`));
    } finally {
      clearTimeout(timer);
    }
  }

  async #take(request: TurnRequest, signal: AbortSignal): Promise<Turn> {
    const { thinking } = request;
    if (thinking !== undefined && !isThinking(thinking)) {
      const message = `A model cannot think ${JSON.stringify(thinking)}. Say one of: ${THINKING_LEVELS}.`;
      return failed(failure("agent_failed", message));
    }
    const model = await this.#modelOf(request);
    if (typeof model === "object" && "code" in model) return failed(model);
    const talk = await this.#takeUp(request, typeof model === "string" ? model : model.provider);
    const { id } = talk; // it can move on to another
    try {
      const { instructions, usdPerMillion, retries } = this.#options;
      return await new ModelTurn({
        ...{ request, model, talk, signal, ...this.#tools(request, signal), ...this.#limits },
        ...{ learnt: this.#learnt, retries: attemptsFor(retries, RETRIES), instructions, usdPerMillion },
      }).take();
    } finally {
      this.#busy.delete(id);
    }
  }

  /** Takes up conversations one after the other, so that no two turns take the same one. */
  #takeUp(request: TurnRequest, by: string): Promise<Talk> {
    const { prompt, fullPrompt = prompt, idempotencyKey: turn } = request;
    const cursor = request.cursor ?? this.#left.get(turn);
    const taken = this.#taking.then(async () => {
      const conversations = this.#conversations;
      const talk = await Talk.takeUp({
        ...{ conversations, by, turn, cursor, prompt, fullPrompt, first: this.#nameOf(turn) },
        isBusy: (id) => this.#busy.has(id),
      });
      this.#busy.add(talk.id);
      return talk;
    });
    this.#taking = taken.catch(() => {}); // whoever waits for it hears of it
    return taken;
  }

  #nameOf(turn: string): string | undefined {
    const { salt } = this.#options;
    if (salt === undefined) return undefined;
    return createHash("sha256").update(`${salt}\n${turn}`).digest("hex").slice(0, 32);
  }

  #tools(
    request: TurnRequest,
    signal: AbortSignal,
  ): { readonly tools: readonly ModelTool[]; readonly calls: ToolCalls } {
    const { tools: allowed, writes = "all", approval } = request;
    const rules = { tools: allowed, writes, policy: this.#policy };
    const all = [...LOOKING_TOOLS, ...CHANGING_TOOLS, ...(this.#options.tools ?? [])];
    const tools = [...offered(all, rules), ...graphTools(request)];
    const place = { cwd: request.cwd ?? this.#options.cwd, signal };
    const progress = request.progress.bind(request);
    return { tools, calls: new ToolCalls({ tools, rules, place, approval, progress }) };
  }

  async #modelOf({ model: name }: TurnRequest): Promise<LanguageModel | Failure> {
    const { model } = this.#options;
    if (typeof model === "function") return model(name);
    if (name === undefined) return model;
    const message = `This agent has one model and cannot be set to ${JSON.stringify(name)}.`;
    return failure("agent_failed", message);
  }

  #tooLong(): Failure {
    const message = `The model took longer than ${this.#limits.turnMs / 1000} s for its turn.`;
    return failure("agent_failed", message, { retryable: true });
  }
}

function failed(why: Failure): Turn {
  return { kind: "failed", failure: why, usage: NO_USAGE };
}
