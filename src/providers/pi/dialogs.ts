/**
 * Dialogs are what pi and its extensions ask: the gate about calls of tools, others about whatever they like.
 *
 * 1. A decision is applied to the dialog that shows exactly what the person was shown, and only once.
 * 2. What a person is shown has no ids in it, so it is the same when it comes again in another process.
 */

import { isAbsolute, relative } from "node:path";
import type { Approval, Asked } from "../../agent/agent.ts";
import { type Rules, type ToolKind, type ToolUse, verdictOn } from "../../agent/policy.ts";
import { isJsonObject, type Json, type JsonObject, sameJson } from "../../base/json.ts";

/** An answer to a dialog, but for its id. */
export type DialogAnswer =
  | { readonly value: string }
  | { readonly confirmed: boolean }
  | { readonly cancelled: true };

export const DISMISSED: DialogAnswer = { cancelled: true };

/** The titles of the gate's dialogs. */
const CALL = "baton:tool_call";
const GRAPH = "baton:graph_tool";

/** The methods that wait for an answer; the others only tell something. */
const WAITING: ReadonlySet<Json | undefined> = new Set(["select", "confirm", "input", "editor"]);

const KINDS: ReadonlyMap<string, ToolKind> = new Map([
  ...[
    ["read", "read"] as const,
    ["ls", "read"] as const,
    ["grep", "search"] as const,
    ["find", "search"] as const,
  ],
  ...[["write", "edit"] as const, ["edit", "edit"] as const, ["bash", "execute"] as const],
]);

/** What is done with a dialog: it is answered at once, a person is asked, or a tool of the graph is called. */
export type Handling =
  | { readonly kind: "answer"; readonly answer: DialogAnswer }
  | { readonly kind: "ask"; readonly asked: Asked; readonly answer: (approval: Approval) => DialogAnswer }
  | { readonly kind: "graph"; readonly tool: string; readonly input: Json };

/** What becomes of a request of pi's user interface; nothing when it waits for no answer. */
export function handle(request: JsonObject, rules: Rules, cwd: string): Handling | undefined {
  const { method, title } = request;
  if (!WAITING.has(method)) return undefined;
  if (method === "input" && title === CALL) return handleCall(request, rules, cwd);
  if (method === "input" && title === GRAPH) return graphCall(request);
  return { kind: "ask", asked: askedOf(request), answer: (approval) => answerTo(request, approval) };
}

/** How a call of a tool of the graph is answered. */
export function graphAnswer(text: string, isError: boolean): DialogAnswer {
  return gateAnswer({ text, isError });
}

function graphCall({ placeholder }: JsonObject): Handling {
  const { tool, input = {} } = parsed(placeholder);
  return { kind: "graph", tool: String(tool), input };
}

function handleCall({ placeholder }: JsonObject, rules: Rules, cwd: string): Handling {
  const { tool, input } = parsed(placeholder);
  if (typeof tool !== "string" || !isJsonObject(input)) return { kind: "answer", answer: DISMISSED };
  const use = useOf(tool, input, cwd);
  const verdict = verdictOn(use, rules);
  if (verdict === "allow") return { kind: "answer", answer: gateAnswer({ allow: true }) };
  if (verdict === "deny")
    return { kind: "answer", answer: gateAnswer({ allow: false, reason: "This turn may not do that." }) };
  const about = use.paths[0] ?? (typeof input["command"] === "string" ? input["command"] : "");
  const paths = use.paths.length > 0 && { paths: use.paths };
  const asked = { title: `${tool} ${about}`.trim(), args: { kind: use.kind, ...paths, input } };
  return { kind: "ask", asked, answer: (approval) => decided(approval, { tool, asked, rules, cwd }) };
}

interface Deciding {
  readonly tool: string;
  readonly asked: Asked;
  readonly rules: Rules;
  readonly cwd: string;
}

/** The gate's answer after a decision; what a person changed is done in place of what pi wanted. */
function decided({ approved, args, reason }: Approval, { tool, asked, rules, cwd }: Deciding): DialogAnswer {
  if (!approved) {
    const why = reason === undefined || reason === "" ? "." : ` and says: ${reason}`;
    return gateAnswer({ allow: false, reason: `A person declined this${why} Go on without it.` });
  }
  if (args === undefined || sameJson(args, asked.args)) return gateAnswer({ allow: true });
  const input = isJsonObject(args) && isJsonObject(args["input"]) ? args["input"] : args;
  if (!isJsonObject(input) || verdictOn(useOf(tool, input, cwd), rules) === "deny") {
    return gateAnswer({
      allow: false,
      reason: "A person changed this to something that this turn may not do.",
    });
  }
  return gateAnswer({ allow: true, input });
}

function gateAnswer(answer: JsonObject): DialogAnswer {
  return { value: JSON.stringify(answer) };
}

function useOf(tool: string, { path }: JsonObject, cwd: string): ToolUse {
  const inside = typeof path !== "string" ? [] : [isAbsolute(path) ? relative(cwd, path) : path];
  return { kind: KINDS.get(tool) ?? "other", name: tool, paths: inside };
}

function askedOf({ method, title, message, options, placeholder, prefill }: JsonObject): Asked {
  const shown = { message, options, placeholder, prefill };
  const given = Object.entries(shown).filter((entry): entry is [string, Json] => entry[1] !== undefined);
  const heading = typeof title === "string" ? title : "pi asks";
  return { title: heading, args: { kind: method ?? null, ...Object.fromEntries(given) } };
}

/** A choice or a text comes as `{ "value": … }`; approving without one takes the first option or what stood there. */
function answerTo({ method, options, prefill }: JsonObject, { approved, args }: Approval): DialogAnswer {
  if (method === "confirm") return { confirmed: approved };
  if (!approved) return DISMISSED;
  const given = isJsonObject(args) ? args["value"] : args;
  if (typeof given === "string") return { value: given };
  const usual = method === "select" && Array.isArray(options) ? options[0] : prefill;
  return typeof usual === "string" ? { value: usual } : DISMISSED;
}

function parsed(text: Json | undefined): JsonObject {
  try {
    const json = JSON.parse(String(text)) as Json;
    return isJsonObject(json) ? json : {};
  } catch {
    return {};
  }
}
