/** `baton trust`: allows a definition to run, until its content changes. */

import { EXIT, type ExitCode } from "../../protocol/codes.ts";
import { readText } from "../runs/inputs.ts";
import { readSource } from "../runs/source.ts";
import { trustText } from "../runs/trust.ts";
import type { Call } from "../verb.ts";

/**
 * Remembers the content of a loadout or inbox graph, and of the project's config that it stands on, as allowed. A module
 * runs when it is named; allowed it is for a studio, which runs it to draw it.
 */
export async function trust({ args: [named = ""], options, terminal }: Call): Promise<ExitCode> {
  const source = readSource(named, options);
  const files =
    source.kind === "module" ? [{ path: source.path, text: readText(source.path) }] : source.files;
  if (source.kind === "inbox") (await import("../runs/inbox-runs.ts")).definitionOf(source);
  else if (source.kind === "loadout") (await import("../runs/loadout-runs.ts")).definitionOf(source);
  for (const { path, text } of files) trustText(path, text);
  const trusted = files.map(({ path }) => path);
  terminal.document({ trusted });
  terminal.event({ trusted });
  terminal.print(trusted.length > 0 ? `Trusted: ${trusted.join(", ")}` : `${named} comes with Baton.`);
  return EXIT.done;
}
