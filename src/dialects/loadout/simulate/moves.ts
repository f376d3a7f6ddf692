/**
 * Moves are what the actors of a simulated run do: an agent's output as a script has it, a program's end, a person's
 * answer. Each is plain JSON, so that a run can be written down and played again.
 */

import type { CommandRequest, CommandResult } from "../../../agent/command.ts";
import { canonical, isJsonObject, type Json } from "../../../base/json.ts";
import type { Ask } from "../../../kernel/program.ts";
import type { Contract } from "../handoff.ts";
import { checkAnswer } from "../human-socket.ts";
import { type Brief, outputOf, PLAIN, type Saying } from "./brief.ts";
import type { Dice, Temper } from "./dice.ts";
import { valuesOf } from "./schema-values.ts";

/** How a program ends; one that hangs does not end in the time that it has. */
export type ProgramMove =
  | { readonly kind: "prints"; readonly output: Json }
  | { readonly kind: "exits"; readonly code: number }
  | { readonly kind: "hangs" };

/** What a draw depends on. */
export interface Mood {
  readonly dice: Dice;
  readonly temper: Temper;
  /** The most items of a list. */
  readonly items: number;
  /** True when the last move here was trouble: trouble rarely comes alone. */
  readonly isTroubled: boolean;
}

export interface Drawn<Move> {
  readonly move: Move;
  readonly isTrouble: boolean;
}

/** The share of moves that are trouble after one that was. */
const AGAIN = 0.5;
/** How long an agent takes that is late, in milliseconds. */
const LATE_MS = 10 * 60_000;

/** An agent's next turn, as an output of a script. */
export function drawTurn(brief: Brief, mood: Mood): Drawn<Json> {
  const { dice, temper } = mood;
  if (dice.chance(shareOf(temper.failing, mood))) {
    return { move: { $: "turn", fail: "Simulated: no answer." }, isTrouble: true };
  }
  const isTrouble = brief.contract.parse === "json" && dice.chance(shareOf(temper.malformed, mood));
  const said = isTrouble ? malformed(dice) : outputOf(brief, drawSaying(mood));
  const isLate = dice.chance(temper.late);
  return { move: isLate ? { $: "turn", text: said, delayMs: LATE_MS } : said, isTrouble };
}

/** How a program ends next. */
export function drawProgram(brief: Brief, mood: Mood): Drawn<ProgramMove> {
  const { dice, temper } = mood;
  if (dice.chance(shareOf(temper.broken, mood))) {
    const broken: ProgramMove = dice.pick<ProgramMove>([
      { kind: "exits", code: 1 },
      { kind: "hangs" },
      { kind: "prints", output: "Simulated: no JSON." },
    ]);
    return { move: broken, isTrouble: true };
  }
  return { move: { kind: "prints", output: outputOf(brief, drawSaying(mood)) }, isTrouble: false };
}

/** What a person may answer; nothing when no answer that can be thought of would be accepted. */
export function drawAnswer(question: Pick<Ask, "value" | "schema">, mood: Mood): Json | undefined {
  const { dice, temper } = mood;
  const answers = answersTo(question, drawSaying(mood));
  const [approval] = answers;
  if (approval === undefined) return undefined;
  const denial = answers.find((answer) => isJsonObject(answer) && answer["approved"] === false);
  if (denial !== undefined && !dice.chance(temper.satisfied)) return denial;
  return dice.pick([approval, ...answers.filter((answer) => answer !== denial)]);
}

/** A person who does not want to be in the way. */
export function plainAnswer(question: Pick<Ask, "value" | "schema">): Json | undefined {
  return answersTo(question, PLAIN)[0];
}

/** The answers that a question takes, an approval first when it is one of them. */
function answersTo(question: Pick<Ask, "value" | "schema">, saying: Saying): Json[] {
  const { value, schema } = question;
  const contract = isJsonObject(value) ? value["contract"] : undefined;
  const brief = isJsonObject(contract) && {
    contract: contract as unknown as Contract, // a human socket put it into its question
    ...{ lists: [], gives: [], isInLane: false },
  };
  const candidates: Json[] = [
    { approved: true },
    ...(schema === undefined ? [] : valuesOf(schema)),
    ...(brief ? [outputOf(brief, saying)] : []),
    { approved: false, reason: "Simulated: not like this." },
  ];
  return candidates.filter((answer) => checkAnswer(question, answer) === undefined);
}

/** Plainer moves in place of an agent's, the plainest first. */
export function plainerTurns(brief: Brief, turn: Json): Json[] {
  const said = isJsonObject(turn) && turn["$"] === "turn" ? (turn["text"] ?? "") : turn;
  return distinct(turn, [...plainOutputs(brief, said), said]);
}

/** Plainer ends in place of a program's, the plainest first. */
export function plainerPrograms(brief: Brief, move: ProgramMove): ProgramMove[] {
  const said = move.kind === "prints" ? move.output : null;
  const outputs = distinct(said, plainOutputs(brief, said));
  const plain = outputs.map((output): ProgramMove => ({ kind: "prints", output }));
  return move.kind === "hangs" ? [...plain, { kind: "exits", code: 1 }] : plain;
}

/** Outputs that say no more than this one: nothing but what the socket needs, with fewer items, with the same verdict. */
function plainOutputs(brief: Brief, said: Json): Json[] {
  const satisfied = isJsonObject(said) && typeof said["satisfied"] === "boolean" ? said["satisfied"] : true;
  const count = Math.max(0, ...Object.values(isJsonObject(said) ? said : {}).map(lengthOf));
  const shorter = Array.from({ length: count }, (_, items) => items);
  const verdicts = brief.contract.satisfied === "required" ? [satisfied] : [undefined, satisfied];
  return [
    outputOf(brief, PLAIN),
    ...verdicts.flatMap((verdict) =>
      [...shorter, count].map((items) => outputOf(brief, { satisfied: verdict, items })),
    ),
  ];
}

function lengthOf(value: Json): number {
  return Array.isArray(value) ? value.length : 0;
}

function distinct(move: Json, others: readonly Json[]): Json[] {
  const seen = new Set([canonical(move)]);
  return others.filter((other) => {
    const text = canonical(other);
    return !seen.has(text) && seen.add(text);
  });
}

function shareOf(share: number, { isTroubled }: Mood): number {
  return share > 0 && isTroubled ? AGAIN : share;
}

function drawSaying({ dice, temper, items }: Mood): Saying {
  const satisfied = dice.chance(temper.satisfied);
  const isSaid = dice.chance(0.75);
  return { satisfied: isSaid ? satisfied : undefined, items: dice.chance(0.1) ? 0 : 1 + dice.below(items) };
}

function malformed(dice: Dice): Json {
  return dice.pick<Json>([
    "It is all done.",
    '{ "satisfied": tru',
    { satisfied: "yes" },
    { passed: true },
    { workItems: [{ title: "" }] },
    {},
  ]);
}

/** The result of a program that ends like this. */
export function resultOf(move: ProgramMove, { maxOutputBytes }: CommandRequest): CommandResult {
  const result = { ended: "exited", code: 0, stdout: "", stderr: "" } as const;
  switch (move.kind) {
    case "prints": {
      const { output } = move;
      const stdout = typeof output === "string" ? output : JSON.stringify(output);
      const isTooLarge = stdout.length > maxOutputBytes;
      return isTooLarge ? { ...result, ended: "too_large", code: null } : { ...result, stdout };
    }
    case "exits":
      return { ...result, code: move.code, stderr: "Simulated: it failed." };
    case "hangs":
      return { ...result, ended: "timed_out", code: null };
  }
}
