/**
 * A tool of a model: what it is told of it, who has to allow it, and what it does.
 *
 * 1. A tool is offered when the turn may use it at all; each call is judged again, with its paths.
 */

import type { Approval, Asked } from "../../agent/agent.ts";
import { type Rules, type ToolKind, verdictOn } from "../../agent/policy.ts";
import type { Signal } from "../../base/abort.ts";
import type { JsonObject } from "../../base/json.ts";

/** Something that a model can call. */
export interface ModelTool {
  /** Letters, digits, `_` and `-`. */
  readonly name: string;
  /** What it does and when to use it, for the model. */
  readonly description: string;
  /** What the policy judges it by. */
  readonly kind: ToolKind;
  /** JSON Schema of its input, an object. */
  readonly input: JsonObject;
  /** What is wrong with an input, in a sentence for the model; nothing when it can be run. */
  problem?(input: JsonObject): string | undefined;
  /** The files that a call is about, relative to the working folder. */
  paths?(input: JsonObject): readonly string[];
  /** What a call would change, for the person who decides on it. */
  diffs?(input: JsonObject, place: ToolPlace): Promise<readonly ToolDiff[]>;
  /** What a person is to answer first. Without it, who has to allow a call is what the policy says. */
  asks?(input: JsonObject): Asked;
  /** Does it and returns what the model is told. What it throws is told to the model too. */
  run(input: JsonObject, place: ToolPlace): Promise<string>;
}

export interface ToolDiff {
  readonly path: string;
  /** `null` when the file is new. */
  readonly oldText: string | null;
  readonly newText: string;
}

/** Where a tool works. */
export interface ToolPlace {
  /** The working folder, absolute. */
  readonly cwd: string;
  readonly signal: Signal;
  /** What the person said, when the tool asks. */
  readonly answer?: Approval;
}

/** The tools that a turn is offered (1). */
export function offered(tools: readonly ModelTool[], rules: Rules): readonly ModelTool[] {
  // A document is the path that may be edited whenever anything may.
  return tools.filter(
    ({ kind, name }) => verdictOn({ kind, name, paths: ["docs/any.md"] }, rules) !== "deny",
  );
}
