/** `baton run`: starts a loadout, an inbox graph or a StateGraph, and goes on with it in the foreground. */

import type { ExitCode } from "../../protocol/codes.ts";
import { readSource } from "../runs/source.ts";
import { refuseForeignFlags, startFrom } from "../runs/start.ts";
import type { Call } from "../verb.ts";

/** Starts a run. Whatever is missing or wrong is refused before anything runs. */
export async function run(call: Call): Promise<ExitCode> {
  const source = readSource(call.args[0] ?? "", call.options);
  refuseForeignFlags(source.kind, call.options);
  const start = startFrom(call);
  switch (source.kind) {
    case "module":
      return (await import("../runs/starts/graph.ts")).beginModule(source, start);
    case "loadout":
      return (await import("../runs/starts/loadout.ts")).beginLoadout(source, start);
    case "inbox":
      return (await import("../runs/starts/inbox.ts")).beginInbox(source, start);
  }
}
