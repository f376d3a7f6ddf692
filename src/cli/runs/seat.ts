/**
 * A seat is the right of one process to drive a run on this machine.
 *
 * 1. It is a courtesy that saves double work. What decides between two drivers is the journal.
 * 2. The seat of a process that is gone is free: nobody has to clean up after a crash.
 */

import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { sha256 } from "../../engines/local.ts";

export interface Seat {
  /** Gives the seat up. */
  leave(): void;
}

/** Who sits there already. */
export interface Occupied {
  readonly pid: number;
}

/** Takes the seat of a run, or says who has it. Without a folder, nobody else can drive the run. */
export function takeSeat(folder: string | undefined, run: string): Seat | Occupied {
  if (folder === undefined) return { leave() {} };
  const path = pathOf(folder, run);
  const mine = JSON.stringify({ pid: process.pid, born: bornAt(process.pid), run });
  mkdirSync(dirname(path), { recursive: true });
  for (;;) {
    if (claim(path, mine)) return { leave: () => rmSync(path, { force: true }) };
    const owner = ownerOf(path);
    if (owner !== undefined) return { pid: owner };
    rmSync(path, { force: true });
  }
}

/** The process that drives a run now, as far as this machine knows. */
export function driverOf(folder: string | undefined, run: string): number | undefined {
  return folder === undefined ? undefined : ownerOf(pathOf(folder, run));
}

function pathOf(folder: string, run: string): string {
  return join(folder, "drivers", sha256(run).slice("sha256:".length, "sha256:".length + 32));
}

/** Puts the file there in one go, so that nobody ever reads half of it. */
function claim(path: string, content: string): boolean {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, content);
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false; // what the call throws is one
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** The process that has the seat, if it is still there. */
function ownerOf(path: string): number | undefined {
  try {
    const { pid, born } = JSON.parse(readFileSync(path, "utf8")) as { pid: unknown; born: unknown };
    if (typeof pid !== "number" || !isAlive(pid)) return undefined;
    return born === bornAt(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** Says whether there is a process with this number. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"; // somebody else's, and alive
  }
}

/** When a process started, where the system says it: numbers of processes are used again. */
export function bornAt(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}
