/** What an installation takes: its packages and their bytes on disk. */

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

export interface Installed {
  readonly packages: number;
  readonly bytes: number;
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** What some packages and all that they need take, where a folder `node_modules` has them. */
export function installedWith(modules: string, names: readonly string[]): Installed {
  const found = new Set<string>();
  const visit = (name: string, from: string): void => {
    const folder = resolved(name, from);
    if (folder === undefined || found.has(folder)) return;
    found.add(folder);
    for (const needed of neededBy(folder)) visit(needed, folder);
  };
  for (const name of names) visit(name, join(modules, ".."));
  const bytes = [...found].reduce((sum, folder) => sum + bytesIn(folder), 0);
  return { packages: found.size, bytes };
}

/** Where Node finds a package: in the nearest `node_modules` upwards. */
function resolved(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = join(folder, "..")) {
    const candidate = join(folder, "node_modules", name);
    if (existsSync(join(candidate, "package.json"))) return candidate;
    if (folder === join(folder, "..")) return undefined;
  }
}

function neededBy(folder: string): string[] {
  const text = readFileSync(join(folder, "package.json"), "utf8");
  const { dependencies, peerDependencies, peerDependenciesMeta } = JSON.parse(text) as Manifest;
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional);
  return [...Object.keys(dependencies ?? {}), ...peers];
}

/** The bytes of the files in a folder, save those of packages inside it. */
function bytesIn(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isFile()) bytes += statSync(path).size;
    else if (entry.isDirectory() && entry.name !== "node_modules") bytes += bytesIn(path);
  }
  return bytes;
}
