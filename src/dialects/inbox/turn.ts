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

import {
  type Approval,
  addUsage,
  NO_USAGE,
  type StagedSend,
  type Turn,
  type Usage,
} from "../../agent/agent.ts";
import { failure } from "../../base/failure.ts";
import type { Handler, Outcome } from "../../kernel/program.ts";
import { askedOf } from "../saying.ts";
import { askFor, decisionOn, proposalOf } from "./approval.ts";
import { budgetReached } from "./budget.ts";
import { readDesk } from "./channels.ts";
import { conclude, cutShort, failedAgain, failedNotes, type Work } from "./conclude.ts";
import { DEFAULT_TOOLS } from "./definition.ts";
import { type Sender, wayOf } from "./dispatch.ts";
import { Network } from "./network.ts";
import { type Given, openTurn, type Sitting, sittingOf } from "./opening.ts";
import { outlook } from "./outlook.ts";
import { type Review, reviewPlace } from "./place.ts";
import type { InboxServices } from "./ports.ts";
import { fullPrompt } from "./prompt.ts";
import type { Seat } from "./seat.ts";
import { Staging } from "./staging.ts";
import type { AskedTurn, Beginning } from "./turn-log.ts";

/** The handler of a node. */
export function turnHandler(seat: Seat, services: InboxServices): Handler {
  return (input, context) => new NodeTurn({ seat, services, input, context }).take();
}

type Done = Extract<Turn, { kind: "done" }>;
type Failed = Extract<Turn, { kind: "failed" }>;

class NodeTurn {
  readonly #at: Sitting;
  #staging: Staging | undefined;
  /** What the agent has shown of its message so far. */
  #partial = "";

  constructor(given: Given) {
    this.#at = sittingOf(given);
  }

  async take(): Promise<Outcome> {
    const { latest } = this.#at.log;
    if (this.#at.context.interrupted !== undefined) return this.#interrupted(latest, undefined);
    if (latest?.attempt === this.#at.context.attempt) {
      const known = this.#at.log.failureOf(latest.turn);
      if (known !== undefined) return failedAgain(this.#at.seat.id, latest.turn, known);
    }
    const held = budgetReached(this.#at.input.snapshot, this.#arrears());
    if (held !== undefined) return held;
    const decision = this.#decision(latest);
    if (decision === "open") return this.#askAgain(latest);
    const begun = await this.#begin(latest, decision);
    if (typeof begun === "string") return { kind: "failed", failure: failure("node_failed", begun) };
    return this.#settle(begun, await this.#ask(begun));
  }

  /** What a person decided since the turn went on last; `open` when the answer decides nothing. */
  #decision(latest: Beginning | undefined): Approval | "open" | undefined {
    const { answers } = this.#at.context;
    if (latest === undefined || answers.length === latest.answers) return undefined;
    const asked = this.#at.log.asked(answers.length - 1);
    const decision = asked && decisionOn(asked, answers.at(-1));
    if (asked === undefined || decision === undefined) return "open";
    return { ...decision, asked: askedOf(asked) };
  }

  async #askAgain(latest: Beginning | undefined): Promise<Outcome> {
    const asked = this.#at.log.asked(this.#at.context.answers.length - 1);
    if (asked === undefined || latest === undefined) {
      const message = `${this.#at.seat.id} has an answer and no question that it belongs to.`;
      return { kind: "failed", failure: failure("internal", message) };
    }
    return this.#question(asked, this.#stagingOf(latest), latest.turn); // where the agent stands stays the same
  }

  async #question(asked: AskedTurn, staging: Staging, turn: number): Promise<Outcome> {
    const sends = staging.close();
    const { rejections } = staging;
    if (sends.length + rejections.length > 0) await this.#at.log.stage({ turn, sends, rejections });
    await this.#at.log.ask(asked);
    const { cursor: _, ...proposal } = asked;
    return { kind: "asks", questions: [askFor(proposal)] };
  }

  /** Begins a turn, or goes on with the one that waited for an answer (2); a sentence says why it cannot. */
  async #begin(latest: Beginning | undefined, decision?: Approval): Promise<Beginning | string> {
    const now = { attempt: this.#at.context.attempt, answers: this.#at.context.answers.length };
    const begun =
      decision !== undefined && latest !== undefined
        ? { ...latest, ...now, why: "answered" as const, approval: decision }
        : await openTurn(this.#at, latest);
    if (typeof begun !== "string") await this.#at.log.begin(begun);
    return begun;
  }

  async #ask(begun: Beginning): Promise<Turn> {
    const { id, node } = this.#at.seat;
    const { place, approval } = begun;
    const context = this.#at.context;
    const left = approval === undefined ? undefined : this.#at.log.asked(begun.answers - 1)?.cursor;
    const cursor = left ?? this.#at.session?.cursor;
    const full = (await context.fetch(begun.full)) ?? fullPrompt(this.#at.occasion);
    const staging = this.#stagingOf(begun);
    this.#staging = staging;
    return this.#at.agent.turn({
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
      ...(cursor !== undefined && { cursor }),
      ...(approval && { approval }),
      idempotencyKey: `${context.run}/${context.task}/turn:${begun.attempt}`, // of the inputs: (3) and (2) keep it
      progress: (chunk) => {
        if (chunk.kind === "text") this.#partial += chunk.text;
        context.progress(chunk);
      },
      send: (staged) => staging.stage(staged),
      contacts: begun.contacts,
      ...(node.kind === "orchestrator" && { finish: () => ({ ok: true }) }),
      look: () => outlook(this.#at),
    });
  }

  /** What the turn stages, with what it had staged before a question. */
  #stagingOf(begun: Beginning): Staging {
    const judge = (send: StagedSend) => {
      const way = wayOf(this.#sender(begun), send);
      return "code" in way ? way : undefined;
    };
    return new Staging(judge, this.#at.log.stagedBy(begun.turn));
  }

  async #settle(begun: Beginning, result: Turn): Promise<Outcome> {
    await this.#at.services.refresh?.();
    if (this.#at.context.interrupted !== undefined) return this.#interrupted(begun, result);
    if (this.#at.context.signal.aborted) return stoppedByDriver();
    if (result.kind === "asks") {
      const staging = this.#staging ?? this.#stagingOf(begun);
      const { cursor } = result;
      const asked = { ...proposalOf(this.#at.context, result), ...(cursor !== undefined && { cursor }) };
      return this.#question(asked, staging, begun.turn);
    }
    const review = await this.#review(begun);
    const work = this.#work(begun, review, result);
    if (result.kind === "failed") return this.#failed(work, result);
    if (review.forbidden !== undefined) {
      const why = failure("agent_failed", review.forbidden);
      return this.#failed({ ...work, review: {} }, { ...result, kind: "failed", failure: why });
    }
    const text = result.text.trim() === "" ? (result.finish?.summary ?? "") : result.text;
    if (text.trim() === "") return this.#failed(work, withoutMessage(this.#at.seat.id, result));
    return conclude(work, { ...result, text });
  }

  async #interrupted(begun: Beginning | undefined, result: Turn | undefined): Promise<Outcome> {
    const partial = result?.kind === "done" ? result.text : this.#partial;
    return cutShort(this.#work(begun, await this.#review(begun), result), result, partial);
  }

  async #failed(work: Work, { failure: why, usage, cursor }: Failed): Promise<Outcome> {
    const { diff, turn } = work;
    await this.#at.log.fail(turn, {
      ...{ failure: why, usage },
      ...(cursor !== undefined && { cursor }),
      ...(diff && { diff: { ...diff } }),
    });
    return { kind: "failed", failure: { ...why, at: this.#at.seat.id }, notes: failedNotes(work, { usage }) };
  }

  async #review(begun: Beginning | undefined): Promise<Review> {
    return begun === undefined ? {} : reviewPlace(begun.place, this.#at.services.tree, this.#at.seat.id);
  }

  /** The edges that count are those that there are by now. */
  #sender(begun: Beginning | undefined): Sender {
    const { id, network, definition } = this.#at.seat;
    const latest = this.#at.services.latest?.() ?? definition;
    const contacts = begun?.contacts ?? [];
    return { id, network: latest === definition ? network : new Network(latest), contacts };
  }

  #arrears(): Usage {
    const own = this.#at.log.failures.reduce((sum, { usage }) => addUsage(sum, usage), NO_USAGE);
    return this.#at.services.arrears?.() ?? own;
  }

  #work(begun: Beginning | undefined, review: Review, result: Turn | undefined): Work {
    const desk = readDesk(this.#at.input.snapshot, this.#at.seat.id);
    const returned = result?.kind === "done" ? result.sends : undefined;
    return {
      ...{ seat: this.#at.seat, context: this.#at.context, snapshot: this.#at.input.snapshot, desk },
      ...{ inputs: this.#at.occasion.inputs, session: this.#at.session },
      ...{ failures: this.#at.log.failures, arrears: this.#arrears() },
      turn: begun?.turn ?? desk.turns + 1,
      sender: this.#sender(begun),
      sends: this.#staging?.close(returned) ?? [],
      again: this.#staging?.again ?? [],
      rejected: this.#staging?.rejections ?? [],
      place: begun?.place,
      review,
      diff: review.diff === undefined ? undefined : this.#at.context.keep("diff", review.diff),
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
