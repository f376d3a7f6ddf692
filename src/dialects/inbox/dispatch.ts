/**
 * Dispatch turns what a turn wants to send into envelopes, or says why something of it is not delivered.
 *
 * 1. Only what was sent explicitly is delivered, and the final message over edges that are marked as automatic.
 * 2. One send is one envelope, however many edges lead to its target.
 * 3. An automatic edge goes forwards only, and never back to a sender of the turn's own inputs.
 * 4. A send that is not delivered does not fail the turn.
 */

import type { StagedSend } from "../../agent/agent.ts";
import type { Json } from "../../base/json.ts";
import { closest } from "../../base/names.ts";
import type { Edge } from "./definition.ts";
import { type Envelope, envelopeId, type Input, type Payload, type Reference } from "./envelope.ts";
import type { Seat } from "./seat.ts";

export interface Outbox {
  readonly turn: number;
  readonly text: string;
  readonly sends: readonly StagedSend[];
  readonly inputs: readonly Input[];
  /** What every envelope of the turn refers to. */
  readonly artifacts: readonly Reference[];
  readonly status?: Payload["status"];
  /** Whom the node could send to when the turn began. */
  readonly contacts: readonly string[];
}

export interface Rejection {
  readonly from: string;
  readonly to: string;
  readonly code: "no_edge" | "unknown_target" | "invalid" | "edge_removed";
  /** One sentence for the agent. */
  readonly message: string;
}

export interface Dispatch {
  readonly envelopes: readonly Envelope[];
  readonly rejections: readonly Rejection[];
}

/** The envelopes of a completed turn. */
export function dispatch(seat: Seat, outbox: Outbox): Dispatch {
  const rejections: Rejection[] = [];
  const mail: { readonly edge: Edge; readonly to: string; readonly content: Content }[] = [];
  for (const send of outbox.sends) {
    const edge = wayOf(seat, outbox, send);
    if ("code" in edge) rejections.push(edge);
    else mail.push({ edge, to: send.to, content: send });
  }
  for (const edge of automatic(seat, outbox)) {
    mail.push({ edge, to: edge.to, content: { message: outbox.text } });
  }
  const envelopes = mail.map(({ edge, to, content: { message, structured } }, index): Envelope => {
    const { turn, artifacts, status } = outbox;
    const payload = {
      message,
      artifacts,
      ...(structured !== undefined && { structured }),
      ...(status && { status }),
    };
    const id = envelopeId(seat.id, turn, index + 1);
    return { id, edge: edge.id, from: seat.id, to, type: edge.type, turn, payload };
  });
  return { envelopes, rejections };
}

interface Content {
  readonly message: string;
  readonly structured?: Json;
}

/** The edge that a send takes, or why it takes none. */
function wayOf({ id: from, network }: Seat, { contacts }: Outbox, send: StagedSend): Edge | Rejection {
  const { to, message } = send as { to: unknown; message: unknown }; // agents speak JSON, which has no types
  const reject = (code: Rejection["code"], why: string): Rejection => {
    return { from, to: typeof to === "string" ? to : JSON.stringify(to ?? null), code, message: why };
  };
  if (typeof to !== "string" || typeof message !== "string" || message.trim() === "") {
    return reject("invalid", "A send needs a node in `to` and a text in `message`.");
  }
  const edge = network.way(from, to);
  if (edge !== undefined) return edge;
  if (contacts.includes(to)) return reject("edge_removed", `The edge to ${to} was removed during the turn.`);
  const reachable = network.contacts(from).map(([node]) => node);
  const hint = `You can send to: ${reachable.join(", ") || "nobody"}.`;
  if (network.has(to)) return reject("no_edge", `No edge leads from ${from} to ${to}. ${hint}`);
  const meant = closest(to, reachable);
  const guess = meant === undefined ? hint : `Did you mean ${meant}?`;
  return reject("unknown_target", `There is no node ${to}. ${guess}`);
}

/** The edges that carry the final message (3), one for each target; not to one who was sent the same text. */
function automatic({ id, network }: Seat, { text, sends, inputs }: Outbox): Edge[] {
  const passed = new Set(inputs.map(({ from }) => from));
  for (const { to, message } of sends) if (message === text) passed.add(to);
  return network.autoFrom(id).filter(({ to }) => !passed.has(to) && passed.add(to));
}
