/**
 * A turn: everything that has arrived goes to the node's agent, and what the agent says goes out in one commit.
 *
 * 1. Nothing is sent, and no inbox touched, before the turn is committed.
 * 2. A turn that asked goes on after the answer with the same prompt; it is the same turn.
 * 3. A turn that was cut short by the end of its process counts as interrupted, and another one takes its inputs.
 * 4. A turn that somebody interrupts keeps what it cost, where its session stands and what it had said so far. What
 *    it wanted to send is dropped, and its inputs are used up.
 * 5. A failed turn uses up nothing: its task stays open with its inputs, and a retry runs them first.
 */

import type { Agent, Approval, Turn } from "../../agent/agent.ts";
import { type Failure, failure } from "../../base/failure.ts";
import type { Handler, Outcome, TaskContext, TaskInput } from "../../kernel/program.ts";
import { askFor, decisionOn, type Proposal, proposalOf } from "./approval.ts";
import { budgetReached } from "./budget.ts";
import { inboxOf, NUDGE, readDesk } from "./channels.ts";
import { conclude, cutShort, type Work } from "./conclude.ts";
import { DEFAULT_TOOLS } from "./definition.ts";
import type { Input } from "./envelope.ts";
import type { InboxServices } from "./ports.ts";
import { deltaPrompt, fullPrompt, type Occasion } from "./prompt.ts";
import type { Seat } from "./seat.ts";
import { latestSession, type Session } from "./session.ts";
import { type Beginning, TurnLog, type Why } from "./turn-log.ts";

/** The handler of a node. */
export function turnHandler(seat: Seat, services: InboxServices): Handler {
  return (input, context) => new NodeTurn(seat, services, input, context).take();
}

type Done = Extract<Turn, { kind: "done" }>;
type Failed = Extract<Turn, { kind: "failed" }>;

class NodeTurn {
  readonly #seat: Seat;
  readonly #services: InboxServices;
  readonly #context: TaskContext;
  readonly #input: TaskInput;
  readonly #log: TurnLog;
  readonly #agent: Agent;
  readonly #session: Session | undefined;
  readonly #occasion: Occasion;
  /** What the agent has shown of its message so far. */
  #partial = "";

  constructor(seat: Seat, services: InboxServices, input: TaskInput, context: TaskContext) {
    this.#seat = seat;
    this.#services = services;
    this.#context = context;
    this.#input = input;
    this.#log = new TurnLog(context);
    this.#agent = services.agent(seat.node.agent);
    const desk = readDesk(input.snapshot, seat.id);
    this.#session = latestSession(seat, desk.session, this.#log.failures);
    this.#occasion = {
      seat,
      // Only `dispatch` and `commands` append to inboxes.
      inputs: (input.taken[inboxOf(seat.id)] ?? []) as unknown as readonly Input[],
      isAutomatic: (input.taken[NUDGE] ?? []).length > 0,
      undelivered: desk.undelivered ?? [],
    };
  }

  async take(): Promise<Outcome> {
    const { latest } = this.#log;
    if (this.#context.interrupted !== undefined) return this.#interrupted(latest, undefined);
    if (latest?.attempt === this.#context.attempt) {
      const failed = this.#log.failureOf(latest.turn);
      if (failed !== undefined) return this.#failedOutcome(latest, failed.failure);
    }
    const held = budgetReached(this.#input.snapshot);
    if (held !== undefined) return held;
    const decision = this.#decision(latest);
    if (decision === "open") return this.#askAgain();
    const begun = await this.#begin(latest, decision);
    return this.#settle(begun, await this.#ask(begun));
  }

  /** What a person decided since the turn went on last; `open` when the answer decides nothing. */
  #decision(latest: Beginning | undefined): Approval | "open" | undefined {
    const { answers } = this.#context;
    if (latest === undefined || answers.length === latest.answers) return undefined;
    const asked = this.#log.asked(answers.length - 1);
    return (asked && decisionOn(asked, answers.at(-1))) ?? "open";
  }

  async #askAgain(): Promise<Outcome> {
    const asked = this.#log.asked(this.#context.answers.length - 1);
    if (asked === undefined) {
      const message = `${this.#seat.id} has an answer and no question that it belongs to.`;
      return { kind: "failed", failure: failure("internal", message) };
    }
    return this.#question(asked);
  }

  async #question(proposal: Proposal): Promise<Outcome> {
    await this.#log.ask(proposal);
    return { kind: "asks", questions: [askFor(proposal)] };
  }

  /** Begins a turn, or goes on with the one that waited for an answer (2). */
  async #begin(latest: Beginning | undefined, decision: Approval | undefined): Promise<Beginning> {
    const now = { attempt: this.#context.attempt, answers: this.#context.answers.length };
    const begun: Beginning =
      decision !== undefined && latest !== undefined
        ? { ...latest, ...now, why: "answered", approval: decision }
        : await this.#newTurn(latest);
    await this.#log.begin(begun);
    return begun;
  }

  async #newTurn(latest: Beginning | undefined): Promise<Beginning> {
    const { attempt } = this.#context;
    const why: Why = latest === undefined ? "first" : latest.attempt < attempt ? "retried" : "restarted";
    const before = latest?.turn ?? readDesk(this.#input.snapshot, this.#seat.id).turns;
    const mark = await this.#services.diff?.before(this.#seat.id);
    const full = this.#context.keep("prompt", fullPrompt(this.#occasion)).ref;
    const form = this.#session?.role === this.#seat.role ? "delta" : "full";
    const sent = form === "full" ? full : this.#context.keep("prompt", deltaPrompt(this.#occasion)).ref;
    const approval = why === "restarted" ? latest?.approval : undefined; // (3)
    return {
      ...{ turn: before + 1, why, attempt, answers: this.#context.answers.length, form, full, sent },
      session: this.#agent.session({ node: this.#seat.id }),
      contacts: this.#seat.network.contacts(this.#seat.id).map(([to]) => to),
      ...(mark !== undefined && { mark }),
      ...(approval && { approval }),
    };
  }

  async #ask({ turn, sent, approval }: Beginning): Promise<Turn> {
    const { id, node } = this.#seat;
    const context = this.#context;
    return this.#agent.turn({
      ...{ node: id, signal: context.signal, tools: node.tools ?? DEFAULT_TOOLS[node.kind] },
      prompt: (await context.fetch(sent)) ?? fullPrompt(this.#occasion),
      ...(node.model !== undefined && { model: node.model }),
      ...(node.thinking !== undefined && { thinking: node.thinking }),
      ...(this.#session && { cursor: this.#session.cursor }),
      ...(approval && { approval }),
      idempotencyKey: `${context.run}/${context.task}/turn:${turn}`,
      progress: (chunk) => {
        if (chunk.kind === "text") this.#partial += chunk.text;
        context.progress(chunk);
      },
    });
  }

  async #settle(begun: Beginning, result: Turn): Promise<Outcome> {
    if (this.#context.interrupted !== undefined) return this.#interrupted(begun, result);
    if (this.#context.signal.aborted) return stoppedByDriver();
    if (result.kind === "asks") return this.#question(proposalOf(this.#context, result));
    if (result.kind === "failed") return this.#failed(begun, result);
    const text = result.text.trim() === "" ? (result.finish?.summary ?? "") : result.text;
    if (text.trim() === "") return this.#failed(begun, withoutMessage(this.#seat.id, result));
    return conclude(this.#work(begun, await this.#diff(begun)), { ...result, text });
  }

  async #interrupted(begun: Beginning | undefined, result: Turn | undefined): Promise<Outcome> {
    const partial = result?.kind === "done" ? result.text : this.#partial;
    return cutShort(this.#work(begun, await this.#diff(begun)), result, partial);
  }

  async #failed(begun: Beginning, { failure: why, usage, cursor }: Failed): Promise<Outcome> {
    await this.#log.fail(begun.turn, { failure: why, usage, ...(cursor !== undefined && { cursor }) });
    return this.#failedOutcome(begun, why);
  }

  #failedOutcome({ turn }: Beginning, why: Failure): Outcome {
    const usage = this.#log.failureOf(turn)?.usage ?? null;
    const data = { turn, status: "failed", usage: usage && { ...usage } };
    return { kind: "failed", failure: { ...why, at: this.#seat.id }, notes: [{ kind: "inbox.turn", data }] };
  }

  async #diff(begun: Beginning | undefined): Promise<string | undefined> {
    if (begun?.mark === undefined) return undefined;
    return this.#services.diff?.after(this.#seat.id, begun.mark);
  }

  #work(begun: Beginning | undefined, diff: string | undefined): Work {
    const desk = readDesk(this.#input.snapshot, this.#seat.id);
    return {
      ...{ seat: this.#seat, context: this.#context, snapshot: this.#input.snapshot, desk },
      ...{ inputs: this.#occasion.inputs, session: this.#session, failures: this.#log.failures },
      turn: begun?.turn ?? desk.turns + 1,
      contacts: begun?.contacts ?? [],
      diff: diff === undefined ? undefined : this.#context.keep("diff", diff),
    };
  }
}

function withoutMessage(node: string, { usage, cursor }: Done): Failed {
  const message = `${node} ended its turn without a final message. Retry it, or tell it to say what came of its turn.`;
  return { kind: "failed", failure: failure("output_invalid", message), usage, cursor };
}

/** The driver was told to stop: nothing that the agent says now counts. */
function stoppedByDriver(): Outcome {
  return { kind: "held", reason: "stopped", message: "The driver stopped while the agent was at work." };
}
