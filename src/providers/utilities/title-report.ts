/** A report on the titles of work items: whether all of them are commit titles, and which are not, and why. */

import { isJsonObject, type Json } from "../../base/json.ts";
import { titleIssue } from "./sigil.ts";

export interface TitleReport {
  readonly satisfied: boolean;
  /** For people and agents: what to correct. */
  readonly context: string;
}

/** How many titles are named before the rest is only counted. */
const NAMED = 20;

/** Checks every title and leaves the items alone. */
export function reportTitles(items: readonly Json[], types?: readonly string[]): TitleReport {
  const wrong = items.flatMap((item, index) => {
    const title = isJsonObject(item) ? item["title"] : undefined;
    const issue = typeof title === "string" ? titleIssue(title, types) : "it has no title";
    const named = typeof title === "string" ? ` ${JSON.stringify(title)}` : "";
    return issue === undefined ? [] : [`- WI-${index + 1}${named}: ${issue}`];
  });
  const of = items.length === 1 ? "The title of 1 work item" : `The titles of ${items.length} work items`;
  if (wrong.length === 0)
    return { satisfied: true, context: `${of} checked: all are type(scope)!: summary.` };
  const more = wrong.length > NAMED ? [`- and ${wrong.length - NAMED} more`] : [];
  const head = `${of} checked: ${wrong.length} should be type(scope)!: summary.`;
  return { satisfied: false, context: [head, ...wrong.slice(0, NAMED), ...more].join("\n") };
}
