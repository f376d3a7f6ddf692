/** A definition is a loadout as its author wrote it: sockets, the edges between them, loops, and the materia they hold. */

import type { Tools } from "../../agent/agent.ts";
import type { Json, JsonObject } from "../../base/json.ts";
import type { Budget } from "../budget.ts";

/** The target that ends the run. */
export const END = "end";

export type Condition = "always" | "satisfied" | "not_satisfied";

/** How the output of a socket is read. */
export type Parse = "text" | "json";

export interface Edge {
  readonly when: Condition;
  /** A socket, or `end`. */
  readonly to: string;
  /** How often it may be passed per work item; as often as needed when absent. */
  readonly maxTraversals?: number;
}

/** Moves the cursor of the socket's loop to the next item. */
export interface Advance {
  readonly cursor: string;
  /** Where the items are, such as `state.workItems`. */
  readonly items: string;
  /** Always, when absent. */
  readonly when?: Condition;
}

/** Target in the state → source: `$.path` in the output or `state.path`. */
export interface Assignments {
  readonly [target: string]: string;
}

export interface Socket {
  readonly materia: string;
  readonly parse?: Parse;
  readonly assign?: Assignments;
  readonly edges?: readonly Edge[];
  readonly advance?: Advance;
  readonly limits?: { readonly maxOutputBytes?: number };
}

export interface LoopExit {
  readonly id: string;
  readonly from: string;
  readonly condition: Condition;
  /** A socket, or `end`. */
  readonly targetSocketId: string;
}

export interface Loop {
  readonly sockets: readonly string[];
  readonly consumes?: { readonly from: string; readonly output?: string };
  readonly exits?: readonly LoopExit[];
  /** For loops without a generator. */
  readonly iterator?: { readonly items: string; readonly as: string; readonly cursor: string };
  /** Works on several items at once, each in a lane of its own; one after the other when absent. */
  readonly parallel?: Parallel;
}

export interface Parallel {
  /** The most lanes at work at the same time. */
  readonly maxConcurrency: number;
}

export type MateriaType = "agent" | "utility" | "human" | "graph";

/** A reusable role or script. Which fields count depends on its type; the check says which ones do not. */
export interface Materia {
  readonly type?: MateriaType;
  readonly label?: string;
  readonly description?: string;
  readonly group?: string;
  readonly color?: string;
  readonly generator?: boolean;
  /** Agent: the role. Human: what the person is asked. */
  readonly prompt?: string;
  readonly tools?: Tools;
  readonly agent?: string;
  readonly model?: string;
  readonly thinking?: string;
  readonly command?: readonly string[];
  readonly utility?: string;
  readonly params?: JsonObject;
  readonly parse?: Parse;
  /** Milliseconds; 30,000 when absent. */
  readonly timeoutMs?: number;
  /** Environment variables to pass on besides the allow-list. */
  readonly env?: readonly string[];
  /** Human: the JSON Schema of the answer. */
  readonly schema?: JsonObject;
  /** Graph: the loadout that runs as a child. */
  readonly loadout?: string;
}

export interface Limits {
  /** How often a socket may be asked again in one visit because of its handoff; 1 when absent. */
  readonly maxRepairs?: number;
  /** How many cycles one work item may close over edges without `maxTraversals`; 3 when absent. */
  readonly maxNoAdvanceCycles?: number;
  /** The most steps of one start or resume; no limit when absent. */
  readonly maxSteps?: number;
}

/** A loadout within a config: it takes its materia from there. */
export interface Loadout {
  readonly $schema?: string;
  readonly name?: string;
  readonly entry: string;
  readonly sockets: { readonly [id: string]: Socket };
  readonly loops?: { readonly [id: string]: Loop };
  /** For drawing only. */
  readonly layout?: Json;
  readonly materia?: { readonly [id: string]: Materia };
  readonly budget?: Budget;
  readonly limits?: Limits;
  /** The loadouts that graph materia name. */
  readonly loadouts?: { readonly [name: string]: Loadout };
}

export interface Config {
  readonly $schema?: string;
  readonly activeLoadout?: string;
  readonly loadouts?: { readonly [name: string]: Loadout };
  readonly materia?: { readonly [id: string]: Materia };
  readonly budget?: Budget;
  readonly limits?: Limits;
  /** Where runs keep their files, from the folder that they work in; beside the database when absent. */
  readonly artifactDir?: string;
}

/** A loadout that needs nothing but itself: it has its name, and every materia and inner loadout that it uses. */
export interface LoadoutDefinition extends Loadout {
  readonly name: string;
  readonly materia: { readonly [id: string]: Materia };
  /** What the config around it says. */
  readonly artifactDir?: string;
}

export const DEFAULT_LIMITS: { readonly maxRepairs: number; readonly maxNoAdvanceCycles: number } = {
  maxRepairs: 1,
  maxNoAdvanceCycles: 3,
};
export const DEFAULT_TIMEOUT_MS = 30_000;
export const DEFAULT_MAX_OUTPUT_BYTES: number = 1024 * 1024;
/** Where the items of a loop are when nothing else is said. */
export const WORK_ITEMS = "workItems";
