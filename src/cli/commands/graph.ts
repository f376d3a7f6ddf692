/** `baton graph`: a definition drawn, as Mermaid text or as data. */

import { drawLoadout } from "../../dialects/loadout/draw.ts";
import { EXIT, type ExitCode } from "../../protocol/codes.ts";
import { readSource } from "../runs/source.ts";
import type { Call, Options } from "../verb.ts";

/** Draws a loadout or an inbox graph that is fit to run, or the graph of a module. */
export async function graph({ args: [named = ""], options, terminal }: Call): Promise<ExitCode> {
  const { mermaid, graph: data } = await draw(named, options);
  terminal.document(data);
  terminal.event(data);
  terminal.print(mermaid.trimEnd());
  return EXIT.done;
}

async function draw(
  named: string,
  options: Options,
): Promise<{ readonly mermaid: string; readonly graph: unknown }> {
  const source = readSource(named, options);
  if (source.kind === "loadout") {
    const { definitionOf } = await import("../runs/loadout-runs.ts");
    return drawLoadout(definitionOf(source).definition);
  }
  if (source.kind === "inbox") {
    const { definitionOf } = await import("../runs/inbox-runs.ts");
    const { drawInbox } = await import("../../dialects/inbox/draw.ts");
    return drawInbox(definitionOf(source).definition);
  }
  const { loadGraph } = await import("../runs/graph-runs.ts");
  const { toMermaid } = await import("../../dialects/graph/mermaid.ts");
  const { drawing } = await loadGraph(source);
  return { mermaid: toMermaid(drawing), graph: drawing };
}
