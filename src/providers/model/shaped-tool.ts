/** A shaped tool says once what its input looks like; the model, the check and the code all follow from it. */

import type { ToolKind } from "../../agent/policy.ts";
import type { JsonObject } from "../../base/json.ts";
import { passes, type Shape } from "../../base/shape.ts";
import type { ModelTool, ToolDiff, ToolPlace } from "./model-tool.ts";

export interface ShapedTool<T> {
  readonly name: string;
  readonly description: string;
  readonly kind: ToolKind;
  readonly shape: Shape<T>;
  paths?(input: T): readonly string[];
  diffs?(input: T, place: ToolPlace): Promise<readonly ToolDiff[]>;
  run(input: T, place: ToolPlace): Promise<string>;
}

/** The tool of a shape. Its functions are only called with inputs that fit. */
export function shaped<T>({ shape, paths, diffs, run, ...told }: ShapedTool<T>): ModelTool {
  const typed = (input: JsonObject): T => input as T; // `problem` had nothing to say against it
  return {
    ...told,
    input: shape.schema,
    problem(input) {
      const issues = shape.validate(input, "");
      return passes(issues)
        ? undefined
        : issues.map(({ pointer, message }) => `${pointer} ${message}`.trim()).join(" ");
    },
    ...(paths && { paths: (input) => paths(typed(input)) }),
    ...(diffs && { diffs: (input, place) => diffs(typed(input), place) }),
    run: (input, place) => run(typed(input), place),
  };
}
