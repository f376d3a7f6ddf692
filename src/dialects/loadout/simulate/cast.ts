/**
 * The cast plays one run: it stands behind the ports of agents, programs and people.
 *
 * 1. Agents are played by the scripted agent itself, so a play that is written down goes the same way in a real run.
 * 2. With a draw, a list that runs out grows; without one, an agent's list ends as a script does, and programs and
 *    people do what is plainest.
 * 3. What belongs to a parallel loop has a list for each item, as lanes do in a real run (`Socket-4@WI-1`).
 * 4. After `mostMoves` moves nobody draws any more: the run comes to an end, and is known to have been cut.
 */

import type { Agent, SessionRequest, TurnRequest } from "../../../agent/agent.ts";
import type { CommandRequest, CommandResult, Commands } from "../../../agent/command.ts";
import { parseScript, type Script, type ScriptedTurn } from "../../../agent/script.ts";
import { ScriptedAgent, type ScriptedOptions } from "../../../agent/scripted.ts";
import { invariant } from "../../../base/failure.ts";
import { isJsonObject, type Json } from "../../../base/json.ts";
import type { Ask } from "../../../kernel/program.ts";
import { type Brief, type Briefs, outputOf, PLAIN } from "./brief.ts";
import type { Dice, Temper } from "./dice.ts";
import {
  type Drawn,
  drawAnswer,
  drawProgram,
  drawTurn,
  type Mood,
  type ProgramMove,
  plainAnswer,
  resultOf,
} from "./moves.ts";
import { Part } from "./part.ts";
import type { Play } from "./play.ts";

/** Where moves come from that the play does not have. */
export interface Draw {
  readonly dice: Dice;
  readonly temper: Temper;
  /** The most items of a list. */
  readonly items: number;
}

export interface CastOptions {
  readonly briefs: Briefs;
  readonly play: Play;
  readonly draw?: Draw;
  /** The most moves of all actors together. */
  readonly mostMoves: number;
  /** Waits in virtual time. */
  readonly sleep: ScriptedOptions["sleep"];
}

export class Cast {
  readonly #options: CastOptions;
  readonly #turns: Part<Json>;
  readonly #programs: Part<ProgramMove>;
  readonly #answers: Part<Json>;
  readonly #lists: Map<string, { readonly turns: ScriptedTurn[]; readonly repeats: false }> = new Map();
  readonly #troubled: Set<string> = new Set();
  #moves: number = 0;
  readonly agent: Agent;
  readonly commands: Commands;

  constructor(options: CastOptions) {
    const { play, sleep } = options;
    this.#options = options;
    this.#turns = new Part(play.script);
    this.#programs = new Part(play.programs);
    this.#answers = new Part(play.answers);
    const scripted = new ScriptedAgent({ script: this.#lists as Script, digest: "simulated", sleep });
    this.agent = {
      session: (request) => {
        this.#listOf(this.#keyOf(request));
        return scripted.session(request);
      },
      turn: (request) => {
        this.#rehearse(request);
        return scripted.turn(request);
      },
    };
    this.commands = { run: (request) => Promise.resolve(this.#perform(request)) };
  }

  /** True when the run was cut (4). */
  get isCut(): boolean {
    return this.#moves > this.#options.mostMoves;
  }

  /** What was played, without what nobody asked for. */
  get played(): Play {
    return {
      script: this.#turns.played,
      programs: this.#programs.played,
      answers: this.#answers.played,
    };
  }

  /** What the person answers; nothing when the question is left open. */
  answer(question: Pick<Ask, "value" | "schema">): Json | undefined {
    const { value } = question;
    const socket = isJsonObject(value) && typeof value["node"] === "string" ? value["node"] : "";
    if (!this.#mayMove()) return undefined;
    const mood = this.#mood(socket);
    const answer = this.#answers.take(socket, () => mood && drawAnswer(question, mood));
    return answer ?? (mood === undefined ? plainAnswer(question) : undefined);
  }

  /** The key of the list that a turn takes from (3). */
  #keyOf({ node, role, item }: SessionRequest): string {
    const isInLane = item !== undefined && this.#options.briefs(node, role)?.isInLane === true;
    return isInLane ? `${node}@${item}` : node;
  }

  #listOf(key: string): { readonly turns: ScriptedTurn[]; readonly repeats: false } {
    const list = this.#lists.get(key) ?? { turns: [], repeats: false };
    this.#lists.set(key, list);
    return list;
  }

  /** Sees that the list of an agent has the turn that it is about to take, if there is to be one. */
  #rehearse(request: TurnRequest): void {
    const { node, role, cursor } = request;
    const key = this.#keyOf(request);
    const taken = isJsonObject(cursor) && typeof cursor["taken"] === "number" ? cursor["taken"] : 0;
    const list = this.#listOf(key);
    if (!this.#mayMove()) list.turns.length = Math.min(list.turns.length, taken);
    if (this.isCut) return;
    const brief = this.#options.briefs(node, role);
    while (list.turns.length <= taken) {
      const index = list.turns.length;
      const turn = this.#turns.at(key, index, () => {
        const mood = this.#mood(key);
        return mood && brief && this.#drawn(key, drawTurn(brief, mood));
      });
      if (turn === undefined) return;
      list.turns.push(scripted(turn));
    }
  }

  #perform(request: CommandRequest): CommandResult {
    const input = JSON.parse(request.stdin) as Json; // written by the utility socket
    const { socketId = "", materiaId = "" } = isJsonObject(input) ? input : {};
    const socket = String(socketId);
    const brief = this.#options.briefs(socket, String(materiaId));
    if (brief === undefined || !this.#mayMove()) return resultOf({ kind: "exits", code: 1 }, request);
    const move = this.#programs.take(socket, () => {
      const mood = this.#mood(socket);
      return mood && this.#drawn(socket, drawProgram(brief, mood));
    });
    return resultOf(move ?? plain(brief), request);
  }

  #mayMove(): boolean {
    this.#moves++;
    return !this.isCut;
  }

  #mood(socket: string): Mood | undefined {
    const { draw } = this.#options;
    return draw && { ...draw, isTroubled: this.#troubled.has(socket) };
  }

  #drawn<Move>(socket: string, { move, isTrouble }: Drawn<Move>): Move {
    if (isTrouble) this.#troubled.add(socket);
    else this.#troubled.delete(socket);
    return move;
  }
}

function plain(brief: Brief): ProgramMove {
  return { kind: "prints", output: outputOf(brief, PLAIN) };
}

/** One output of a script, read as a script is read. */
function scripted(output: Json): ScriptedTurn {
  const parsed = parseScript({ turn: [output] });
  const turn = parsed.ok ? parsed.script.get("turn")?.turns[0] : undefined;
  invariant(turn, "a simulated turn is an output that a script may have");
  return turn;
}
