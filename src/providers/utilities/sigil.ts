/** The form of a commit title, `type(scope)!: summary`, and why a title does not have it. */

import { closest } from "../../base/names.ts";

/** The types that conventional commits have by custom. */
const COMMIT_TYPES: readonly string[] = [
  ...["feat", "fix", "docs", "style", "refactor", "perf"],
  ...["test", "build", "ci", "chore", "revert"],
];

const TITLE = /^([^\s():!]+)(?:\(([^()]*)\))?!?:( *)(.*)$/;

/** Says what is wrong with a title; nothing when it has the form. */
export function titleIssue(title: string, types: readonly string[] = COMMIT_TYPES): string | undefined {
  if (/[\r\n]/.test(title)) return "it has more than one line";
  const [match, type = "", scope, blank, summary = ""] = TITLE.exec(title) ?? [];
  if (match === undefined) return "it has no type and colon before the summary";
  if (!types.includes(type)) return unknownType(type, types);
  if (scope !== undefined && scope.trim() === "") return "its scope is empty";
  if (summary.trim() === "") return "it has no summary";
  if (blank !== " ") return "exactly one space belongs after the colon";
  return undefined;
}

function unknownType(type: string, types: readonly string[]): string {
  const meant = closest(type, types);
  const hint = meant === undefined ? `use ${types.join(", ")}` : `did you mean ${meant}?`;
  return `its type ${JSON.stringify(type)} is not known; ${hint}`;
}
