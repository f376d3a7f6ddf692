/** The bundled utilities: scripts that come with Baton and run like any other command, as their own process. */

import { extname } from "node:path";
import { fileURLToPath } from "node:url";

/** Names, in the order in which they are shown, and the scripts behind them. */
const SCRIPTS: Readonly<Record<string, string>> = {
  "Ignore-Artifacts": "ignore-artifacts",
  "Detect-VCS": "detect-vcs",
  "Blackbelt-Bootstrap": "blackbelt-bootstrap",
  "Commit-Sigil": "commit-sigil",
};

/** The names that a materia's `utility` may have. */
export const BUNDLED_UTILITIES: readonly string[] = Object.keys(SCRIPTS);

export interface BundledUtility {
  readonly argv: readonly string[];
  /** The variables it needs besides the allow-list. */
  readonly env: readonly string[];
}

/** The command behind a name. It runs on the Node that runs this, from the sources where this does. */
export function bundledUtility(name: string): BundledUtility | undefined {
  const script = Object.hasOwn(SCRIPTS, name) ? SCRIPTS[name] : undefined;
  if (script === undefined) return undefined;
  const extension = extname(fileURLToPath(import.meta.url));
  const path = fileURLToPath(new URL(`./scripts/${script}${extension}`, import.meta.url));
  return { argv: [process.execPath, path], env: [] };
}
