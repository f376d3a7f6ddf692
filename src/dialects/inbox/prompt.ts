/**
 * A prompt is what an agent is told at the beginning of a turn.
 *
 * 1. The full one says who the node is, whom it may write to and what has arrived; a delta only what is new, and
 *    relies on the session for the rest.
 * 2. The same inputs give the same bytes: there are names and contents in it, and neither ids, numbers of the log,
 *    times nor the state of other nodes.
 */

import type { Desk } from "./channels.ts";
import { USER } from "./definition.ts";
import { artifactsOf, type Input, messageOf } from "./envelope.ts";
import { isConductor, type Seat } from "./seat.ts";

export interface Occasion {
  readonly seat: Seat;
  readonly inputs: readonly Input[];
  /** True when nobody wrote and the orchestrator is asked to go on by itself. */
  readonly isAutomatic: boolean;
  readonly undelivered: NonNullable<Desk["undelivered"]>;
}

type Layer = (occasion: Occasion) => string | undefined;

const ROLE: readonly Layer[] = [who, contacts, manners];
const NEWS: readonly Layer[] = [mode, undelivered, automatic, inputs];

/** The prompt of a session's first turn, and the effective one of any other. */
export function fullPrompt(occasion: Occasion): string {
  return join([...ROLE, ...NEWS], occasion);
}

/** The prompt of a turn in a session that has been told the rest. */
export function deltaPrompt(occasion: Occasion): string {
  return join(NEWS, occasion);
}

function join(layers: readonly Layer[], occasion: Occasion): string {
  return layers.flatMap((layer) => layer(occasion) ?? []).join("\n\n");
}

const KINDS = {
  orchestrator: "You lead the work: split it up, hand it on, collect the results and decide when it is done.",
  task: "You do the work that is handed to you.",
  verifier: "You check the work that is handed to you and say plainly what holds and what does not.",
} as const;

function who({ seat: { id, node } }: Occasion): string {
  const name = node.label === undefined || node.label === id ? id : `${id} (${node.label})`;
  return [`# You are ${name}`, KINDS[node.kind], ...(node.prompt === undefined ? [] : [node.prompt])].join(
    "\n\n",
  );
}

function contacts({ seat }: Occasion): string {
  const lines = seat.network.contacts(seat.id).map(([to, { type }]) => {
    const kind = seat.definition.nodes[to]?.kind ?? "node";
    return `- ${to} (${kind}), as a ${type}`;
  });
  const list = lines.length === 0 ? "You can send to nobody." : lines.join("\n");
  return `## Whom you can send to\n${list}`;
}

function manners({ seat }: Occasion): string {
  const lines = [
    "Others see nothing but what you send them. Sends are delivered when your turn is over.",
    "Nobody waits for several messages on your behalf: you run on what has arrived.",
    "End every turn with a message that says what came of it.",
    ...(isConductor(seat) ? ["When the goal is reached or out of reach, finish it and say so."] : []),
  ];
  return `## How it works\n${lines.map((line) => `- ${line}`).join("\n")}`;
}

function mode({ seat: { definition } }: Occasion): string {
  const phase = {
    planning: "This is the planning phase: write documents only.",
    implementation: "This is the implementation phase: you may change what your task needs.",
  }[definition.phase];
  const lead = {
    auto: "Nobody looks on: go on until the goal is finished.",
    interactive: "A person looks on and may write to you.",
  }[definition.mode];
  return `## Mode\n${phase} ${lead}`;
}

function undelivered({ undelivered: sends }: Occasion): string | undefined {
  if (sends.length === 0) return undefined;
  const lines = sends.map(({ to, code, message }) => `- to ${to} (${code}): ${message}`);
  return `## What you sent last and was not delivered\n${lines.join("\n")}`;
}

function automatic({ isAutomatic }: Occasion): string | undefined {
  if (!isAutomatic) return undefined;
  return "## Your move\nEverybody is idle and the goal is open. Hand on what is to be done next, or finish.";
}

function inputs({ inputs: list }: Occasion): string | undefined {
  if (list.length === 0) return undefined;
  return `## What has arrived\n\n${list.map(printInput).join("\n\n")}`;
}

function printInput(input: Input, index: number): string {
  const from = input.from === USER ? "the user" : input.from;
  const structured = input.type === "message" ? undefined : input.payload.structured;
  return [
    `### ${index + 1}. ${input.type} from ${from}`,
    messageOf(input),
    ...(structured === undefined ? [] : [`Data: ${JSON.stringify(structured)}`]),
    ...artifactsOf(input).map(({ kind, ref }) => `Attached ${kind}: ${ref}`),
  ].join("\n");
}
