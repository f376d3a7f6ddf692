/**
 * What lies in an inbox: envelopes from nodes, and messages from people.
 *
 * 1. An envelope's id is derived from its sender, the sender's turn and its place in it; no model has a say in it.
 * 2. Its number is its place in the inbox, counted from 1 for each node. It follows from the order in which the log
 *    appends to the inbox, so it is not stored again: whoever reads an inbox counts.
 */

import type { Json } from "../../base/json.ts";
import type { EdgeType } from "./definition.ts";

export interface Envelope {
  readonly id: string;
  readonly edge: string;
  readonly from: string;
  readonly to: string;
  readonly type: EdgeType;
  /** The sender's turn, counted from 1 for each node. */
  readonly turn: number;
  readonly payload: Payload;
}

export interface Payload {
  readonly message: string;
  readonly structured?: Json;
  readonly artifacts: readonly Reference[];
  /** How the sender ended its goal, when it did. */
  readonly status?: { readonly ok: boolean; readonly reason?: string };
}

/** A stored text that a payload points to. */
export interface Reference {
  readonly kind: string;
  /** `sha256:` and 64 hex digits. */
  readonly ref: string;
}

export interface UserMessage {
  readonly type: "message";
  readonly from: "user";
  readonly message: string;
}

export type Input = Envelope | UserMessage;

/** What an input says. */
export function messageOf(input: Input): string {
  return input.type === "message" ? input.message : input.payload.message;
}

/** What an input points to. */
export function artifactsOf(input: Input): readonly Reference[] {
  return input.type === "message" ? [] : input.payload.artifacts;
}

/** Derives the id of the `index`-th envelope of a turn, counted from 1 (1). */
export function envelopeId(from: string, turn: number, index: number): string {
  return `${from}/${turn}/${index}`;
}
