/** Messages are a list in which an id names one message: writing it again replaces it where it stands. */

import { isJsonObject, type Json } from "../../base/json.ts";
import type { Change, Take } from "../../kernel/patch.ts";

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
export type MessageUpdate = string | Message | RemoveMessage | readonly (string | Message | RemoveMessage)[];

export const REMOVE_ALL = "__remove_all__";

/** The update that removes a message. An id that is not there removes nothing. */
export function removeMessage(id: string): RemoveMessage {
  return { type: "remove", id };
}

/** Folds messages into a list: by `id` in place, else at the end; `removeMessage` takes one out. */
export function messages(current: readonly Message[], update: MessageUpdate): readonly Message[] {
  const list: (Message | undefined)[] = current.slice();
  const places = new Map(current.map(({ id }, place) => [id, place]));
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

/** The messages that an update means. */
export function toMessages(update: MessageUpdate): readonly Message[] {
  const list = Array.isArray(update) ? update : [update];
  return list.map((message) =>
    typeof message === "string" ? { role: "user", content: message } : (message as Message),
  );
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
