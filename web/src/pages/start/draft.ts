/** A draft is what a person typed into the start dialog, and the request that it amounts to. */

import { isJsonObject, type Json, type JsonObject, type StartRequest } from "../../model/baton.ts";

export interface Draft {
  readonly definition: string;
  readonly task: string;
  readonly inputs: string;
  /** By node. */
  readonly messages: Readonly<Record<string, string>>;
  readonly script: string;
  readonly agent: string;
  readonly maxTokens: number | undefined;
  readonly maxCostUsd: number | undefined;
  readonly isAllowed: boolean;
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as Json; // what JSON.parse gives is JSON
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Why this cannot be started yet. */
export function problemOf({ inputs }: Draft): string | undefined {
  return inputs.trim() !== "" && parsed(inputs) === undefined
    ? "The inputs are not a JSON object."
    : undefined;
}

export function requestOf(draft: Draft): StartRequest {
  const { definition, task, inputs, script, agent, maxTokens, maxCostUsd, isAllowed } = draft;
  const messages = Object.entries(draft.messages).flatMap(([node, text]) =>
    text.trim() === "" ? [] : [{ node, text }],
  );
  const given = inputs.trim() === "" ? undefined : parsed(inputs);
  const budget = {
    ...(maxTokens !== undefined && { maxTokens }),
    ...(maxCostUsd !== undefined && { maxCostUsd }),
  };
  return {
    definition,
    ...(task.trim() !== "" && { task }),
    ...(given !== undefined && { inputs: given }),
    ...(messages.length > 0 && { messages }),
    ...(script.trim() !== "" && { script: script.trim() }),
    ...(agent.trim() !== "" && { agent: agent.trim() }),
    ...(Object.keys(budget).length > 0 && { budget }),
    ...(isAllowed && { yes: true }),
  };
}
