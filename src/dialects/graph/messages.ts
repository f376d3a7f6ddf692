/** Messages are a list in which an id names one message: writing it again replaces it where it stands. */

import { canonical, isJsonObject, type Json } from "../../base/json.ts";
import type { Change, Take } from "../../kernel/patch.ts";
import { InvalidUpdateError } from "./errors.ts";

/** A message of a conversation. Other keys are kept as they are. */
export interface Message {
  readonly id?: string;
  readonly role?: string;
  readonly content?: unknown;
  readonly [key: string]: unknown;
}

/** Removes the message with this id; the id `REMOVE_ALL` removes all that came before. */
export interface RemoveMessage {
  readonly type: "remove";
  readonly id: string;
}

/** A text stands for a message of the user. */
export type MessageUpdate =
  | string
  | Message
  | RemoveMessage
  | readonly (string | Message | RemoveMessage | readonly [role: string, content: string])[];

/** `removeMessage(REMOVE_ALL)` removes every message before it. */
export const REMOVE_ALL = "__remove_all__";

/** The update that removes a message. An id that is not there removes nothing; throws when there is no id at all. */
export function removeMessage(id: string): RemoveMessage {
  if (typeof id === "string") return { type: "remove", id };
  throw new InvalidUpdateError(
    "removeMessage(id) got no id: give an id to each message that may be removed or replaced.",
  );
}

/** Folds messages into a list: by `id` in place, else at the end; `removeMessage` takes one out. */
export function messages(current: readonly Message[], update: MessageUpdate): readonly Message[] {
  const before = current ?? []; // for those who call it by hand, on nothing
  const list: (Message | undefined)[] = before.slice();
  const places = new Map(before.map(({ id }, place) => [id, place]));
  for (const message of toMessages(update)) {
    const place = message.id === undefined ? undefined : places.get(message.id);
    if (message["type"] === "remove") {
      if (message.id === REMOVE_ALL) {
        list.length = 0;
        places.clear();
      } else if (place !== undefined) {
        list[place] = undefined;
        places.delete(message.id);
      }
    } else if (place !== undefined) list[place] = message;
    else places.set(message.id, list.push(message) - 1);
  }
  return list.filter((message) => message !== undefined);
}

/** The messages that an update means. Throws an `InvalidUpdateError` for what cannot be a message. */
export function toMessages(update: MessageUpdate): readonly Message[] {
  return Array.isArray(update) ? update.map(toMessage) : [toMessage(update)];
}

function toMessage(given: unknown): Message {
  if (typeof given === "string") return { role: "user", content: given };
  if (Array.isArray(given) && given.length === 2 && typeof given[0] === "string") {
    return { role: given[0], content: given[1] };
  }
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    const what = given === null ? "null" : Array.isArray(given) ? "a list" : `a ${typeof given}`;
    throw new InvalidUpdateError(
      `${what} is no message: give an object such as { role: "user", content: "…" }, a text, or removeMessage(id).`,
    );
  }
  const message = given as Message; // any object may be one
  return message["type"] === "remove" ? { ...removeMessage(message.id as string) } : message;
}

/** The update that turns one list of messages into another: removals, then what is new or different. */
export function messagesBetween(before: readonly Json[], after: readonly Json[]): Json[] {
  const kept = new Map<string, number>();
  for (const message of before) count(kept, canonical(message), 1);
  const fresh = after.filter((message) => !take(kept, canonical(message)));
  const ids = new Set(after.flatMap((message) => idOf(message) ?? []));
  const isThere = (message: Json): boolean => ids.has(idOf(message) as string); // what has none is not
  const gone = before.filter((message) => take(kept, canonical(message)) && !isThere(message));
  // What has no id can only go with all the others.
  if (gone.some((message) => idOf(message) === undefined))
    return [{ type: "remove", id: REMOVE_ALL }, ...after];
  return [...gone.map((message): Json => ({ type: "remove", id: idOf(message) as string })), ...fresh];
}

function count(counts: Map<string, number>, key: string, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}

/** Takes one of these away, if there is one. */
function take(counts: Map<string, number>, key: string): boolean {
  const isThere = (counts.get(key) ?? 0) > 0;
  if (isThere) count(counts, key, -1);
  return isThere;
}

/** How a commit changes a list of messages, on sealed values; nothing when it has to be made anew. */
export function patchMessages(
  current: Json | undefined,
  updates: readonly Json[],
): Change | Take | undefined {
  if (!updates.every(Array.isArray)) return undefined;
  const list = (current ?? []) as readonly Json[];
  const written = updates.flat(1);
  const ids = written.map(idOf);
  const named = ids.filter((id) => id !== undefined);
  if (named.length === 0) return { op: "take", as: "append" };
  const places = placesIn(list);
  if (written.length === 1) return changeOne(written[0] as Json, places.get(named[0] as string));
  const fresh = new Set(named).size === named.length && !named.some((id) => places.has(id));
  return fresh && !written.some(isRemoval) ? { op: "take", as: "append" } : undefined;
}

function changeOne(message: Json, place: number | undefined): Change | Take | undefined {
  if (idOf(message) === REMOVE_ALL && isRemoval(message)) return { op: "set", value: [] };
  if (isRemoval(message)) {
    return place === undefined
      ? { op: "append", items: [] }
      : { op: "splice", at: place, remove: 1, items: [] };
  }
  if (place === undefined) return { op: "take", as: "append" };
  return { op: "splice", at: place, remove: 1, items: [message] };
}

/** Where each id stands in a list that only ever grows at its end; kept, so that a long list is not searched again. */
const indexes = new WeakMap<object, { seen: number; readonly places: Map<string, number> }>();

function placesIn(list: readonly Json[]): ReadonlyMap<string, number> {
  let index = indexes.get(list);
  if (index === undefined) {
    index = { seen: 0, places: new Map() };
    indexes.set(list, index);
  }
  for (; index.seen < list.length; index.seen++) {
    const id = idOf(list[index.seen] as Json);
    if (id !== undefined) index.places.set(id, index.seen);
  }
  return index.places;
}

function idOf(message: Json): string | undefined {
  const id = isJsonObject(message) ? message["id"] : undefined;
  return typeof id === "string" ? id : undefined;
}

function isRemoval(message: Json): boolean {
  return isJsonObject(message) && message["type"] === "remove";
}
