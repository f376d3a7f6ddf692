/** The body of a request: JSON of a bounded size that has its shape, or a problem that says what is wrong with it. */

import type { Json } from "../base/json.ts";
import { passes, type Shape } from "../base/shape.ts";
import { misshapen, Problem } from "./problem.ts";

/** The most bytes of a body. */
export const MOST_BYTES: number = 1024 * 1024;

/** Reads a body. Throws a `Problem` for one that is not JSON, is too large, or has another shape. */
export async function readBody<T>(request: Request, shape: Shape<T>): Promise<T> {
  const type = (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") {
    throw new Problem("not_json", "A body has to be sent as application/json.");
  }
  const json = parse(await readBytes(request));
  const issues = shape.validate(json, "");
  if (!passes(issues)) throw misshapen("The body", issues);
  return json as unknown as T; // it has the shape
}

async function readBytes(request: Request): Promise<string> {
  if (Number(request.headers.get("content-length") ?? 0) > MOST_BYTES) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > MOST_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function tooLarge(): Problem {
  return new Problem("too_large", `A body has at most ${MOST_BYTES} bytes.`);
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw new Problem("invalid_input", `The body is not JSON: ${(error as Error).message}`); // what parsing throws is one
  }
}
