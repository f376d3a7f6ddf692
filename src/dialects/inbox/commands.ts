/** Commands of an inbox graph: what a person does to a run, as the kernel takes it. */

import type { JsonObject } from "../../base/json.ts";
import { closest } from "../../base/names.ts";
import { Refusal } from "../../base/refusal.ts";
import type { Command } from "../../kernel/command.ts";
import type { Write } from "../../kernel/event.ts";
import { openQuestions, type RunState, type RunStatus } from "../../kernel/state.ts";
import { AUTO_TURNS, GOAL, inboxOf, RESULTS } from "./channels.ts";
import { type InboxDefinition, USER } from "./definition.ts";
import type { UserMessage } from "./envelope.ts";

export interface Message {
  readonly node: string;
  readonly text: string;
}

/** Starts a run with at least one message. Throws a `Refusal` when there is none, or nobody to read one of them. */
export function startInbox(
  definition: InboxDefinition,
  messages: readonly Message[],
): Extract<Command, { type: "start" }> {
  if (messages.length === 0) {
    const nodes = Object.keys(definition.nodes).join(", ");
    throw new Refusal("invalid_value", `A run needs a message to begin with, to one of: ${nodes}.`);
  }
  return {
    type: "start",
    writes: [...messages.map((message) => appended(definition, message)), OPEN_GOAL],
    request: { inbox: definition.name, messages: messages.map(({ node, text }) => ({ node, text })) },
  };
}

/** Appends a message to an inbox. A run that was over goes on with it; throws a `Refusal` for a cancelled one. */
export function messageInbox(
  definition: InboxDefinition,
  message: Message,
  status: RunStatus,
): Extract<Command, { type: "update" }> {
  if (status === "cancelled") {
    throw new Refusal("wrong_state", "The run is cancelled: nobody will read a message. Start another one.");
  }
  const writes = [appended(definition, message)];
  if (status === "completed") writes.push(OPEN_GOAL, { channel: AUTO_TURNS, value: 0 });
  return { type: "update", writes, as: USER };
}

/** What a resume writes, so that nodes which had stalled begin to count anew. */
export function resumeWrites(): Write[] {
  return [{ channel: RESULTS, value: {}, overwrite: true }];
}

const OPEN_GOAL: Write = { channel: GOAL, value: { open: true } };

function appended({ nodes }: InboxDefinition, { node, text }: Message): Write {
  if (!Object.hasOwn(nodes, node)) {
    const meant = closest(node, Object.keys(nodes));
    const hint = meant === undefined ? `It has: ${Object.keys(nodes).join(", ")}.` : `Did you mean ${meant}?`;
    throw new Refusal("unknown_node", `The graph has no node ${node}. ${hint}`);
  }
  if (text.trim() === "") throw new Refusal("invalid_value", `The message to ${node} is empty.`);
  const message: UserMessage = { type: "message", from: USER, message: text };
  return { channel: inboxOf(node), value: { ...message } as JsonObject };
}

/** The commands that put a changed program in place and leave nothing open for a node that is gone. */
export function* amendCommands(state: RunState, { removed = [] }: InboxDefinition): Generator<Command> {
  yield { type: "amend" };
  const isGone = ({ node }: { readonly node: string }) => removed.includes(node);
  for (const { task, question } of openQuestions(state).filter(({ task }) => isGone(task))) {
    const value = { approved: false, reason: `${task.node} was removed from the graph.` };
    yield { type: "answer", question: question.id, value };
  }
  const failed = state.tasks.list().filter((task) => task.phase === "failed" && isGone(task));
  for (const { node } of failed) yield { type: "retry", node }; // its grave takes over
}
