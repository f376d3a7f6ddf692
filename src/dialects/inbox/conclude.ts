/**
 * Conclude turns what came of a turn into one outcome: envelopes, what the node keeps, what it cost, and the record.
 *
 * 1. All of it is one commit: whoever sees an envelope sees the turn that sent it.
 * 2. Only the orchestrator can finish the goal.
 * 3. A turn that completes a stall is still a turn; the run pauses after it, and its counter begins anew.
 */

import { addUsage, NO_USAGE, type StagedSend, type Turn, type Usage } from "../../agent/agent.ts";
import { canonical, type Json, type JsonObject } from "../../base/json.ts";
import type { Halt, Write } from "../../kernel/event.ts";
import type { Artifact, Note, Outcome, TaskContext } from "../../kernel/program.ts";
import type { Snapshot } from "../../kernel/snapshot.ts";
import { budgetWarnings } from "./budget.ts";
import * as channels from "./channels.ts";
import { type Dispatch, dispatch, type Rejection, type Sender } from "./dispatch.ts";
import type { Envelope, Input } from "./envelope.ts";
import type { Place, Review } from "./place.ts";
import { isConductor, type Seat } from "./seat.ts";
import { plainSend } from "./send.ts";
import { type Session, sessionAfter } from "./session.ts";
import { addResult, describeStall, type Results, type Stall } from "./stall.ts";
import type { FailedTurn } from "./turn-log.ts";

type Done = Extract<Turn, { kind: "done" }>;

/** A turn, as far as it is known when the agent has come back. */
export interface Work {
  readonly seat: Seat;
  readonly context: Pick<TaskContext, "keep" | "interrupted">;
  readonly snapshot: Snapshot;
  readonly desk: channels.Desk;
  readonly inputs: readonly Input[];
  /** Counted from 1 for each node. */
  readonly turn: number;
  readonly sender: Sender;
  /** Everything that the turn wants to send. */
  readonly sends: readonly StagedSend[];
  /** Those of them that came a second time. */
  readonly again: readonly StagedSend[];
  /** What its agent was told at once that it cannot send. */
  readonly rejected: readonly Rejection[];
  readonly place: Place | undefined;
  readonly review: Review;
  readonly session: Session | undefined;
  /** The turns that failed over the same inputs. */
  readonly failures: readonly FailedTurn[];
  /** What failed turns of the run have cost that is not in its sum yet. */
  readonly arrears: Usage;
  readonly diff: Artifact | undefined;
}

/** The outcome of a turn that ended with a message. */
export function conclude(work: Work, result: Done): Outcome {
  const { seat, turn, diff, context } = work;
  const closes = result.finish !== undefined && seat.node.kind === "orchestrator" ? result.finish : undefined;
  const output = context.keep("output", result.text);
  const sent = dispatch(work.sender, {
    ...{ turn, text: result.text, inputs: work.inputs, sends: work.sends, again: work.again },
    artifacts: diff === undefined ? [] : [{ kind: diff.kind, ref: diff.ref }],
    ...(closes && { status: { ok: closes.ok, reason: closes.summary } }),
  });
  const { results, stall } = addResult(
    channels.readResults(work.snapshot, seat.id),
    hashOf(work, output, sent),
    seat.definition.limits.stallAfter,
  );
  const halt = stall && pauseFor(seat, stall);
  const writes = [
    ...sent.envelopes.map(delivery),
    desk(work, result.cursor, sent.rejections),
    ...shared(work, result.usage),
    { channel: channels.RESULTS, value: { [seat.id]: stall === undefined ? plainResults(results) : null } },
    ...(closes ? [{ channel: channels.GOAL, value: { open: false, ...closes } }] : []),
  ];
  return {
    ...{ kind: "done", writes, route: closes ? [] : onward(seat) },
    notes: [
      record(work, "completed", { output: { ...output }, usage: { ...result.usage } }),
      ...rejections([...work.rejected, ...sent.rejections]),
      ...sent.duplicates.map((duplicate): Note => ({ kind: "inbox.duplicate", data: { ...duplicate } })),
      ...aboutFiles(seat, work.review),
      ...remarks(work, result),
    ],
    ...(halt && { halt }),
  };
}

/** The outcome of a turn that somebody interrupted; its agent may have come to an end all the same. */
export function cutShort(work: Work, result: Turn | undefined, partial: string): Outcome {
  const { seat, context } = work;
  const ended = result === undefined || result.kind === "asks" ? undefined : result;
  const usage = ended?.usage ?? NO_USAGE;
  const output = partial === "" ? undefined : context.keep("partial", partial);
  return {
    kind: "done",
    writes: [desk(work, ended?.cursor, []), ...shared(work, usage)],
    route: onward(seat),
    notes: [
      record(work, "interrupted", {
        reason: context.interrupted ?? "requested",
        usage: { ...usage },
        ...(output && { output: { ...output } }),
      }),
      ...leftUnsent(work),
      ...aboutFiles(seat, work.review),
      ...(work.review.forbidden === undefined
        ? []
        : [warning(seat.id, "forbidden_write", work.review.forbidden)]),
    ],
  };
}

/** The record of a turn that failed. */
export function failedNotes(work: Work, { usage }: { readonly usage: Usage }): Note[] {
  return [
    record(work, "failed", { usage: { ...usage } }),
    ...leftUnsent(work),
    ...aboutFiles(work.seat, work.review),
    ...costs(work, usage),
  ];
}

/** The outcome of a turn whose failure was recorded before its process died. */
export function failedAgain(node: string, turn: number, { failure, usage, diff }: FailedTurn): Outcome {
  const data = { turn, status: "failed", usage: { ...usage }, ...(diff && { diff: { ...diff } }) };
  return { kind: "failed", failure: { ...failure, at: node }, notes: [{ kind: "inbox.turn", data }] };
}

/** The record of what a turn did not get to send. */
function leftUnsent({ seat, sends, rejected }: Work): Note[] {
  const dropped = sends.map((send): Note => {
    return { kind: "inbox.dropped", data: { from: seat.id, ...plainSend(send) } };
  });
  return [...rejections(rejected), ...dropped];
}

function rejections(list: readonly Rejection[]): Note[] {
  return list.map((rejection) => ({ kind: "inbox.rejected", data: { ...rejection } }));
}

function aboutFiles(seat: Seat, { unknown, ignored }: Review): Note[] {
  return [
    ...(unknown === undefined ? [] : [warning(seat.id, "no_diff", unknown)]),
    ...(ignored === undefined ? [] : [warning(seat.id, "ignored_write", ignored)]),
  ];
}

function delivery(envelope: Envelope): Write {
  return { channel: channels.inboxOf(envelope.to), value: envelope as unknown as Json }; // plain data
}

/** What the node keeps for its next turn. */
function desk(work: Work, cursor: Json | undefined, undelivered: Dispatch["rejections"]): Write {
  const { seat, turn, inputs } = work;
  const session = sessionAfter(seat, work.session, cursor);
  const worktree = work.place?.worktree ?? work.desk.worktree;
  const kept: channels.Desk = {
    turns: turn,
    read: work.desk.read + inputs.length,
    ...(session && { session }),
    ...(worktree && { worktree }),
    ...(undelivered.length > 0 && {
      undelivered: undelivered.map(({ to, code, message }) => ({ to, code, message })),
    }),
  };
  return { channel: channels.deskOf(seat.id), value: kept as unknown as Json }; // plain data
}

/** What the turn changes for everybody: what was spent over its inputs, and the orchestrator's automatic turns. */
function shared({ seat, inputs, failures, snapshot }: Work, usage: Usage): Write[] {
  const spent = failures.reduce((sum, failed) => addUsage(sum, failed.usage), usage);
  const hasNews = isConductor(seat) && inputs.length > 0 && snapshot.read(channels.AUTO_TURNS) !== 0;
  return [
    { channel: channels.USAGE, value: { ...spent } },
    ...(hasNews ? [{ channel: channels.AUTO_TURNS, value: 0 }] : []),
  ];
}

/** Arms the orchestrator's next automatic turn; whether it comes about is decided when all is quiet. */
function onward(seat: Seat): string[] {
  return isConductor(seat) ? [channels.QUIET] : [];
}

/** The hash of a result: the same message, sends and diff have the same one. */
function hashOf({ context, diff }: Work, output: Artifact, { envelopes, rejections }: Dispatch): string {
  const sends = envelopes.map(({ to, payload: { message, structured = null, artifacts } }) => {
    return [to, message, structured, artifacts.map(({ ref }) => ref)];
  });
  const refused = rejections.map(({ to, code }) => [to, code]);
  return context.keep("result", canonical([output.ref, sends, refused, diff?.ref ?? null])).ref;
}

function pauseFor(seat: Seat, stall: Stall): Halt {
  return { status: "paused", reason: "stalled", ...describeStall(seat.id, stall) };
}

function plainResults(results: Results): Json {
  return results as unknown as Json; // plain data
}

function record(
  { turn, diff, review: { files } }: Work,
  status: "completed" | "interrupted" | "failed",
  more: JsonObject,
): Note {
  const changed = { ...(diff && { diff: { ...diff } }), ...(files !== undefined && { files }) };
  return { kind: "inbox.turn", data: { turn, status, ...more, ...changed } };
}

/** What is to be said of the budget after a turn that cost so much. */
function costs({ seat, snapshot, arrears }: Work, usage: Usage): Note[] {
  return budgetWarnings(snapshot, arrears, usage).map(({ code, message }) => warning(seat.id, code, message));
}

function remarks(work: Work, { finish, usage }: Done): Note[] {
  const { seat } = work;
  const warnings = costs(work, usage);
  if (finish === undefined) return warnings;
  if (seat.node.kind === "orchestrator")
    return [...warnings, { kind: "inbox.finished", data: { node: seat.id, ...finish } }];
  const message = `${seat.id} wanted to finish the goal, which only an orchestrator can.`;
  return [...warnings, warning(seat.id, "finish_ignored", message)];
}

function warning(node: string, code: string, message: string): Note {
  return { kind: "inbox.warning", data: { node, code, message } };
}
