/** `baton trust`: allows a definition to run, until its content changes. */

import { EXIT, type ExitCode } from "../../protocol/codes.ts";
import { Misuse } from "../misuse.ts";
import { readSource } from "../runs/source.ts";
import { trustText } from "../runs/trust.ts";
import type { Call } from "../verb.ts";

/** Remembers the content of a loadout or inbox graph, and of the project's config that it stands on, as allowed. */
export async function trust({ args: [named = ""], options, terminal }: Call): Promise<ExitCode> {
  const source = readSource(named, options);
  if (source.kind === "module") {
    throw new Misuse(
      "usage",
      "A module is code that you run by naming it; only loadouts and inbox graphs are asked about.",
    );
  }
  if (source.kind === "inbox") (await import("../runs/inbox-runs.ts")).definitionOf(source);
  else (await import("../runs/loadout-runs.ts")).definitionOf(source);
  for (const { path, text } of source.files) trustText(path, text);
  const trusted = source.files.map(({ path }) => path);
  terminal.document({ trusted });
  terminal.event({ trusted });
  terminal.print(trusted.length > 0 ? `Trusted: ${trusted.join(", ")}` : `${named} comes with Baton.`);
  return EXIT.done;
}
