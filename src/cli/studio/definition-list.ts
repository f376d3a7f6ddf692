/**
 * The definitions that a page can show: files of the project that are known by what is in them, and what comes with
 * Baton.
 *
 * 1. Finding definitions runs none of them: a module is known by its words. Drawing one is `moduleDrawing`'s work.
 */

import type { Json } from "../../base/json.ts";
import { isJsonObject } from "../../base/json.ts";
import { isInbox } from "../../dialects/inbox/read.ts";
import { BUNDLED } from "../../dialects/loadout/bundled.ts";
import { isLoadout } from "../../dialects/loadout/read.ts";
import type { DefinitionKind, DefinitionLine } from "../../protocol/studio.ts";
import { MODULES } from "../runs/source.ts";
import type { ProjectFile, ProjectFiles } from "./project-files.ts";

export const BUNDLED_PREFIX = "bundled:";

/** Everything that could be run or edited here, the project's own first. */
export async function listDefinitions(files: ProjectFiles): Promise<readonly DefinitionLine[]> {
  const found: DefinitionLine[] = [];
  for (const file of await files.list([".json", ...MODULES])) {
    const text = await files.read(file).catch(() => "");
    const kind = kindOf(file.path, text) ?? brokenKindOf(file.path, text);
    if (kind !== undefined) found.push(lineOf(file, kind, text));
  }
  const bundled = Object.keys(BUNDLED.loadouts ?? {}).map((name): DefinitionLine => {
    return { path: BUNDLED_PREFIX + name, kind: "loadout", name, isBundled: true };
  });
  return [...found, ...bundled];
}

export function lineOf({ path }: ProjectFile, kind: DefinitionKind, text: string): DefinitionLine {
  const named = kind === "module" ? undefined : jsonIn(text);
  const name = isJsonObject(named) && typeof named["name"] === "string" ? named["name"] : undefined;
  return { path, kind, name: name ?? path.split("/").at(-1) ?? path, isBundled: false };
}

/** What a file is; `undefined` for one that is none of these. */
export function kindOf(path: string, text: string): DefinitionKind | undefined {
  if (MODULES.some((ending) => path.endsWith(ending)))
    return isGraphModule(path, text) ? "module" : undefined;
  const json = jsonIn(text);
  if (!isJsonObject(json)) return undefined;
  if (isInbox(json) && Array.isArray(json["edges"] ?? []))
    return isJsonObject(json["nodes"]) ? "inbox" : undefined;
  if (isLoadout(json)) return "loadout";
  return isJsonObject(json["materia"]) ? "materia" : undefined;
}

/** (1) */
function isGraphModule(path: string, text: string): boolean {
  if (/\.(test|spec|d)\.[cm]?[jt]s$/.test(path)) return false;
  return /from\s+["']batonjs["']/.test(text) && /\b(StateGraph|MessageGraph|entrypoint)\b/.test(text);
}

export function jsonIn(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** What a file was meant to be that is no JSON, by its words: it can be opened to be mended. */
export function brokenKindOf(path: string, text: string): DefinitionKind | undefined {
  if (!path.endsWith(".json") || jsonIn(text) !== undefined) return undefined;
  if (/"(?:sockets|loadouts)"\s*:/.test(text)) return "loadout";
  return /"nodes"\s*:/.test(text) && /"(?:orchestrator|task|verifier)"/.test(text) ? "inbox" : undefined;
}
