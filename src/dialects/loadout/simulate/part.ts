/** A part is what the actors of one kind do in a run: given moves first, drawn ones after them, and a count of those used. */

import type { Parts } from "./play.ts";

export class Part<Move> {
  readonly #moves: Map<string, Move[]>;
  /** How many moves of each list were used. */
  readonly #used: Map<string, number> = new Map();

  constructor(given: Parts<Move>) {
    this.#moves = new Map(Object.entries(given).map(([socket, moves]) => [socket, [...moves]]));
  }

  /** The move with this number, counted from 0; where the list ends there, `more` may add it. */
  at(socket: string, index: number, more: () => Move | undefined): Move | undefined {
    const list = this.#moves.get(socket) ?? [];
    if (index === list.length) {
      const move = more();
      if (move !== undefined) list.push(move);
      this.#moves.set(socket, list);
    }
    const move = list[index];
    if (move !== undefined) this.#used.set(socket, Math.max(this.#used.get(socket) ?? 0, index + 1));
    return move;
  }

  /** The next move of a socket. */
  take(socket: string, more: () => Move | undefined): Move | undefined {
    return this.at(socket, this.#used.get(socket) ?? 0, more);
  }

  get played(): Parts<Move> {
    return Object.fromEntries(
      [...this.#used].map(([socket, count]) => [socket, (this.#moves.get(socket) ?? []).slice(0, count)]),
    );
  }
}
