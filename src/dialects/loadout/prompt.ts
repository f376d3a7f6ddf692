/** A prompt is built in layers from what the run recorded, never from a chat: whoever reads it can build it again. */

import { isJsonObject, type Json } from "../../base/json.ts";
import { CONTEXT, CONTEXT_WINDOW, type ContextEntry, REQUEST } from "./channels.ts";
import { WORK_ITEMS } from "./definition.ts";
import { outputFormat } from "./handoff.ts";
import { clip, renderRework } from "./rework.ts";
import type { Visit } from "./visit.ts";

/** The most characters of the context log that a prompt shows, and of one entry in it. */
const CONTEXT_SIZE = 12_000;
const ENTRY_SIZE = 4_000;

type Layer = (visit: Visit) => string | undefined;

/** In the order in which they stand in a prompt. */
const LAYERS: readonly Layer[] = [
  ({ place }) => place.materia.prompt,
  (visit) => section("Request", visit.read(REQUEST)),
  currentItem,
  (visit) => section("Runtime follow-up context", rework(visit)),
  upstreamItems,
  (visit) => section("Context so far", contextLog(visit)),
  ({ place }) => section("Output format", outputFormat(place.contract)),
];

/** The prompt of a visit. */
export function promptOf(visit: Visit): string {
  return LAYERS.flatMap((layer) => layer(visit) ?? []).join("\n\n");
}

function section(title: string, content: Json | undefined): string | undefined {
  return typeof content === "string" && content.trim() !== "" ? `## ${title}\n${content}` : undefined;
}

function currentItem(visit: Visit): string | undefined {
  const { item } = visit;
  if (item === undefined) return outerItem(visit.stateAt(["workItem"]));
  const { value, key, label, count, index } = item;
  const context = isJsonObject(value) ? value["context"] : undefined;
  const body = typeof context === "string" ? context : label === value ? "" : JSON.stringify(value);
  return section("Current work item", `${label} (${key}, ${index + 1} of ${count})\n\n${body}`.trim());
}

/** The item that the run around this one has in hand, when that run is at work on one. */
function outerItem(value: Json | undefined): string | undefined {
  if (!isJsonObject(value) || typeof value["title"] !== "string") return undefined;
  const { title, context } = value;
  return section("Current work item", `${title}\n\n${typeof context === "string" ? context : ""}`.trim());
}

function rework(visit: Visit): string | undefined {
  const lines = renderRework(visit.rework);
  if (lines === undefined) return undefined;
  return `This work came back. What was said about it, oldest first:\n${lines}`;
}

/** A generator sees the list that it takes further; the one that makes the first list has none. */
function upstreamItems(visit: Visit): string | undefined {
  if (!visit.place.isGenerator) return undefined;
  const items = visit.stateAt([WORK_ITEMS]);
  if (!Array.isArray(items) || items.length === 0) return undefined;
  return section("Upstream work items", JSON.stringify({ workItems: items }, undefined, 2));
}

/** The newest entries that fit, oldest first. */
function contextLog(visit: Visit): string | undefined {
  const log = (visit.read(CONTEXT) ?? []) as unknown as readonly ContextEntry[]; // written by `conclude`
  const lines: string[] = [];
  let room = CONTEXT_SIZE;
  for (const { label, item, text } of log.slice(-CONTEXT_WINDOW).toReversed()) {
    const line = `- ${label}${item === undefined ? "" : ` (${item})`}: ${clip(text, ENTRY_SIZE)}`;
    if (line.length > room) break;
    lines.unshift(line);
    room -= line.length;
  }
  return lines.length === 0 ? undefined : lines.join("\n");
}
