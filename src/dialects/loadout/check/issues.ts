/** All that is wrong with one loadout, as far as its shape lets it be read. */

import type { Issue } from "../../../base/issue.ts";
import { checkLanes } from "../lanes/rules.ts";
import type { Parts } from "../parts.ts";
import { checkFlow } from "./flow-rules.ts";
import { checkLoops } from "./loop-rules.ts";
import { checkMateria } from "./materia-rules.ts";
import { type Report, sketchOf } from "./sketch.ts";
import { checkSockets } from "./socket-rules.ts";

/** The issues of a loadout besides those of its shape; none of one that another file defines. */
export function issuesOf(parts: Parts): Issue[] {
  const issues: Issue[] = [];
  const report: Report = ({ severity = "error", ...issue }) => issues.push({ severity, ...issue });
  const sketch = sketchOf(parts);
  checkFlow(sketch, parts.at, report);
  checkSockets(sketch, report);
  checkLoops(sketch, report);
  checkMateria(sketch, report);
  checkLanes(parts, sketch, report);
  return issues;
}
