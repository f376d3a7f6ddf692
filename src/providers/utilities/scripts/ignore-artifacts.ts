/**
 * Ignore-Artifacts: adds patterns to an ignore file, so that what a run leaves behind is not committed.
 *
 * Parameters: `patterns` (default: `.baton/`), `file` (default: `.gitignore`, inside the project), and `local`:
 * in a git repository true means its private `info/exclude` in place of the file.
 */

import { readFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { messageOf } from "../../../base/failure.ts";
import type { JsonObject } from "../../../base/json.ts";
import { placeInside } from "../../workspace/inside.ts";
import { LocalWorkspace } from "../../workspace/local-workspace.ts";
import { addPatterns, anchored, patternIssue } from "../ignore-file.ts";
import { main } from "../main.ts";
import { tryGit } from "../programs.ts";
import { Declined, readParams, type UtilityRequest } from "../request.ts";

/** A file to add to: as it is named to people, where it is, and from which folder its patterns count. */
interface Target {
  readonly name: string;
  readonly folder: string;
  readonly path: string;
  readonly prefix: string;
}

await main(async ({ cwd, params }: UtilityRequest): Promise<JsonObject> => {
  const known = readParams(params, { patterns: "texts", file: "text", local: "truth" });
  const { patterns = [".baton/"], file = ".gitignore", local = false } = known;
  for (const pattern of patterns) {
    const issue = patternIssue(pattern);
    if (issue !== undefined) throw new Declined(`${JSON.stringify(pattern)} is no ignore pattern: ${issue}.`);
  }
  const target = (local && (await excludeFile(cwd))) || { name: file, folder: cwd, path: file, prefix: "" };
  const placed = patterns.map((pattern) => anchored(pattern, target.prefix));
  const { text, added, present } = addPatterns(await textOf(target), placed);
  if (added.length > 0) await write(target, text);
  return { state: { artifactIgnore: { file: target.name, added, present } } };
});

async function excludeFile(cwd: string): Promise<Target | undefined> {
  const { code, stdout } = await tryGit(cwd, "rev-parse", "--show-prefix", "--git-path", "info/exclude");
  if (code !== 0) return undefined;
  const [prefix = "", name = ""] = stdout.split("\n");
  const path = resolve(cwd, name);
  const folder = dirname(dirname(path));
  return { name, folder, path: join(basename(dirname(path)), basename(path)), prefix };
}

async function textOf({ folder, path }: Target): Promise<string> {
  try {
    const place = await placeInside(folder, path);
    if (place === undefined) return "";
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await readFile(place));
  } catch (error) {
    if (error instanceof TypeError) {
      throw new Declined(`${path} is not UTF-8, so it was left as it is: add the patterns by hand.`);
    }
    throw declined(error);
  }
}

async function write({ folder, path }: Target, text: string): Promise<void> {
  try {
    await new LocalWorkspace(folder).write(path, text);
  } catch (error) {
    throw declined(error);
  }
}

function declined(error: unknown): Declined {
  return new Declined(messageOf(error));
}
