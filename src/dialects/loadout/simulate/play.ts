/** A play is one run written down: what each actor did at its socket, in order. */

import type { Json } from "../../../base/json.ts";
import type { ProgramMove } from "./moves.ts";

/** Moves by the id of the socket. */
export type Parts<Move> = Readonly<Record<string, readonly Move[]>>;

export interface Play {
  /** Outputs of agents: a script as `run --script` takes it. */
  readonly script: Parts<Json>;
  readonly programs: Parts<ProgramMove>;
  readonly answers: Parts<Json>;
}

export const EMPTY_PLAY: Play = { script: {}, programs: {}, answers: {} };

/** How much there is to read in a play. */
export function sizeOf({ script, programs, answers }: Play): number {
  return JSON.stringify([script, programs, answers]).length;
}

/** A play without the lists that have nothing in them. */
export function withoutEmpty({ script, programs, answers }: Play): Play {
  return { script: filled(script), programs: filled(programs), answers: filled(answers) };
}

function filled<Move>(parts: Parts<Move>): Parts<Move> {
  return Object.fromEntries(Object.entries(parts).filter(([, moves]) => moves.length > 0));
}
