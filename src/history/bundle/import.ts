/**
 * Importing puts the runs of a bundle into a journal, once all of it is seen to be whole.
 *
 * 1. Nothing is written before the last line is verified.
 * 2. A run that is there is never changed: a taken id is refused, unless another one is given.
 * 3. The root comes last, so a run that can be seen has its children.
 * 4. All runs of a bundle are one family, so none can be put in the place of somebody else's.
 */

import { gunzipSync } from "node:zlib";
import { messageOf } from "../../base/failure.ts";
import type { RunId } from "../../base/names.ts";
import { Refusal } from "../../base/refusal.ts";
import { sha256 } from "../../engines/local.ts";
import type { Event } from "../../kernel/event.ts";
import { evolve } from "../../kernel/evolve.ts";
import { emptyState } from "../../kernel/state.ts";
import { standingOf } from "../../run/head.ts";
import type { Journal, Standing, StoredText } from "../../run/journal.ts";
import { putLog } from "../copy.ts";
import { newRunId, renamed } from "../family.ts";
import { renameEvent } from "../rename.ts";
import type { Packed } from "../tree-store.ts";
import { BUNDLE_VERSION, BundleDamage, type BundleLine, type Redacted, readBundle } from "./bundle.ts";

/** The most that a bundle may be once it is decompressed, in bytes: a text cannot be much longer. */
const MOST_BYTES = 2 ** 29;

export interface ImportOptions {
  /** The id of the run in this journal; the one that it had when absent. */
  readonly as?: string;
  /** Told the id, once it is free and before anything is written. */
  readonly begin?: (run: RunId) => void;
  /** Takes the pictures of files that came along, before anything is written. Rejects when they are damaged. */
  readonly trees?: (packed: Packed, run: RunId) => Promise<void>;
}

export interface Imported {
  readonly run: RunId;
  readonly runs: readonly RunId[];
  readonly status: Standing;
  readonly events: number;
  readonly texts: number;
  readonly redacted?: Redacted;
  /** How many pictures of files were taken over. */
  readonly pictures?: number;
}

export interface BundleContent {
  readonly run: RunId;
  readonly logs: ReadonlyMap<RunId, readonly Event[]>;
  readonly texts: readonly StoredText[];
  readonly redacted: Redacted | undefined;
  readonly trees: Packed | undefined;
}

/** Imports a bundle, compressed or not. Throws `BundleDamage` that names the line, or a `Refusal`; nothing is then written. */
export async function importRun(
  journal: Journal,
  bundle: Uint8Array,
  { as, begin, trees: take }: ImportOptions = {},
): Promise<Imported> {
  const { run: from, logs, texts, redacted, trees } = openBundle(bundle);
  const to = await newRunId(journal, as ?? from);
  for (const run of logs.keys()) await newRunId(journal, renamed(run, from, to));
  begin?.(to);
  if (trees !== undefined) await take?.(trees, to);
  const pictures = trees !== undefined && take !== undefined && { pictures: trees.pictures.length };
  const runs: RunId[] = [];
  let events = 0;
  let status: Standing = "running";
  for (const [run, log] of [...logs].reverse()) {
    const renaming = log.map((event) => (from === to ? event : renameEvent(event, { from, to })));
    const isRoot = run === from;
    const state = await putLog(journal, renamed(run, from, to), { events: renaming, texts });
    if (isRoot) status = standingOf(state);
    events += log.length;
    runs.unshift(state.run);
  }
  return {
    run: to,
    runs,
    status,
    events,
    texts: texts.length,
    ...(redacted && { redacted }),
    ...pictures,
  };
}

/** Reads and verifies a whole bundle. */
export function openBundle(bundle: Uint8Array): BundleContent {
  const lines = [...readBundle(textOf(bundle))];
  const [first] = lines;
  if (first?.line.kind !== "baton.bundle") throw new BundleDamage(1, "it is no header of a bundle");
  const header = first.line;
  if (header.version !== BUNDLE_VERSION) {
    const message = `The bundle has format ${header.version}, and this Baton knows ${BUNDLE_VERSION}. Update Baton.`;
    throw new Refusal("newer_format", message);
  }
  const isFamily = header.runs.every((run) => run === header.run || run.startsWith(`${header.run}/`));
  if (!isFamily || !header.runs.includes(header.run)) {
    throw new BundleDamage(1, `it names runs that are none of the family of ${header.run}`); // (4)
  }
  const logs = new Map<RunId, Event[]>(header.runs.map((run) => [run, []]));
  const texts: StoredText[] = [];
  let trees: Packed | undefined;
  for (const { number, line } of lines.slice(1)) {
    take(line, number, { logs, texts });
    if (line.kind === "git") trees = { pictures: line.pictures, bytes: Buffer.from(line.base64, "base64") };
  }
  for (const [run, log] of logs) verifyLog(run, log, lines.length);
  return { run: header.run, logs, texts, redacted: header.redacted, trees };
}

/** A file that begins as gzip does is compressed. */
function textOf(bundle: Uint8Array): string {
  const isCompressed = bundle[0] === 0x1f && bundle[1] === 0x8b;
  try {
    const plain = isCompressed ? gunzipSync(bundle, { maxOutputLength: MOST_BYTES }) : bundle;
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(plain);
  } catch (error) {
    if (!isCompressed) return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bundle); // the chain names the line
    const why = messageOf(error);
    throw new BundleDamage(1, `the file cannot be decompressed, ${why}`);
  }
}

interface Taken {
  readonly logs: ReadonlyMap<RunId, Event[]>;
  readonly texts: StoredText[];
}

function take(line: BundleLine, number: number, { logs, texts }: Taken): void {
  switch (line.kind) {
    case "baton.bundle":
      throw new BundleDamage(number, "a second header");
    case "event": {
      const log = logs.get(line.event.run);
      if (log === undefined) throw new BundleDamage(number, `the header knows no run ${line.event.run}`);
      if (line.event.seq !== log.length + 1) {
        throw new BundleDamage(number, `event ${log.length + 1} of run ${line.event.run} should stand here`);
      }
      log.push(line.event);
      break;
    }
    case "text":
      if (sha256(line.text) !== line.ref)
        throw new BundleDamage(number, `the text is not that of ${line.ref}`);
      texts.push({ ref: line.ref, text: line.text });
      break;
    case "git":
    case "end":
      break;
  }
}

/** A log that does not fold would be a run that nobody can open. */
function verifyLog(run: RunId, log: readonly Event[], lines: number): void {
  if (log.length === 0) throw new BundleDamage(lines, `run ${run} has no events`);
  const state = emptyState(run);
  for (const event of log) {
    try {
      evolve(state, event);
    } catch (error) {
      const why = messageOf(error);
      throw new Refusal("invalid_value", `Event ${event.seq} of run ${run} cannot be: ${why}`);
    }
  }
}
