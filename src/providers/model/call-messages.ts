/** Calls of tools and their results, as they stand in the messages of a conversation. */

import type { ModelMessage, ToolCallPart } from "ai";

/** The calls that a message makes. */
export function callsIn({ role, content }: ModelMessage): readonly ToolCallPart[] {
  if (role !== "assistant" || typeof content === "string") return [];
  return content.filter((part): part is ToolCallPart => part.type === "tool-call");
}

/** The calls that a message has results for. */
export function resultsIn({ role, content }: ModelMessage): readonly string[] {
  if (role !== "tool") return [];
  return content.flatMap((part) => (part.type === "tool-result" ? [part.toolCallId] : []));
}

/** The calls that a message has results for which are no errors. */
export function goodResultsIn({ role, content }: ModelMessage): readonly string[] {
  if (role !== "tool") return [];
  return content.flatMap((part) =>
    part.type === "tool-result" && part.output.type === "text" ? [part.toolCallId] : [],
  );
}

/** The message that gives a call its result. */
export function resultOf(
  { toolCallId, toolName }: ToolCallPart,
  value: string,
  isError: boolean,
): ModelMessage {
  const output = { type: isError ? ("error-text" as const) : ("text" as const), value };
  return { role: "tool", content: [{ type: "tool-result", toolCallId, toolName, output }] };
}
