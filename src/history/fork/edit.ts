/** An edit of the state: a person puts values into channels, or into places within what they hold. */

import { assign, isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { type ChannelName, closest } from "../../base/names.ts";
import { Refusal } from "../../base/refusal.ts";
import type { Patch } from "../../kernel/patch.ts";
import { channelValue, type RunState } from "../../kernel/state.ts";

export interface Edit {
  readonly channel: ChannelName;
  /** Keys and indexes that lead into the channel's value; the whole of it when absent. */
  readonly path?: readonly string[];
  readonly value: Json;
}

/** The patches of edits, in their order. Refuses what does not fit the state. */
export function patchesOf(state: RunState, edits: readonly Edit[]): readonly Patch[] {
  const values = new Map<ChannelName, Json | undefined>();
  for (const { channel, path = [], value } of edits) {
    refuseUnlessHeld(state, channel);
    const before = values.has(channel) ? values.get(channel) : channelValue(state, channel);
    values.set(channel, putAt(before, path, { value, where: channel }));
  }
  return [...values].map(([channel, value]) => {
    const isQueue = state.plan.channels[channel]?.kind === "queue";
    if (isQueue && !Array.isArray(value)) {
      throw new Refusal("invalid_value", `${channel} is an inbox, so its value is a list.`);
    }
    return { channel, op: "set", value: value as Json }; // an edit always puts something
  });
}

function refuseUnlessHeld({ plan }: RunState, channel: ChannelName): void {
  const isControl = (name: string) => ["pulse", "gate"].includes(plan.channels[name]?.kind ?? "");
  if (Object.hasOwn(plan.channels, channel) && !isControl(channel)) return;
  const known = Object.keys(plan.channels).filter((name) => !isControl(name));
  const meant = closest(channel, known);
  const hint = meant === undefined ? `It has: ${known.join(", ")}.` : `Did you mean ${meant}?`;
  throw new Refusal("invalid_value", `The state has no ${channel}. ${hint}`);
}

interface Put {
  readonly value: Json;
  /** What leads here, for people. */
  readonly where: string;
}

/** A copy with the value at a place; objects on the way are made, lists are only ever replaced in or added to. */
function putAt(before: Json | undefined, [key, ...rest]: readonly string[], { value, where }: Put): Json {
  if (key === undefined) return value;
  const inner = { value, where: `${where}.${key}` };
  if (Array.isArray(before)) {
    const index = Number(key);
    if (!Number.isInteger(index) || index < 0 || index > before.length) {
      throw new Refusal(
        "invalid_value",
        `${where} is a list of ${before.length}, and ${key} is none of its places.`,
      );
    }
    return before.toSpliced(index, 1, putAt(before[index] as Json | undefined, rest, inner)) as Json[];
  }
  if (before !== undefined && !isJsonObject(before)) {
    throw new Refusal("invalid_value", `${where} is neither an object nor a list, so nothing is inside it.`);
  }
  const copy: Record<string, Json> = {};
  for (const [name, held] of Object.entries(before ?? {})) assign(copy, name, held);
  const held = before !== undefined && Object.hasOwn(before, key) ? (before as JsonObject)[key] : undefined;
  assign(copy, key, putAt(held, rest, inner));
  return copy;
}
