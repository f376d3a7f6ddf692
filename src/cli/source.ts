/** A source is where a definition comes from: a JSON file, a name, or a module that exports a compiled StateGraph. */

import { existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { extname, join, resolve } from "node:path";
import { isJsonObject, type Json } from "../base/json.ts";
import { parseJson, readText } from "./inputs.ts";
import { Misuse } from "./misuse.ts";

export type Source = ModuleSource | LoadoutSource;

export interface ModuleSource {
  readonly kind: "module";
  /** Absolute. */
  readonly path: string;
}

export interface LoadoutSource {
  readonly kind: "loadout";
  /** The absolute path of the file, or the name. */
  readonly named: string;
  readonly json: Json;
  /** Configs that it is laid over: the user's, then the project's. */
  readonly below: readonly Json[];
  /** The files of the project that it is made of. */
  readonly files: readonly SourceFile[];
}

export interface SourceFile {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
}

const MODULES = [".ts", ".mts", ".cts", ".js", ".mjs", ".cjs"];
const CONFIG = "config.json";

/** Finds and reads what a person named. A name is that of a loadout in a config, or of one that comes with Baton. */
export function readSource(named: string): Source {
  if (existsSync(named)) {
    if (statSync(named).isDirectory())
      throw new Misuse("unreadable", `${named} is a folder; name a file in it.`);
    const path = resolve(named);
    return MODULES.includes(extname(path)) ? { kind: "module", path } : readFile(path, named);
  }
  if (!/^[\p{L}\p{N}_-][\p{L}\p{N}_ -]*$/u.test(named))
    throw new Misuse("not_found", `There is no file ${named}.`);
  const { below, files } = readLayers();
  return { kind: "loadout", named, json: { activeLoadout: named }, below, files };
}

/** The user's own folder for configs and for what they trust. */
export function configFolder(): string {
  const base = process.env["XDG_CONFIG_HOME"];
  return join(base ? base : join(homedir(), ".config"), "baton");
}

function readFile(path: string, named: string): LoadoutSource {
  const text = readText(path);
  const json = parseDefinition(text, named);
  refuseInbox(json, named);
  const { below, files } = readLayers();
  return { kind: "loadout", named: path, json, below, files: [...files, { path, text }] };
}

/** The configs below a definition: what the user keeps, and over it what the project keeps. */
function readLayers(): Pick<LoadoutSource, "below" | "files"> {
  const user = join(configFolder(), CONFIG);
  const project = resolve(".baton", CONFIG);
  const [users, projects] = [user, project].map((path) =>
    existsSync(path) ? [{ path, text: readText(path) }] : [],
  ) as [SourceFile[], SourceFile[]]; // one list for each of the two
  const below = [...users, ...projects].map(({ path, text }) => parseDefinition(text, path));
  return { below, files: projects };
}

function refuseInbox(json: Json, named: string): void {
  if (!isJsonObject(json)) throw new Misuse("invalid_definition", `${named} has to hold one JSON object.`);
  const isLoadout = ["sockets", "loadouts", "activeLoadout"].some((key) => Object.hasOwn(json, key));
  if (isLoadout || !Object.hasOwn(json, "nodes")) return;
  const message = `${named} is an inbox graph (it has nodes). This version runs loadouts and modules with a StateGraph.`;
  throw new Misuse("not_supported", message);
}

function parseDefinition(text: string, named: string): Json {
  try {
    return parseJson(text, named);
  } catch (error) {
    throw error instanceof Misuse ? new Misuse("invalid_definition", error.message) : error;
  }
}
