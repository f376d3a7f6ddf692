/** The version of the package, which its manifest says. */

import { readFileSync } from "node:fs";

/** Reads the version; the manifest lies two folders up, in a checkout and in the package alike. */
export function version(): string {
  const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { version: string }).version; // our own manifest
}
