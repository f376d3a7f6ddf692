/** How notes are told: a row for each kind that a dialect leaves, and a rule for those that nobody knows here. */

import { isJsonObject, type Json, type JsonObject } from "../base/json.ts";
import type { NameOf } from "./labels.ts";

/** How a line is meant: it went well or badly, somebody is asked, or it is there for whoever looks closely. */
export type Tone = "plain" | "good" | "bad" | "ask" | "detail";

export interface Told {
  readonly tone: Tone;
  readonly text: string;
}

/** Tells a note. One of an unknown kind is a line when its data has a text `message`, else a detail. */
export function tellNote(kind: string, data: Json, nameOf: NameOf = text): Told {
  const object = isJsonObject(data) ? data : {};
  const row = Object.hasOwn(ROWS, kind) ? ROWS[kind] : undefined;
  if (row !== undefined) return row(object, (node) => (typeof node === "string" ? nameOf(node) : text(node)));
  const message = object["message"];
  if (typeof message === "string") return { tone: "plain", text: message };
  return { tone: "detail", text: `${kind} ${JSON.stringify(data)}` };
}

const plain = (text: string): Told => ({ tone: "plain", text });
const detail = (text: string): Told => ({ tone: "detail", text });

/** What a note calls a node, whatever it holds in that place. */
type Called = (node: Json | undefined) => string;

const ROWS: Readonly<Record<string, (data: JsonObject, called: Called) => Told>> = {
  "loadout.entered": ({ label, item, title }) =>
    plain(`${text(label)}${item === undefined ? "" : ` on ${text(item)}, ${text(title)}`}`),
  "loadout.skipped": ({ why }) => plain(`does not begin: ${text(why)}`),
  "loadout.prompt": ({ artifact }) => detail(`prompt ${refOf(artifact)}`),
  "loadout.turn": ({ turn, usage }) => detail(`turn ${text(turn)}: ${usageOf(usage)}`),
  "loadout.repair": ({ issues }) => ({ tone: "bad", text: `is asked again: ${issuesOf(issues)}` }),
  "loadout.output": ({ artifact, format }) => detail(`said ${sizeOf(artifact)} (${text(format)})`),
  "loadout.stderr": ({ artifact }) => detail(`wrote ${sizeOf(artifact)} to standard error`),
  "loadout.files": ({ paths, more }) =>
    plain(`changed ${listOf(paths)}${more === undefined ? "" : ` and ${text(more)} more`}`),
  "loadout.patched": ({ keys }) => detail(`set ${listOf(keys)} in the state`),
  "loadout.context": ({ size }) => detail(`left ${text(size)} characters of context`),
  "loadout.assigned": ({ target, source }) => detail(`${text(target)} = ${text(source)}`),
  "loadout.advanced": ({ item, left }) => plain(`is done with ${text(item)}, ${text(left)} left`),
  "loadout.rework": ({ to, reason }, called) => ({
    tone: "bad",
    text: `sends it back to ${called(to)}: ${text(reason)}`,
  }),
  "loadout.routed": (data, called) => plain(routeOf(data, called)),
  "inbox.turn": ({ turn, status, usage }) => ({
    tone: status === "completed" ? "plain" : "bad",
    text: `turn ${text(turn)} ${text(status)}: ${usageOf(usage)}`,
  }),
  "inbox.rejected": ({ to, code, message }, called) => ({
    tone: "bad",
    text: `cannot send to ${called(to)} (${text(code)}): ${text(message)}`,
  }),
  "inbox.dropped": ({ to, message }, called) =>
    plain(`drops what it had for ${called(to)}: ${text(message)}`),
  "inbox.duplicate": ({ id, to }, called) =>
    detail(`sent ${text(id)} to ${called(to)} a second time, which counts once`),
  "inbox.dead_letter": ({ node }, called) => ({
    tone: "bad",
    text: `a letter for ${called(node)}, which is gone`,
  }),
  "inbox.finished": ({ ok, summary }) => ({
    tone: ok === true ? "good" : "bad",
    text: `${ok === true ? "finishes" : "gives up"} the goal: ${text(summary)}`,
  }),
  "inbox.warning": ({ message, code }) => ({
    tone: "ask",
    text: `warning: ${text(message)} [${text(code)}]`,
  }),
  "loadout.warning": ({ message, code }) => ({
    tone: "ask",
    text: `warning: ${text(message)} [${text(code)}]`,
  }),
};

/** Where it goes and why: the value of `satisfied` that chose an edge, or the loop whose items are done. */
function routeOf({ chosen, satisfied, enters }: JsonObject, called: Called): string {
  const { via, to, when, loop, exit, why, exhausted } = isJsonObject(chosen) ? chosen : {};
  const item = isJsonObject(enters) && enters["item"] !== undefined ? ` (${text(enters["item"])})` : "";
  const said = typeof satisfied === "boolean" ? `satisfied is ${satisfied}` : undefined;
  const reasons = [
    via === "exit" ? `all items of ${text(loop)} are done` : undefined,
    via === "none" ? "no edge matches" : undefined,
    typeof why === "string" && !(via === "exit" && exit !== null) ? why : undefined,
    exhausted === true ? "an edge that may not be passed again" : undefined,
    when === "always" ? "always" : said,
  ].filter((reason) => reason !== undefined);
  return `→ ${called(to)}${item}${reasons.length > 0 ? `: ${reasons.join(", ")}` : ""}`;
}

function issuesOf(issues: Json | undefined): string {
  const list = Array.isArray(issues) ? (issues as readonly Json[]) : [];
  return list.map((issue) => (isJsonObject(issue) ? text(issue["message"]) : text(issue))).join(" ");
}

function usageOf(usage: Json | undefined): string {
  if (!isJsonObject(usage)) return "usage unknown";
  const { tokens, costUsd, uncounted } = usage;
  const least = uncounted === true ? "at least " : "";
  return `${least}${text(tokens)} tokens${typeof costUsd === "number" ? `, $${costUsd.toFixed(4)}` : ", cost unknown"}`;
}

function refOf(artifact: Json | undefined): string {
  return isJsonObject(artifact) ? text(artifact["ref"]) : "";
}

function sizeOf(artifact: Json | undefined): string {
  return `${isJsonObject(artifact) ? text(artifact["size"]) : "some"} characters`;
}

function listOf(list: Json | undefined): string {
  return Array.isArray(list) ? (list as readonly Json[]).map(text).join(", ") : text(list);
}

function text(value: Json | undefined): string {
  if (value === undefined) return "?";
  return typeof value === "string" ? value : JSON.stringify(value);
}
