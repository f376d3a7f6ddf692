/** The paths that a run itself writes to a repository before its work begins: no reason to call it dirty. */

import { isAbsolute, relative, resolve, sep } from "node:path";
import { isJsonObject } from "../../base/json.ts";
import type { UtilityRequest } from "./request.ts";

/** Paths relative to the root: the database and artifacts, and an ignore file that the run has added to. */
export function ownPaths({ cwd, runDir, state }: UtilityRequest, root: string): string[] {
  const paths = [".baton", ...(runDir === undefined ? [] : [runDir]), ...ignoreFile(state)];
  const relatives = paths.map((path) => relative(root, resolve(cwd, path)).split(sep).join("/"));
  return [...new Set(relatives)].filter((path) => path !== "" && !path.startsWith("..") && !isAbsolute(path));
}

function ignoreFile({ artifactIgnore }: UtilityRequest["state"]): string[] {
  if (!isJsonObject(artifactIgnore)) return [];
  const { file, added } = artifactIgnore;
  return typeof file === "string" && Array.isArray(added) && added.length > 0 ? [file] : [];
}
