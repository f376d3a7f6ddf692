/** `baton trust`: allows a definition to run, until its content changes. */

import { EXIT, type ExitCode } from "../../protocol/codes.ts";
import { Misuse } from "../misuse.ts";
import { readSource } from "../source.ts";
import { trustText } from "../trust.ts";
import type { Call } from "../verb.ts";

/** Remembers the content of a loadout, and of the project's config that it stands on, as allowed. */
export async function trust({ args: [named = ""], terminal }: Call): Promise<ExitCode> {
  const source = readSource(named);
  if (source.kind === "module") {
    throw new Misuse("usage", "A module is code that you run by naming it; only loadouts are asked about.");
  }
  const { definitionOf } = await import("../loadout-runs.ts");
  definitionOf(source);
  for (const { path, text } of source.files) trustText(path, text);
  const trusted = source.files.map(({ path }) => path);
  terminal.document({ trusted });
  terminal.event({ trusted });
  terminal.print(trusted.length > 0 ? `Trusted: ${trusted.join(", ")}` : `${named} comes with Baton.`);
  return EXIT.done;
}
