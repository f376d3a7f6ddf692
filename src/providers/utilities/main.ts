/** The main function of a bundled utility: one JSON object in, one out, and one sentence when it declines. */

import type { JsonObject } from "../../base/json.ts";
import { Declined, parseRequest, type UtilityRequest } from "./request.ts";

/** Does the work between standard input and output. Exits with 1 and a sentence on standard error on failure. */
export async function main(
  work: (request: UtilityRequest) => JsonObject | Promise<JsonObject>,
): Promise<void> {
  try {
    const output = await work(parseRequest(await input()));
    process.stdout.write(`${JSON.stringify(output)}\n`);
  } catch (error) {
    process.stderr.write(`${sentence(error)}\n`);
    process.exitCode = 1;
  }
}

async function input(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer); // no encoding is set
  return Buffer.concat(chunks).toString("utf8");
}

/** A utility that declines says why; for anything else the stack says where. */
function sentence(error: unknown): string {
  if (error instanceof Declined) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
