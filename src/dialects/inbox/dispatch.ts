/**
 * Dispatch turns what a turn wants to send into envelopes, or says why something of it is not delivered.
 *
 * 1. Only what was sent explicitly is delivered, and the final message over edges that are marked as automatic.
 * 2. One send is one envelope, however many edges lead to its target.
 * 3. An automatic edge goes forwards only, and never back to a sender of the turn's own inputs.
 * 4. A send that is not delivered does not fail the turn.
 * 5. The edges that count are those that there are when the turn is committed, not when it began.
 * 6. A send that came a second time has the id of the first: it is told as a duplicate and not delivered again.
 */

import type { StagedSend } from "../../agent/agent.ts";
import { isJsonObject, type Json } from "../../base/json.ts";
import { closest } from "../../base/names.ts";
import { DEEPEST, isTooDeep } from "../depth.ts";
import type { Edge } from "./definition.ts";
import { type Envelope, envelopeId, type Input, type Payload, type Reference } from "./envelope.ts";
import type { Network } from "./network.ts";
import { sendKey } from "./send.ts";

/** A sender, and whom it can reach. */
export interface Sender {
  readonly id: string;
  /** The edges that count (5). */
  readonly network: Network;
  /** Whom it could send to when its turn began. */
  readonly contacts: readonly string[];
}

export interface Outbox {
  readonly turn: number;
  readonly text: string;
  readonly sends: readonly StagedSend[];
  /** Those of the sends that came a second time (6). */
  readonly again: readonly StagedSend[];
  readonly inputs: readonly Input[];
  /** What every envelope of the turn refers to. */
  readonly artifacts: readonly Reference[];
  readonly status?: Payload["status"];
}

export interface Rejection {
  readonly from: string;
  readonly to: string;
  readonly code: "no_edge" | "unknown_target" | "invalid" | "edge_removed";
  /** One sentence for the agent. */
  readonly message: string;
}

/** An envelope whose send came a second time. */
export interface Duplicate {
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

export interface Dispatch {
  readonly envelopes: readonly Envelope[];
  readonly duplicates: readonly Duplicate[];
  readonly rejections: readonly Rejection[];
}

/** The envelopes of a completed turn. */
export function dispatch(sender: Sender, outbox: Outbox): Dispatch {
  const rejections: Rejection[] = [];
  const mail: { readonly edge: Edge; readonly to: string; readonly content: Omit<StagedSend, "to"> }[] = [];
  for (const send of outbox.sends) {
    const edge = wayOf(sender, send);
    if ("code" in edge) rejections.push(edge);
    else mail.push({ edge, to: send.to, content: send });
  }
  for (const edge of automatic(sender, outbox)) {
    mail.push({ edge, to: edge.to, content: { message: outbox.text } });
  }
  const { turn, status } = outbox;
  const envelopes = mail.map(({ edge, to, content }, index): Envelope => {
    const { message, structured, artifacts = [] } = content;
    const payload = {
      message,
      artifacts: [...outbox.artifacts, ...artifacts.map(({ kind, ref }) => ({ kind, ref }))],
      ...(structured !== undefined && { structured }),
      ...(status && { status }),
    };
    const id = envelopeId(sender.id, turn, index + 1);
    return { id, edge: edge.id, from: sender.id, to, type: edge.type, turn, payload };
  });
  const duplicates = outbox.again.flatMap((send): Duplicate | [] => {
    const index = mail.findIndex(({ to, content }) => sendKey({ to, ...content }) === sendKey(send));
    const envelope = envelopes[index]; // none when it was rejected
    return envelope === undefined ? [] : { id: envelope.id, from: sender.id, to: envelope.to };
  });
  return { envelopes, duplicates, rejections };
}

/** The edge that a send takes, or why it takes none. */
export function wayOf({ id: from, network, contacts }: Sender, send: StagedSend): Edge | Rejection {
  const { to } = send as { to: unknown }; // agents speak JSON, which has no types
  const reject = (code: Rejection["code"], message: string): Rejection => {
    return { from, to: typeof to === "string" ? to : JSON.stringify(to ?? null), code, message };
  };
  const flaw = flawOf(send);
  if (flaw !== undefined) return reject("invalid", flaw);
  const edge = network.way(from, send.to);
  if (edge !== undefined) return edge;
  const name = send.to;
  if (contacts.includes(name))
    return reject("edge_removed", `The edge to ${name} was removed during the turn.`);
  const reachable = network.contacts(from).map(([node]) => node);
  const hint = `You can send to: ${reachable.join(", ") || "nobody"}.`;
  if (network.has(name)) return reject("no_edge", `No edge leads from ${from} to ${name}. ${hint}`);
  const meant = closest(name, reachable);
  const guess = meant === undefined ? hint : `Did you mean ${meant}?`;
  return reject("unknown_target", `There is no node ${name}. ${guess}`);
}

/** What is wrong with the form of a send. */
function flawOf(send: object): string | undefined {
  const {
    to,
    message,
    structured = null,
    artifacts = [],
  } = send as { readonly [key: string]: Json | undefined };
  if (typeof to !== "string" || !isFilled(message)) {
    return "A send needs a node in `to` and a text in `message`.";
  }
  const isFine =
    Array.isArray(artifacts) &&
    artifacts.every((each: Json) => isJsonObject(each) && isFilled(each["kind"]) && isFilled(each["ref"]));
  if (!isFine) return "The `artifacts` of a send are a list of objects with a `kind` and a `ref`.";
  return isTooDeep(structured) ? `The data of a send is nested deeper than ${DEEPEST} levels.` : undefined;
}

function isFilled(text: Json | undefined): boolean {
  return typeof text === "string" && text.trim() !== "";
}

/** The edges that carry the final message (3), one for each target; not to one who was sent the same text. */
function automatic({ id, network }: Sender, { text, sends, inputs }: Outbox): Edge[] {
  const passed = new Set(inputs.map(({ from }) => from));
  for (const { to, message } of sends) if (message === text) passed.add(to);
  return network.autoFrom(id).filter(({ to }) => !passed.has(to) && passed.add(to));
}
