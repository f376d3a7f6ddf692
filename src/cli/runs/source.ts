/** A source is where a definition comes from: a JSON file, a name, or a module that exports a compiled StateGraph. */

import { existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { extname, join, resolve } from "node:path";
import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { isInbox } from "../../dialects/inbox/read.ts";
import { type AgentSettings, agentsIn, setsUpAgents, withoutAgents } from "../agents/agent-settings.ts";
import { Misuse } from "../misuse.ts";
import type { Options } from "../verb.ts";
import { parseJson, readText } from "./inputs.ts";

export type Source = ModuleSource | LoadoutSource | InboxSource;

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
  /** Configs that it is laid over: the user's, the project's, and the one that `--config` names. */
  readonly below: readonly Json[];
  /** The files of the project that it is made of. */
  readonly files: readonly SourceFile[];
}

export interface InboxSource {
  readonly kind: "inbox";
  /** The absolute path of the file. */
  readonly named: string;
  readonly json: Json;
  readonly files: readonly SourceFile[];
}

export interface SourceFile {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
}

interface Layers extends Pick<LoadoutSource, "below" | "files"> {
  /** Those of the files that set up agents. */
  readonly setups: readonly SourceFile[];
  readonly agents: ReadonlyMap<string, AgentSettings>;
}

type Flags = Pick<Options, "config">;

/** The extensions of files that hold code. */
export const MODULES: readonly string[] = [".ts", ".mts", ".cts", ".js", ".mjs", ".cjs"];
const CONFIG = "config.json";

/** Finds and reads what a person named. A name is that of a loadout in a config, or of one that comes with Baton. */
export function readSource(named: string, flags: Flags): Source {
  if (existsSync(named)) {
    if (statSync(named).isDirectory())
      throw new Misuse("unreadable", `${named} is a folder; name a file in it.`);
    const path = resolve(named);
    return MODULES.includes(extname(path)) ? { kind: "module", path } : readFile(path, named, flags);
  }
  if (!/^[\p{L}\p{N}_-][\p{L}\p{N}_ -]*$/u.test(named))
    throw new Misuse("not_found", `There is no file ${named}.`);
  const { below, files } = readLayers(flags);
  return { kind: "loadout", named, json: { activeLoadout: named }, below, files };
}

/** The user's own folder for configs and for what they trust. */
export function configFolder(): string {
  const base = process.env["XDG_CONFIG_HOME"];
  return join(base ? base : join(homedir(), ".config"), "baton");
}

function readFile(path: string, named: string, flags: Flags): LoadoutSource | InboxSource {
  const text = readText(path);
  const json = parseDefinition(text, named);
  if (!isJsonObject(json)) throw new Misuse("invalid_definition", `${named} has to hold one JSON object.`);
  const { below, files, setups } = readLayers(flags);
  if (isInbox(json)) return { kind: "inbox", named: path, json, files: [...setups, { path, text }] };
  return { kind: "loadout", named: path, json, below, files: [...files, { path, text }] };
}

/** The configs below a definition, lowest first: what the user keeps, what the project keeps, what a flag names. */
export function readLayers({ config }: Flags): Layers {
  const users = readConfig(join(configFolder(), CONFIG));
  const projects = readConfig(resolve(".baton", CONFIG));
  const given = config === undefined ? [] : [{ path: resolve(config), text: readText(config) }];
  const configs = [...users, ...projects, ...given].map(({ path, text }) => ({
    path,
    json: parseConfig(text, path),
  }));
  return {
    below: configs.map(({ json }) => withoutAgents(json)),
    files: [...projects, ...given],
    setups: [...projects, ...given].filter((file) => setsUpAgents(parseConfig(file.text, file.path))),
    agents: agentsIn(configs),
  };
}

function readConfig(path: string): readonly SourceFile[] {
  return existsSync(path) ? [{ path, text: readText(path) }] : [];
}

function parseConfig(text: string, path: string): JsonObject {
  const json = parseDefinition(text, path);
  if (isJsonObject(json)) return json;
  throw new Misuse("invalid_definition", `${path} has to hold one JSON object.`);
}

function parseDefinition(text: string, named: string): Json {
  try {
    return parseJson(text, named);
  } catch (error) {
    throw error instanceof Misuse ? new Misuse("invalid_definition", error.message) : error;
  }
}
