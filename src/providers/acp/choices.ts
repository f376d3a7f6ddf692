/** Choices are what a session offers to set: which model answers, and how long it thinks. */

import { methods, type SessionConfigOption } from "@agentclientprotocol/sdk/unstable";
import type { AcpConnection, Session } from "./connection.ts";

export interface Wanted {
  readonly model?: string;
  readonly thinking?: string;
}

const CATEGORIES = { model: "model", thinking: "thought_level" } as const;

/** Sets what a turn wants. Throws a sentence when the session does not offer it. */
export async function choose(connection: AcpConnection, session: Session, wanted: Wanted): Promise<void> {
  for (const what of ["model", "thinking"] as const) {
    const value = wanted[what];
    if (value !== undefined) await set(connection, session, { what, value });
  }
}

interface Choice {
  readonly what: keyof Wanted;
  readonly value: string;
}

async function set(connection: AcpConnection, session: Session, { what, value }: Choice): Promise<void> {
  const option = session.choices.find(({ category }) => category === CATEGORIES[what]);
  const offered = option === undefined ? [] : valuesOf(option);
  if (option === undefined || !offered.includes(value)) {
    const known = offered.length === 0 ? "It offers no choice here." : `It offers: ${offered.join(", ")}.`;
    throw new Error(`The agent cannot be set to the ${what} ${JSON.stringify(value)}. ${known}`);
  }
  if (option.currentValue === value) return;
  const { configOptions } = await connection.agent.request(methods.agent.session.setConfigOption, {
    ...{ sessionId: session.id, configId: option.id, value },
  });
  session.choices = configOptions;
}

function valuesOf(option: SessionConfigOption): readonly string[] {
  if (option.type !== "select") return [];
  return option.options.flatMap((entry) =>
    "value" in entry ? [entry.value] : entry.options.map(({ value }) => value),
  );
}
