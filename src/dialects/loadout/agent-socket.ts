/**
 * An agent's visit: one turn, and another for each repair of its handoff.
 *
 * 1. A finished turn is recorded before anything is made of it, so it is never paid for twice.
 * 2. A turn that asked is not finished: it is taken again, with the decision.
 * 3. A failed turn is recorded too and never played again; the next try is the next turn.
 * 4. A turn that the agent could not take is tried again; when tries are used up the run pauses and keeps everything.
 *    Only a script that ran out fails the run, since no further try can help.
 * 5. A turn that a person interrupts holds the run. What it cost and where its session stands are recorded, so the
 *    visit goes on from there when the run is resumed.
 */

import {
  type Agent,
  addUsage,
  NO_USAGE,
  type SessionRequest,
  type Turn,
  type Usage,
} from "../../agent/agent.ts";
import type { Failure } from "../../base/failure.ts";
import type { Json, JsonObject } from "../../base/json.ts";
import type { Artifact, TaskContext } from "../../kernel/program.ts";
import { TURN_ATTEMPTS } from "../attempts.ts";
import { kindOf } from "../saying.ts";
import { askedKey, decisionAfter, keyOf, type Proposal, type TurnRecord, whyOf } from "./agent-turns.ts";
import { SESSIONS } from "./channels.ts";
import type { Chart, Place } from "./chart.ts";
import { handoffIssues, handoffShape, repairMessage } from "./handoff.ts";
import { parseObject } from "./parse.ts";
import type { LoadoutServices } from "./ports.ts";
import { promptOf } from "./prompt.ts";
import { interrupted, isFirstRun, type Perform, type Performed, stoppedByDriver } from "./socket.ts";
import { invalid, unparsable } from "./unfit.ts";
import type { Visit } from "./visit.ts";

export function performAgent(chart: Chart, place: Place, ports: LoadoutServices): Perform {
  return (visit, context) => new AgentVisit({ chart, place, visit, context, ports }).perform();
}

interface Parts {
  readonly chart: Chart;
  readonly place: Place;
  readonly visit: Visit;
  readonly context: TaskContext;
  readonly ports: LoadoutServices;
}

class AgentVisit {
  readonly #parts: Parts;
  readonly #agent: Agent;
  readonly #session: string;
  #cursor: Json | undefined;
  #usage: Usage = NO_USAGE;
  #answers = 0;
  #repairs = 0;
  #repair: string | undefined;

  constructor(parts: Parts) {
    const { place, ports, visit } = parts;
    this.#parts = parts;
    this.#agent = ports.agent(place.materia.agent);
    this.#session = this.#agent.session(actorOf(place, visit));
    const cursors = visit.readObject(SESSIONS);
    this.#cursor = Object.hasOwn(cursors, this.#session) ? cursors[this.#session] : undefined;
  }

  async perform(): Promise<Performed> {
    const { context } = this.#parts;
    for (let turn = 1; ; turn++) {
      const known = context.recall(keyOf(turn)) as TurnRecord | undefined; // written by `#take`
      const record = known ?? (await this.#take(turn));
      if ("kind" in record) return record;
      this.#note(turn, record, known === undefined);
      this.#cursor = record.cursor;
      this.#usage = addUsage(this.#usage, record.usage);
      this.#answers = record.answers;
      if ("failure" in record) {
        if (known === undefined && context.interrupted !== undefined)
          return interrupted(this.#parts.place, context.interrupted);
        if (known === undefined) return this.#failed(record.failure as unknown as Failure); // written by `#take`
        continue; // (3)
      }
      const performed = await this.#read(record);
      if (performed !== undefined) return performed;
    }
  }

  /** Takes a turn and records it; one that asks is not recorded (2). */
  async #take(turn: number): Promise<TurnRecord | Performed> {
    const { context, place, visit } = this.#parts;
    const prompt = this.#prompt();
    const kept = context.keep("prompt", prompt);
    const decided = decisionAfter(this.#answers, context);
    const cursor = decided?.cursor ?? this.#cursor;
    const result = await this.#agent.turn({
      ...actorOf(place, visit),
      ...{ prompt, signal: context.signal },
      tools: place.materia.tools ?? "none",
      ...(place.contract.parse === "json" && { schema: handoffShape(place.contract).schema }),
      ...(place.materia.model !== undefined && { model: place.materia.model }),
      ...(place.materia.thinking !== undefined && { thinking: place.materia.thinking }),
      ...(cursor !== undefined && { cursor }),
      ...(decided && { approval: decided.approval }),
      idempotencyKey: `${context.run}/${context.task}/${keyOf(turn)}`,
      progress: (chunk) => context.progress(chunk),
    });
    if (result.kind === "asks") return this.#ask(result, kept);
    const isInterrupted = context.interrupted !== undefined;
    if (context.signal.aborted && !isInterrupted) return stoppedByDriver("the agent was");
    const record: TurnRecord = {
      ...{ attempt: context.attempt, prompt: kept.ref, usage: { ...result.usage } },
      cursor: result.cursor ?? this.#cursor ?? null,
      answers: context.answers.length,
      ...(result.kind === "done" && !isInterrupted
        ? { text: context.keep("output", result.text).ref }
        : { failure: whyOf(result) as unknown as JsonObject }), // a failure is plain JSON
    };
    return context.once(keyOf(turn), () => record);
  }

  #prompt(): string {
    const { visit } = this.#parts;
    const base = promptOf(visit);
    return this.#repair === undefined ? base : `${base}\n\n## Correction\n${this.#repair}`;
  }

  async #ask(
    { title, args, wants, cursor = null }: Extract<Turn, { kind: "asks" }>,
    prompt: Artifact,
  ): Promise<Performed> {
    const { place, visit, context } = this.#parts;
    const kind = kindOf({ ...(wants && { wants }) });
    await context.once(askedKey(context.answers.length), (): Proposal => ({ kind, title, args, cursor }));
    if (isFirstRun(context)) visit.note("prompt", { artifact: { ...prompt } });
    const { item } = visit;
    const value = { kind, title, args, node: place.id, label: place.label };
    const question = { value: { ...value, ...(item && { item: item.label }) } };
    return { kind: "stopped", outcome: { kind: "asks", questions: [question] } };
  }

  #note(turn: number, { prompt, usage }: TurnRecord, isLive: boolean): void {
    const { visit, context } = this.#parts;
    if (!isLive && !isFirstRun(context)) return;
    visit.note("turn", { turn, prompt, usage: { ...usage } });
  }

  /** The outcome of a turn that did not come about (4). */
  #failed(why: Failure): Performed {
    const { context, place } = this.#parts;
    if (why.code === "script_exhausted") {
      return { kind: "stopped", outcome: { kind: "failed", failure: { ...why, at: place.id } } };
    }
    const named = { ...why, at: place.id, retryable: why.retryable || why.code === "agent_failed" };
    if (named.retryable && context.attempt < TURN_ATTEMPTS.max) {
      return { kind: "stopped", outcome: { kind: "failed", failure: named } };
    }
    const message = `${place.id} (${place.label}): ${why.message} Nothing is lost; resume the run to try again.`;
    const detail = { ...named } as unknown as JsonObject; // a failure is plain JSON
    return { kind: "stopped", outcome: { kind: "held", reason: "agent_failed", message, detail } };
  }

  /** The output of a finished turn; nothing when its handoff is to be repaired in another one. */
  async #read(record: TurnRecord & { readonly text: string }): Promise<Performed | undefined> {
    const { context, place, chart, visit } = this.#parts;
    const text = (await context.fetch(record.text)) ?? "";
    const artifact: Artifact = { kind: "output", ref: record.text, size: text.length };
    const common = {
      text,
      artifact,
      usage: this.#usage,
      sessions: { [this.#session]: this.#cursor ?? null },
    };
    if (place.contract.parse === "text") return { kind: "output", output: common };
    const parsed = parseObject(text);
    const issues = parsed.ok ? handoffIssues(place.contract, parsed.value) : [unparsable(parsed.message)];
    if (parsed.ok && issues.length === 0)
      return { kind: "output", output: { ...common, json: parsed.value } };
    this.#repair = repairMessage(place.contract, issues);
    this.#repairs++;
    if (this.#repairs <= chart.limits.maxRepairs) {
      visit.note("repair", {
        issues: issues.slice(0, 8).map((issue) => ({ ...issue })),
        output: record.text,
      });
      return undefined;
    }
    if (record.attempt < context.attempt) {
      this.#repairs = 0; // somebody tried again after it had failed: it may repair as often as before
      return undefined;
    }
    return { kind: "stopped", outcome: { kind: "failed", failure: invalid(place, issues) } };
  }
}

/** Who takes the turn, and on which item. */
function actorOf({ id, role }: Place, { item }: Visit): SessionRequest {
  return { node: id, role, ...(item && { item: item.key }) };
}
