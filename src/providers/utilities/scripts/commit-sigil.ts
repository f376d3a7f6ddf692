/**
 * Commit-Sigil: passes the work items on unchanged and says whether their titles are commit titles.
 *
 * Parameters: `types` (default: the conventional ones).
 */

import { main } from "../main.ts";
import { Declined, readParams } from "../request.ts";
import { reportTitles } from "../title-report.ts";

await main(({ params, state }) => {
  const { types } = readParams(params, { types: "texts" });
  const { workItems } = state;
  if (!Array.isArray(workItems)) {
    throw new Declined("There are no state.workItems to check: put a generator before Commit-Sigil.");
  }
  return { workItems, ...reportTitles(workItems, types) };
});
