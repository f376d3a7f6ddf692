/** What the compiler knows of the chunks of a stream, from the config of the call. */

import type { StateSnapshot } from "./moments.ts";
import type { Interrupted } from "./outcome.ts";
import type { StreamMode } from "./run-config.ts";

/** What each node wrote, by its name; `null` when it wrote nothing. `isInterrupted` tells open questions from it. */
export type UpdateChunk<Update> = Readonly<Record<string, Update | null>>;

/** A task as it starts (`input`), and as it ends with a result, an error or questions. */
export interface TaskChunk {
  readonly id: string;
  readonly name: string;
  readonly input?: unknown;
  readonly result?: unknown;
  readonly error?: string;
  readonly interrupts?: Interrupted["__interrupt__"];
}

/** A task or a checkpoint, with its step and time. */
export interface DebugChunk {
  readonly type: "task" | "task_result" | "checkpoint";
  readonly step: number;
  /** ISO 8601 in UTC. */
  readonly timestamp: string;
  readonly payload: unknown;
}

/** A piece of a message or a whole one, and where it comes from. */
export type MessageChunk = readonly [piece: unknown, from: { readonly node: string; readonly task: string }];

interface Chunks<State, Update> {
  readonly values: State & Partial<Interrupted>;
  readonly updates: UpdateChunk<Update>;
  readonly tasks: TaskChunk;
  readonly checkpoints: StateSnapshot<State>;
  readonly debug: DebugChunk;
  readonly custom: unknown;
  readonly messages: MessageChunk;
}

type Path = readonly string[];

/** A chunk alone, or with its mode before it when a list of modes was asked for. */
type Shown<Modes, C extends Chunks<unknown, unknown>> = Modes extends readonly (infer Mode)[]
  ? { [One in Mode & StreamMode]: readonly [mode: One, chunk: C[One]] }[Mode & StreamMode]
  : Modes extends StreamMode
    ? C[Modes]
    : C["values"];

type WithPath<Item> = Item extends readonly [infer Mode extends StreamMode, infer Chunk]
  ? readonly [path: Path, mode: Mode, chunk: Chunk]
  : readonly [path: Path, chunk: Item];

/** The modes of a config, where its type tells them. */
type ModesOf<Config> = "streamMode" extends keyof Config ? Config["streamMode"] : undefined;

/** What a stream yields for a call with this config; `unknown` when its type leaves the modes open. */
export type ChunkFor<State, Update, Config> = [StreamMode] extends [ModesOf<Config>]
  ? unknown
  : Config extends { readonly subgraphs: true }
    ? WithPath<
        Shown<ModesOf<Config>, Chunks<Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>>>
      >
    : Shown<ModesOf<Config>, Chunks<State, Update>>;
