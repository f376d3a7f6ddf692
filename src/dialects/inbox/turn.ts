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

import type { Agent, Approval, StagedSend, Turn } from "../../agent/agent.ts";
import { failure } from "../../base/failure.ts";
import type { Handler, Outcome, TaskContext, TaskInput } from "../../kernel/program.ts";
import { askFor, decisionOn, type Proposal, proposalOf } from "./approval.ts";
import { budgetReached } from "./budget.ts";
import { inboxOf, NUDGE, readDesk } from "./channels.ts";
import { conclude, cutShort, failedAgain, failedNotes, type Work } from "./conclude.ts";
import { DEFAULT_TOOLS } from "./definition.ts";
import { type Sender, wayOf } from "./dispatch.ts";
import type { Input } from "./envelope.ts";
import { Network } from "./network.ts";
import { openPlace, type Review, reviewPlace } from "./place.ts";
import type { InboxServices } from "./ports.ts";
import { deltaPrompt, fullPrompt, type Occasion } from "./prompt.ts";
import type { Seat } from "./seat.ts";
import { latestSession, type Session } from "./session.ts";
import { Staging } from "./staging.ts";
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
  #staging: Staging | undefined;
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
      const known = this.#log.failureOf(latest.turn);
      if (known !== undefined) return failedAgain(this.#seat.id, latest.turn, known);
    }
    const held = budgetReached(this.#input.snapshot);
    if (held !== undefined) return held;
    const decision = this.#decision(latest);
    if (decision === "open") return this.#askAgain(latest);
    const begun = await this.#begin(latest, decision);
    if (typeof begun === "string") return { kind: "failed", failure: failure("node_failed", begun) };
    return this.#settle(begun, await this.#ask(begun));
  }

  /** What a person decided since the turn went on last; `open` when the answer decides nothing. */
  #decision(latest: Beginning | undefined): Approval | "open" | undefined {
    const { answers } = this.#context;
    if (latest === undefined || answers.length === latest.answers) return undefined;
    const asked = this.#log.asked(answers.length - 1);
    return (asked && decisionOn(asked, answers.at(-1))) ?? "open";
  }

  async #askAgain(latest: Beginning | undefined): Promise<Outcome> {
    const asked = this.#log.asked(this.#context.answers.length - 1);
    if (asked === undefined || latest === undefined) {
      const message = `${this.#seat.id} has an answer and no question that it belongs to.`;
      return { kind: "failed", failure: failure("internal", message) };
    }
    return this.#question(asked, this.#stagingOf(latest), latest.turn);
  }

  async #question(proposal: Proposal, staging: Staging, turn: number): Promise<Outcome> {
    const sends = staging.close();
    const { rejections } = staging;
    if (sends.length + rejections.length > 0) await this.#log.stage({ turn, sends, rejections });
    await this.#log.ask(proposal);
    return { kind: "asks", questions: [askFor(proposal)] };
  }

  /** Begins a turn, or goes on with the one that waited for an answer (2); a sentence says why it cannot. */
  async #begin(latest: Beginning | undefined, decision?: Approval): Promise<Beginning | string> {
    const now = { attempt: this.#context.attempt, answers: this.#context.answers.length };
    const begun =
      decision !== undefined && latest !== undefined
        ? { ...latest, ...now, why: "answered" as const, approval: decision }
        : await this.#newTurn(latest);
    if (typeof begun !== "string") await this.#log.begin(begun);
    return begun;
  }

  async #newTurn(latest: Beginning | undefined): Promise<Beginning | string> {
    const { attempt, run } = this.#context;
    const why: Why = latest === undefined ? "first" : latest.attempt < attempt ? "retried" : "restarted";
    const { turns, worktree } = readDesk(this.#input.snapshot, this.#seat.id);
    const place = await openPlace({
      ...{ seat: this.#seat, services: this.#services, run },
      canWrite: this.#agent.mayWrite?.({ node: this.#seat.id }) !== false,
      left: why === "restarted" ? latest?.place : undefined,
      worktree: latest?.place.worktree ?? worktree,
    });
    if (typeof place === "string") return place;
    const full = this.#context.keep("prompt", fullPrompt(this.#occasion)).ref;
    const form = this.#session?.role === this.#seat.role ? "delta" : "full";
    const sent = form === "full" ? full : this.#context.keep("prompt", deltaPrompt(this.#occasion)).ref;
    const approval = why === "restarted" ? latest?.approval : undefined; // (3)
    return {
      ...{ turn: (latest?.turn ?? turns) + 1, why, attempt, answers: this.#context.answers.length },
      ...{ form, full, sent, place },
      session: this.#agent.session({ node: this.#seat.id }),
      contacts: this.#seat.network.contacts(this.#seat.id).map(([to]) => to),
      ...(approval && { approval }),
    };
  }

  async #ask(begun: Beginning): Promise<Turn> {
    const { id, node } = this.#seat;
    const { place, approval } = begun;
    const context = this.#context;
    const full = (await context.fetch(begun.full)) ?? fullPrompt(this.#occasion);
    const staging = this.#stagingOf(begun);
    this.#staging = staging;
    return this.#agent.turn({
      ...{
        node: id,
        signal: context.signal,
        tools: node.tools ?? DEFAULT_TOOLS[node.kind],
        writes: place.writes,
      },
      ...(place.folder !== undefined && { cwd: place.folder }),
      prompt: (await context.fetch(begun.sent)) ?? full,
      ...(begun.form === "delta" && { fullPrompt: full }),
      ...(node.model !== undefined && { model: node.model }),
      ...(node.thinking !== undefined && { thinking: node.thinking }),
      ...(this.#session && { cursor: this.#session.cursor }),
      ...(approval && { approval }),
      idempotencyKey: `${context.run}/${context.task}/turn:${begun.turn}`,
      progress: (chunk) => {
        if (chunk.kind === "text") this.#partial += chunk.text;
        context.progress(chunk);
      },
      send: (staged) => staging.stage(staged),
    });
  }

  /** What the turn stages, with what it had staged before a question. */
  #stagingOf(begun: Beginning): Staging {
    const judge = (send: StagedSend) => {
      const way = wayOf(this.#sender(begun), send);
      return "code" in way ? way : undefined;
    };
    return new Staging(judge, this.#log.stagedBy(begun.turn));
  }

  async #settle(begun: Beginning, result: Turn): Promise<Outcome> {
    if (this.#context.interrupted !== undefined) return this.#interrupted(begun, result);
    if (this.#context.signal.aborted) return stoppedByDriver();
    if (result.kind === "asks") {
      const staging = this.#staging ?? this.#stagingOf(begun);
      return this.#question(proposalOf(this.#context, result), staging, begun.turn);
    }
    const review = await this.#review(begun);
    const work = this.#work(begun, review, result);
    if (result.kind === "failed") return this.#failed(work, result);
    if (review.forbidden !== undefined) {
      const why = failure("agent_failed", review.forbidden);
      return this.#failed({ ...work, review: {} }, { ...result, kind: "failed", failure: why });
    }
    const text = result.text.trim() === "" ? (result.finish?.summary ?? "") : result.text;
    if (text.trim() === "") return this.#failed(work, withoutMessage(this.#seat.id, result));
    return conclude(work, { ...result, text });
  }

  async #interrupted(begun: Beginning | undefined, result: Turn | undefined): Promise<Outcome> {
    const partial = result?.kind === "done" ? result.text : this.#partial;
    return cutShort(this.#work(begun, await this.#review(begun), result), result, partial);
  }

  async #failed(work: Work, { failure: why, usage, cursor }: Failed): Promise<Outcome> {
    const { diff, turn } = work;
    await this.#log.fail(turn, {
      ...{ failure: why, usage },
      ...(cursor !== undefined && { cursor }),
      ...(diff && { diff: { ...diff } }),
    });
    return { kind: "failed", failure: { ...why, at: this.#seat.id }, notes: failedNotes(work, { usage }) };
  }

  async #review(begun: Beginning | undefined): Promise<Review> {
    return begun === undefined ? {} : reviewPlace(begun.place, this.#services.tree, this.#seat.id);
  }

  /** The edges that count are those that there are by now. */
  #sender(begun: Beginning | undefined): Sender {
    const { id, network, definition } = this.#seat;
    const latest = this.#services.latest?.() ?? definition;
    const contacts = begun?.contacts ?? [];
    return { id, network: latest === definition ? network : new Network(latest), contacts };
  }

  #work(begun: Beginning | undefined, review: Review, result: Turn | undefined): Work {
    const desk = readDesk(this.#input.snapshot, this.#seat.id);
    const returned = result?.kind === "done" ? result.sends : undefined;
    return {
      ...{ seat: this.#seat, context: this.#context, snapshot: this.#input.snapshot, desk },
      ...{ inputs: this.#occasion.inputs, session: this.#session, failures: this.#log.failures },
      turn: begun?.turn ?? desk.turns + 1,
      sender: this.#sender(begun),
      sends: this.#staging?.close(returned) ?? [],
      rejected: this.#staging?.rejections ?? [],
      place: begun?.place,
      review,
      diff: review.diff === undefined ? undefined : this.#context.keep("diff", review.diff),
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
