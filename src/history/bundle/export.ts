/** Exporting writes a family of runs with every text that their logs refer to into one bundle, and nothing else. */

import { gzipSync } from "node:zlib";
import type { Json } from "../../base/json.ts";
import type { RunId } from "../../base/names.ts";
import { Refusal } from "../../base/refusal.ts";
import { REF } from "../../journals/referred.ts";
import type { Event } from "../../kernel/event.ts";
import type { Journal, StoredText } from "../../run/journal.ts";
import { readEvents } from "../../run/load.ts";
import { familyOf } from "../family.ts";
import type { Packed, TreeStore } from "../tree-store.ts";
import { treesOf } from "../trees.ts";
import { BUNDLE_VERSION, type BundleLine, BundleWriter, type Redacted } from "./bundle.ts";
import { followRefs, type RedactOptions, Redactor, readdress } from "./redact.ts";

export interface ExportOptions extends RedactOptions {
  /** False leaves the JSON lines as they are; they are compressed (gzip) when absent. */
  readonly compress?: boolean;
  /** Where the pictures of files are that the log names; they are left out when absent. */
  readonly trees?: TreeStore;
  /** A git bundle of pictures that is larger than this is left out; 64 MiB when absent. */
  readonly maxTreeBytes?: number;
}

/** What became of the pictures that the log names: how many are in the bundle, or why none are. */
export type ExportedTrees =
  | { readonly pictures: number; readonly bytes: number }
  | { readonly pictures: 0; readonly why: string };

export interface Exported {
  /** The content of the file. */
  readonly bundle: Uint8Array;
  readonly run: RunId;
  readonly runs: readonly RunId[];
  readonly events: number;
  readonly texts: number;
  readonly redacted?: Redacted;
  /** Present when the log names pictures of files. */
  readonly trees?: ExportedTrees;
}

const MOST_TREE_BYTES = 64 << 20;

/** Exports a run with its children. Refuses a run that is not there, and one whose texts are not all there. */
export async function exportRun(
  journal: Journal,
  run: RunId,
  { compress = true, trees: store, maxTreeBytes = MOST_TREE_BYTES, ...options }: ExportOptions = {},
): Promise<Exported> {
  const redactor = new Redactor(options);
  const runs = (await familyOf(journal, run)).map((head) => head.run);
  let events: Event[] = [];
  for (const member of runs) for await (const event of readEvents(journal, member, 0)) events.push(event);
  const named = treesOf(events).map(({ object }) => object);
  let texts = await textsOf(journal, run, events);
  const { secrets = false, fields = [] } = options;
  const isRedacted = secrets || fields.length > 0;
  if (isRedacted) ({ events, texts } = redactAll(redactor, events, texts));
  const redacted = isRedacted ? { values: redactor.values, secrets, fields } : undefined;
  const packed = await pack(named, { store, maxTreeBytes, isRedacted });
  const writer = new BundleWriter();
  const header = { kind: "baton.bundle", version: BUNDLE_VERSION, run, runs } as const;
  const lines = [
    writer.line(redacted ? { ...header, redacted } : header),
    ...events.map((event) => writer.line({ kind: "event", event })),
    ...texts.map(({ ref, text }) => writer.line({ kind: "text", ref, text })),
    ...("bytes" in packed ? [writer.line(gitLine(packed))] : []),
    writer.end(),
  ];
  const plain = Buffer.from(lines.join(""));
  const bundle = compress ? gzipSync(plain) : plain;
  const counts = { events: events.length, texts: texts.length };
  const trees = named.length > 0 && { trees: told(packed) };
  return { bundle, run, runs, ...counts, ...(redacted && { redacted }), ...trees };
}

interface Packing {
  readonly store: TreeStore | undefined;
  readonly maxTreeBytes: number;
  readonly isRedacted: boolean;
}

/** Nobody can say what files hold, so a redacted bundle has none. */
async function pack(
  named: readonly string[],
  { store, maxTreeBytes, isRedacted }: Packing,
): Promise<Packed | { readonly why: string }> {
  if (isRedacted) return { why: "files are not looked through for what was taken out of the log" };
  if (store === undefined || named.length === 0) return { why: "nobody said where they are" };
  return store.pack(named, maxTreeBytes);
}

function gitLine({ pictures, bytes }: Packed): Extract<BundleLine, { kind: "git" }> {
  return { kind: "git", pictures, base64: Buffer.from(bytes).toString("base64") };
}

function told(packed: Packed | { readonly why: string }): ExportedTrees {
  if ("why" in packed) return { pictures: 0, why: packed.why };
  return { pictures: packed.pictures.length, bytes: packed.bytes.length };
}

/** The texts that events refer to, and those that these refer to in turn; what merely looks like one is no text. */
async function textsOf(
  journal: Journal,
  run: RunId,
  events: readonly Event[],
): Promise<readonly StoredText[]> {
  const texts = new Map<string, string>();
  const open = events.map((event) => JSON.stringify(event));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const [ref] of next.matchAll(REF)) {
      if (texts.has(ref)) continue;
      const text = await journal.text(ref);
      if (text === undefined) continue;
      texts.set(ref, text);
      open.push(text);
    }
  }
  refuseWithoutArtifacts(run, events, texts);
  return [...texts].map(([ref, text]) => ({ ref, text })).sort((a, b) => (a.ref < b.ref ? -1 : 1));
}

/** An artifact that a note names has to be there: a bundle with a hole in it is worth nothing. */
function refuseWithoutArtifacts(
  run: RunId,
  events: readonly Event[],
  texts: ReadonlyMap<string, string>,
): void {
  for (const event of events) {
    if (event.type !== "task.noted" || typeof event.data !== "object" || event.data === null) continue;
    const artifact =
      "artifact" in event.data ? (event.data["artifact"] as { readonly ref?: unknown } | null) : null;
    const ref = artifact?.ref;
    if (typeof ref !== "string" || texts.has(ref)) continue;
    const message = `Event ${event.seq} of run ${run} refers to the text ${ref}, which is not in the journal.`;
    throw new Refusal("wrong_state", message);
  }
}

function redactAll(
  redactor: Redactor,
  events: readonly Event[],
  texts: readonly StoredText[],
): { readonly events: Event[]; readonly texts: readonly StoredText[] } {
  const plans = events.flatMap((event) => ("plan" in event ? [event.plan, event.program] : []));
  const printed = [...events.map((event) => JSON.stringify(event)), ...texts.map(({ text }) => text)];
  redactor.learn(printed, JSON.stringify(plans));
  const cleaned = texts.map(({ ref, text }) => ({ ref, text: redactor.text(text) }));
  const { texts: addressed, moved } = readdress(cleaned);
  const redacted = events.map((event) => {
    const value = redactor.value(event as unknown as Json); // an event is plain JSON
    if (moved.size === 0) return value as unknown as Event;
    return JSON.parse(followRefs(JSON.stringify(value), moved)) as Event;
  });
  const distinct = new Map(addressed.map((text) => [text.ref, text]));
  return { events: redacted, texts: [...distinct.values()] };
}
