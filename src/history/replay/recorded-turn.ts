/**
 * A recorded turn is what an inbox graph's agent came back with, put together from what the log has of it.
 *
 * 1. What the agent was told at once that it cannot send is staged again; what it returned is returned.
 * 2. A send that an edge made by itself is left to the edge.
 * 3. What came twice is staged and returned; what was staged before a question is not sent again.
 */

import type { StagedSend, Turn, TurnRequest, Usage } from "../../agent/agent.ts";
import { NO_USAGE } from "../../agent/agent.ts";
import type { Failure } from "../../base/failure.ts";
import { isJsonObject, type Json, type JsonObject, sameJson } from "../../base/json.ts";
import { deskOf, nodeOfInbox } from "../../dialects/inbox/channels.ts";
import type { Rejection } from "../../dialects/inbox/dispatch.ts";
import type { Envelope } from "../../dialects/inbox/envelope.ts";
import type { Network } from "../../dialects/inbox/network.ts";
import { sendKey } from "../../dialects/inbox/send.ts";
import type { Staged } from "../../dialects/inbox/staging.ts";
import type { AskedTurn } from "../../dialects/inbox/turn-log.ts";
import type { Fact } from "../../kernel/event.ts";
import { type Evidence, endIn, newlyRemembered, noteIn, textAt, Unrecorded } from "./evidence.ts";

/** What the turn was answered with. Throws `Unrecorded` for a turn that was not taken then. */
export async function recordedTurn(
  evidence: Evidence,
  request: TurnRequest,
  network: Network,
): Promise<Turn> {
  evidence.reached();
  const end = endIn(evidence);
  const [failed] = newlyRemembered(evidence, "failed:");
  if (isJsonObject(failed)) return failedTurn(evidence, request, failed);
  const record = noteIn(evidence, "inbox.turn");
  if (end?.type === "task.asked") return askedTurn(evidence, request);
  if (end?.type !== "task.finished" || record === undefined) {
    throw new Unrecorded(`A turn of ${request.node} is wanted that was not taken then.`, {
      isKnownGap: false,
    });
  }
  const text = await messageIn(evidence, record);
  const kept = keptBy(end, request.node);
  return record["status"] === "interrupted"
    ? cutShortTurn(evidence, request, { record, text, kept })
    : doneTurn(evidence, request, { record, text, kept, network, end });
}

interface Known {
  readonly record: JsonObject;
  readonly text: string;
  readonly kept: JsonObject;
}

function doneTurn(
  evidence: Evidence,
  request: TurnRequest,
  { record, text, kept, network, end }: Known & { readonly network: Network; readonly end: Finished },
): Turn {
  const rejected = rejectionsIn(evidence);
  const late = Array.isArray(kept["undelivered"]) ? kept["undelivered"].length : 0;
  const staged = stagedIn(evidence, record);
  const atOnce = rejected.slice(staged?.rejections.length ?? 0, rejected.length - late);
  for (const each of atOnce) request.send?.(sendOf(each)); // (1)
  const sent = sentIn(end, { from: request.node, text, record, network });
  const known = staged?.sends.map(sendKey) ?? [];
  const sends = sent.flatMap(({ send }) => {
    const at = known.indexOf(sendKey(send));
    if (at >= 0) known.splice(at, 1);
    return at >= 0 ? [] : [send];
  });
  const twice = notesOf(evidence, "inbox.duplicate").flatMap(({ id }) =>
    sent.flatMap((each) => (each.id === id ? [each.send] : [])),
  );
  if (twice.length > 0) for (const send of sends) request.send?.(send); // (3)
  const again = twice.filter((send, index) => twice.indexOf(send) !== index);
  for (const send of again) request.send?.(send); // staged before a question, staged after it, and returned
  const returned = twice.length > 0 ? [...new Set(twice)] : sends;
  const finish = finishIn(evidence, text);
  return {
    ...{ kind: "done", text, sends: [...returned, ...rejected.slice(rejected.length - late).map(sendOf)] },
    ...{ usage: usageOf(record), cursor: cursorIn(kept) ?? null },
    ...(finish && { finish }),
  };
}

/** What the turn had staged when it asked last, if it did. */
function stagedIn({ memory }: Evidence, { turn }: JsonObject): Staged | undefined {
  const staged = lastUnder(memory, "staged:") as unknown as Staged | undefined; // what turns write
  return staged?.turn === turn ? staged : undefined;
}

/** What is remembered under the last of the numbered keys with this beginning. */
function lastUnder(memory: ReadonlyMap<string, Json>, prefix: string): Json | undefined {
  const numbers = [...memory.keys()].flatMap((key) =>
    key.startsWith(prefix) ? [Number(key.slice(prefix.length))] : [],
  );
  return numbers.length === 0 ? undefined : memory.get(`${prefix}${Math.max(...numbers)}`);
}

/** A turn that somebody interrupted had shown a part of its message, if it had come so far. */
function cutShortTurn(evidence: Evidence, request: TurnRequest, { record, text, kept }: Known): Turn {
  stageLost(evidence, request);
  if (text !== "") request.progress({ kind: "text", text });
  const cursor = cursorIn(kept);
  const hasMoved = cursor !== undefined && !sameJson(cursor, request.cursor);
  const failure: Failure = { code: "agent_failed", message: "The turn was interrupted.", retryable: true };
  return { kind: "failed", failure, usage: usageOf(record), ...(hasMoved && { cursor }) };
}

function failedTurn(evidence: Evidence, request: TurnRequest, record: JsonObject): Turn {
  stageLost(evidence, request);
  const { failure, cursor } = record as unknown as { readonly failure: Failure; readonly cursor?: Json }; // a `FailedTurn`
  return { kind: "failed", failure, usage: usageOf(record), ...(cursor !== undefined && { cursor }) };
}

/** A turn that asked remembers what, and what it had staged by then. */
function askedTurn(evidence: Evidence, request: TurnRequest): Turn {
  const asked = lastUnder(evidence.remembered, "ask:") as unknown as AskedTurn | undefined; // what turns write
  const staged = lastUnder(newOnes(evidence), "staged:") as unknown as Staged | undefined; // what turns write
  if (asked === undefined) {
    throw new Unrecorded("The turn asks, and the log does not have what.", { isKnownGap: false });
  }
  for (const each of staged?.rejections ?? []) request.send?.(sendOf(each));
  for (const send of staged?.sends ?? []) request.send?.(send);
  const { title, args, cursor } = asked;
  return { kind: "asks", title, args, ...(cursor !== undefined && { cursor }) };
}

function newOnes({ memory, remembered }: Evidence): ReadonlyMap<string, Json> {
  return new Map([...remembered].filter(([key]) => !memory.has(key)));
}

/** Stages what was never delivered because the turn came to nothing. */
function stageLost(evidence: Evidence, request: TurnRequest): void {
  const staged = stagedIn(evidence, noteIn(evidence, "inbox.turn") ?? {});
  for (const each of rejectionsIn(evidence).slice(staged?.rejections.length)) request.send?.(sendOf(each));
  for (const { from: _, ...send } of notesOf(evidence, "inbox.dropped").slice(staged?.sends.length)) {
    request.send?.(send as unknown as StagedSend); // written from one
  }
}

type Finished = Extract<Fact, { type: "task.finished" }>;

/** What the node kept for its next turn. */
function keptBy({ writes }: Finished, node: string): JsonObject {
  const desk = writes.find(({ channel }) => channel === deskOf(node))?.value;
  return isJsonObject(desk) ? desk : {};
}

function cursorIn({ session }: JsonObject): Json | undefined {
  return isJsonObject(session) ? session["cursor"] : undefined;
}

async function messageIn(evidence: Evidence, { output }: JsonObject): Promise<string> {
  const ref = isJsonObject(output) ? output["ref"] : undefined;
  return typeof ref === "string" ? textAt(evidence, ref) : "";
}

function finishIn(
  evidence: Evidence,
  text: string,
): { readonly ok: boolean; readonly summary: string } | undefined {
  const [finished] = notesOf(evidence, "inbox.finished");
  if (finished !== undefined) return { ok: finished["ok"] === true, summary: String(finished["summary"]) };
  const isIgnored = notesOf(evidence, "inbox.warning").some(({ code }) => code === "finish_ignored");
  return isIgnored ? { ok: true, summary: text } : undefined;
}

interface Sender {
  readonly from: string;
  readonly text: string;
  readonly record: JsonObject;
  readonly network: Network;
}

/** A send, and the id of the envelope that it became. */
interface Sent {
  readonly id: string;
  readonly send: StagedSend;
}

/** What the turn sent itself, in order (2). Its own diff was added to what each envelope refers to. */
function sentIn({ writes }: Finished, { from, text, record, network }: Sender): Sent[] {
  const own = isJsonObject(record["diff"]) ? 1 : 0;
  return writes.flatMap(({ channel, value }) => {
    if (nodeOfInbox(channel) === undefined || !isJsonObject(value)) return [];
    const { id, to, edge, payload } = value as unknown as Envelope; // only envelopes go from turns to inboxes
    const { message, structured, artifacts } = payload;
    const isAutomatic =
      message === text &&
      structured === undefined &&
      artifacts.length === own &&
      network.way(from, to)?.id !== edge;
    if (isAutomatic) return [];
    const more = artifacts.slice(own);
    const refs = more.length > 0 && { artifacts: more };
    return [{ id, send: { to, message, ...(structured !== undefined && { structured }), ...refs } }];
  });
}

function rejectionsIn(evidence: Evidence): readonly Rejection[] {
  return notesOf(evidence, "inbox.rejected") as unknown as readonly Rejection[]; // written from them
}

/** A send that is rejected for the same reason. */
function sendOf({ to, code, message }: Rejection): StagedSend {
  if (code !== "invalid") return { to, message: "(not delivered)" };
  return message.includes("`artifacts`")
    ? { to, message: "(not delivered)", artifacts: [{ kind: "", ref: "" }] }
    : { to, message: "" };
}

function notesOf({ facts }: Evidence, kind: string): readonly JsonObject[] {
  return facts.flatMap((fact) =>
    fact.type === "task.noted" && fact.kind === kind && isJsonObject(fact.data) ? [fact.data] : [],
  );
}

function usageOf({ usage }: JsonObject): Usage {
  return isJsonObject(usage) ? (usage as unknown as Usage) : NO_USAGE; // written from one
}
