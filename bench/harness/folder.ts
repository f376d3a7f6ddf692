/** Temporary files of a process, gone when it ends. */

import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

let folder: string | undefined;
let count = 0;

/** A path in the temporary folder that nothing has used yet. */
export function freshPath(name: string): string {
  if (folder === undefined) {
    const made = mkdtempSync(join(tmpdir(), "baton-bench-"));
    folder = made;
    process.on("exit", () => rmSync(made, { recursive: true, force: true }));
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));
  }
  return join(folder, `${count++}-${name}`);
}

/** Removes a database with what lies beside it. */
export function removeDatabase(path: string): void {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
}

/** The bytes of a file. */
export function bytesOf(path: string): number {
  return statSync(path).size;
}
