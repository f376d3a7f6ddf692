/** A message graph is a state graph whose state is a conversation: the field `messages`, folded by id. */

import { type Field, type FieldsLike, field } from "../dialects/graph/field.ts";
import type { Message, MessageUpdate } from "../dialects/graph/messages.ts";
import { reducers } from "../dialects/graph/reducers.ts";
import { StateGraph } from "./state-graph.ts";
import type { StateGraphOptions } from "./state-graph-options.ts";

/** The field `messages` of a `MessageGraph`. */
export type MessagesField = Field<readonly Message[], MessageUpdate>;

/**
 * A `StateGraph` whose state is a conversation: the field `messages`, folded by `reducers.messages`, and any others beside
 * it. A text or a single message is an update, too.
 */
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
