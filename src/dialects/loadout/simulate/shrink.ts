/**
 * Shrink makes a play that breaks a law as short as it gets: by delta debugging over its lists (Zeller and
 * Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002), then move by move.
 *
 * 1. Every step still breaks the law, and is shorter: fewer moves made in the run, or as many and less to read.
 * 2. It ends when no single removal and no single plainer move helps any more, or when its trials are used up.
 */

import type { Json } from "../../../base/json.ts";
import type { ProgramMove } from "./moves.ts";
import type { Parts, Play } from "./play.ts";

/** A play that breaks the law, and what it costs to follow it. */
export interface Trial {
  /** What was played of it. */
  readonly play: Play;
  /** How many visits the run made. */
  readonly length: number;
  /** How much there is to read. */
  readonly size: number;
}

export interface Shrinking {
  /** Plays it; nothing when it does not break the law. */
  readonly attempt: (play: Play) => Promise<Trial | undefined>;
  /** Plainer moves in place of one, the plainest first. */
  readonly plainer: Plainer;
  /** The most plays. */
  readonly most: number;
}

export interface Plainer {
  turn(socket: string, move: Json): readonly Json[];
  program(socket: string, move: ProgramMove): readonly ProgramMove[];
}

export async function shrink(start: Trial, { attempt, plainer, most }: Shrinking): Promise<Trial> {
  let best = start;
  let left = most;
  const seen = new Set<string>([JSON.stringify(start.play)]);
  /** Tries plays until one is shorter; says whether one was. */
  const improve = async (candidates: Iterable<Play>): Promise<boolean> => {
    for (const candidate of candidates) {
      const text = JSON.stringify(candidate);
      if (seen.has(text)) continue;
      if (left-- <= 0) return false;
      seen.add(text);
      const trial = await attempt(candidate);
      if (trial === undefined || !isShorter(trial, best)) continue;
      best = trial;
      return true;
    }
    return false;
  };
  while ((await improve(withoutChunks(best.play))) || (await improve(withPlainer(best.play, plainer)))) {
    if (left <= 0) break;
  }
  return best;
}

function isShorter(a: Trial, b: Trial): boolean {
  return a.length < b.length || (a.length === b.length && a.size < b.size);
}

const KINDS = ["script", "programs", "answers"] as const;

/** The play without a part of one of its lists, large parts first. */
function* withoutChunks(play: Play): Generator<Play> {
  const longest = Math.max(1, ...lists(play).map(({ moves }) => moves.length));
  for (let size = longest; size >= 1; size = Math.floor(size / 2)) {
    for (const { kind, socket, moves } of lists(play)) {
      if (size > moves.length) continue;
      for (let from = moves.length - size; from >= 0; from -= size) {
        yield replaced(play, kind, { [socket]: moves.toSpliced(from, size) });
      }
      if (moves.length % size !== 0)
        yield replaced(play, kind, { [socket]: moves.slice(moves.length % size) });
    }
  }
}

interface List {
  readonly kind: (typeof KINDS)[number];
  readonly socket: string;
  readonly moves: readonly (Json | ProgramMove)[];
}

function lists(play: Play): List[] {
  return KINDS.flatMap((kind) =>
    Object.entries(play[kind] as Parts<Json | ProgramMove>).map(([socket, moves]) => ({
      kind,
      socket,
      moves,
    })),
  );
}

function replaced(play: Play, kind: List["kind"], lists: Parts<Json | ProgramMove>): Play {
  return { ...play, [kind]: { ...play[kind], ...lists } } as Play; // moves stay with their kind
}

/** The play with one move put more plainly. */
function* withPlainer(play: Play, { turn, program }: Plainer): Generator<Play> {
  for (const [socket, moves] of Object.entries(play.script)) {
    for (const [index, move] of moves.entries()) {
      for (const other of turn(socket, move)) {
        yield replaced(play, "script", { [socket]: moves.with(index, other) });
      }
    }
  }
  for (const [socket, moves] of Object.entries(play.programs)) {
    for (const [index, move] of moves.entries()) {
      for (const other of program(socket, move)) {
        yield replaced(play, "programs", { [socket]: moves.with(index, other) });
      }
    }
  }
}
