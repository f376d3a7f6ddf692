/** A probe is a script that measures within a process of its own, and prints what it found. */

import { fileURLToPath } from "node:url";
import { runNode } from "./child.ts";

const FLAGS = ["--expose-gc", "--disable-warning=ExperimentalWarning"];
/** Milliseconds. */
const LIMIT = 60_000;

/** What a probe printed. */
export async function probe(name: string, args: readonly string[] = []): Promise<string> {
  const { stdout } = await runNode([...FLAGS, pathOf(name), ...args], { limit: LIMIT });
  if (stdout === undefined) throw new Error(`The probe ${name} took longer than ${LIMIT / 1000} seconds.`);
  return stdout;
}

export interface Deadline {
  /** How long it took, or how long it was given. */
  readonly milliseconds: number;
  /** True when it was ended. */
  readonly isOver: boolean;
}

/** Runs a probe that prints how many milliseconds its work took, and ends it when that is more than `limit`. */
export async function timedProbe(name: string, limit: number): Promise<Deadline> {
  const { stdout } = await runNode([...FLAGS, pathOf(name)], { limit });
  return stdout === undefined
    ? { milliseconds: limit, isOver: true }
    : { milliseconds: Number(stdout), isOver: false };
}

function pathOf(name: string): string {
  return fileURLToPath(new URL(`../probes/${name}`, import.meta.url));
}
