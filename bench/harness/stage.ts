/** A stage is a folder that looks like that of a user who has installed Baton: the built package and what it depends on. */

import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freshPath } from "./folder.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export interface Stage {
  /** Where a user would work. */
  readonly folder: string;
  /** The package in it. */
  readonly baton: string;
}

/** Builds the package, whose types are checked elsewhere, and lays it out with its dependencies, taken from this checkout. */
export function setStage(): Stage {
  const folder = freshPath("stage");
  const modules = join(folder, "node_modules");
  const baton = join(modules, "batonjs");
  mkdirSync(baton, { recursive: true });
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  const config = join(ROOT, "tsconfig.build.json");
  const built = spawnSync(
    process.execPath,
    [tsc, "-p", config, "--noCheck", "--outDir", join(baton, "dist")],
    {
      encoding: "utf8",
    },
  );
  if (built.status !== 0) throw new Error(`The build failed: ${built.stdout}${built.stderr}`);
  for (const name of ["package.json", "bin/baton.js"]) cpSync(join(ROOT, name), join(baton, name));
  for (const name of dependenciesOf(ROOT)) {
    cpSync(join(ROOT, "node_modules", name), join(modules, name), { recursive: true });
  }
  return { folder, baton };
}

/** The names of what a package needs, and of what that needs. */
function dependenciesOf(folder: string): string[] {
  const text = readFileSync(join(folder, "package.json"), "utf8");
  const { dependencies = {} } = JSON.parse(text) as {
    readonly dependencies?: Readonly<Record<string, string>>;
  };
  const names = Object.keys(dependencies);
  return [
    ...new Set([...names, ...names.flatMap((name) => dependenciesOf(join(ROOT, "node_modules", name)))]),
  ];
}
