/** A verb is one thing that `baton` can be told to do: how it is called, and the module that does it. */

import type { ExitCode } from "../protocol/codes.ts";
import type { Terminal } from "./terminal/terminal.ts";

/** Flags as they were given; what a verb does not declare is never there. */
export interface Options {
  readonly db: string;
  readonly json?: boolean;
  readonly jsonl?: boolean;
  readonly color?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly config?: string;
  readonly input?: readonly string[];
  readonly inputFile?: string;
  readonly message?: readonly string[];
  readonly agent?: string;
  readonly script?: string;
  readonly record?: string;
  readonly budget?: string;
  readonly runId?: string;
  readonly durability?: string;
  readonly detach?: boolean;
  readonly yes?: boolean;
  readonly follow?: boolean;
  /** One JSON text where it can be given once, a list where it is repeatable. */
  readonly edit?: string | readonly string[];
  readonly reason?: string;
  readonly assume?: string;
  readonly runs?: string;
  readonly seed?: string;
  readonly items?: string;
  readonly invariants?: string;
  readonly out?: string;
  readonly olderThan?: string;
  readonly keep?: string;
  readonly maxSize?: string;
  readonly dryRun?: boolean;
  readonly until?: string;
  readonly with?: string;
  readonly rerun?: boolean;
  readonly at?: string;
  readonly redact?: boolean;
  readonly redactField?: readonly string[];
  readonly limit?: string;
  readonly status?: string;
  readonly port?: string;
  readonly host?: string;
  readonly token?: string;
  readonly open?: boolean;
}

export interface Call {
  readonly args: readonly string[];
  readonly options: Options;
  readonly terminal: Terminal;
}

export type Action = (call: Call) => Promise<ExitCode>;

export interface Verb {
  /** Its name, and what it takes: `answer <run> [question] <value>`. */
  readonly usage: string;
  readonly summary: string;
  readonly flags: readonly Flag[];
  readonly examples: readonly string[];
  /** What else a person should know, below the flags. */
  readonly notes?: string;
  /** True for what shells call and people do not. */
  readonly hidden?: true;
  readonly load: () => Promise<Action>;
}

/** A flag and its meaning; a repeatable one collects its values. */
export type Flag = readonly [flags: string, meaning: string, repeatable?: "repeatable"];
