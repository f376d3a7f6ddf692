/** The process in which a module is loaded to be drawn: it gets a path, says one thing, and ends. */

import { writeSync } from "node:fs";
import { messageOf } from "../../base/failure.ts";
import { Misuse } from "../misuse.ts";
import { loadGraph } from "../runs/graph-runs.ts";
import type { Answer } from "./module-drawing.ts";

/** Where `moduleDrawing` listens. What the module prints goes elsewhere. */
const OUT = 3;

async function answerFor(path: string): Promise<Answer> {
  try {
    const { drawing } = await loadGraph({ path });
    return { drawing: drawing as unknown as Extract<Answer, { drawing: unknown }>["drawing"] }; // it is plain JSON
  } catch (error) {
    const message = messageOf(error);
    return { message, hint: error instanceof Misuse ? error.hint : undefined };
  }
}

const said = Buffer.from(JSON.stringify(await answerFor(process.argv[2] ?? "")));
for (let at = 0; at < said.length; ) at += writeSync(OUT, said, at);
process.exit(0); // a module may have left something open
