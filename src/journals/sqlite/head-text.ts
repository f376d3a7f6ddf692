/**
 * The text of a head: what a list shows of a run, how long its log was then, and a checksum over both and its name.
 *
 * A head from before there were checksums has neither, and is taken as it is.
 */

import { isObject } from "../../base/json.ts";
import type { RunId } from "../../base/names.ts";
import type { RunHead } from "../../run/journal.ts";
import { checksum } from "./checksum.ts";

export interface KnownHead {
  readonly head: RunHead;
  /** The sequence number of the last event when it was written; 0 when that is not known. */
  readonly seq: number;
}

export function printHead(head: RunHead, seq: number): string {
  const text = JSON.stringify({ ...head, seq });
  return `${text.slice(0, -1)},"crc":${checksum(`${head.run}\n${text}`)}}`;
}

/** Reads the head of a run; nothing when it is not what was written. */
export function parseHead(run: RunId, text: unknown): KnownHead | undefined {
  if (typeof text !== "string") return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value) || value["run"] !== run) return undefined;
  const { seq, crc, ...head } = value;
  const isOld = seq === undefined && crc === undefined;
  const isWhole = text.endsWith(`,"crc":${checksum(`${run}\n${text.replace(/,"crc":-?\d+\}$/, "}")}`)}}`);
  if (!isOld && !isWhole) return undefined;
  return { head: head as unknown as RunHead, seq: typeof seq === "number" ? seq : 0 }; // what `printHead` wrote
}
