/** A message graph is a state graph whose state is a conversation: the field `messages`, folded by id. */

import { type Field, type FieldsLike, field } from "../dialects/graph/field.ts";
import type { Message, MessageUpdate } from "../dialects/graph/messages.ts";
import { reducers } from "../dialects/graph/reducers.ts";
import { StateGraph, type StateGraphOptions } from "./state-graph.ts";

export type MessagesField = Field<readonly Message[], MessageUpdate>;

export class MessageGraph<
  More extends FieldsLike = Record<never, never>,
  Nodes extends string = never,
  Context = unknown,
> extends StateGraph<More & { readonly messages: MessagesField }, Nodes, Context> {
  /** `more` are fields beside the messages. */
  constructor(more: More = {} as More, options: StateGraphOptions<Context> = {}) {
    const messages: MessagesField = field({ reducer: reducers.messages, default: [] });
    super({ ...more, messages }, options);
  }
}
