/** The machine on which something was measured, and the versions of what was. */

import { readFileSync } from "node:fs";
import { arch, cpus, loadavg, platform, release, totalmem } from "node:os";

export interface Machine {
  readonly date: string;
  readonly cpu: string;
  readonly cores: number;
  readonly memory: string;
  readonly system: string;
  /** Over the last minute. */
  readonly load: string;
  readonly versions: readonly (readonly [name: string, version: string])[];
}

const PEERS = ["langgraph", "core", "langgraph-checkpoint-sqlite"];

export function readMachine(): Machine {
  const [cpu] = cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    cpu: cpu?.model.trim() ?? "unknown",
    cores: cpus().length,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    system: `${platform()} ${release().split("-")[0]} ${arch()}`,
    load: loadavg()[0]?.toFixed(1) ?? "unknown",
    versions: [
      ["Node.js", process.versions.node],
      ["SQLite", process.versions["sqlite"] ?? "unknown"],
      ["batonjs", versionIn("../../package.json")],
      ...PEERS.map((name): [string, string] => [
        `@langchain/${name}`,
        versionIn(`../node_modules/@langchain/${name}/package.json`),
      ]),
    ],
  };
}

function versionIn(path: string): string {
  const text = readFileSync(new URL(path, import.meta.url), "utf8");
  return (JSON.parse(text) as { readonly version: string }).version;
}
