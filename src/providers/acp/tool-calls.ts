/**
 * The tool calls of an exchange, put together from what the agent tells of them piece by piece.
 *
 * 1. An update may come before the call that it is about, and a permission request before both: all of them count.
 * 2. What a person is shown has no ids in it, so it is the same when the call comes again in another process.
 */

import { isAbsolute, relative, sep } from "node:path";
import type { ToolCallContent, ToolCallUpdate } from "@agentclientprotocol/sdk/unstable";
import type { Asked, Progress } from "../../agent/agent.ts";
import type { ToolKind, ToolUse } from "../../agent/policy.ts";
import { isObject, type Json, type JsonObject, sameJson } from "../../base/json.ts";
import type { Quirks } from "./quirks.ts";
import { within } from "./tokens.ts";

/** How an agent says what a tool is. */
export type CallQuirks = Pick<Quirks, "toolName" | "kinds" | "servedMark">;

interface Call {
  readonly title: string;
  readonly name: string | undefined;
  readonly kind: ToolKind;
  /** Whether it is marked as a call of a server's tool. */
  readonly isServed: boolean;
  readonly status: NonNullable<ToolCallUpdate["status"]>;
  readonly input: unknown;
  readonly content: readonly ToolCallContent[];
  readonly locations: readonly string[];
}

const UNKNOWN: Call = {
  ...{ title: "A tool", name: undefined, kind: "other", isServed: false, status: "pending" },
  ...{ input: undefined, content: [], locations: [] },
};

/** How agents write that a tool is one of the graph. */
const GRAPH_TOOL =
  /^(mcp(_{1,2}|\.))?baton(_{1,2}|: ?|\/|\.)(send|finish|ask|look)$|^(send|finish|ask|look) \(baton MCP Server\)$/;

/** Keys under which agents name the file that a tool is about. */
const PATH_KEYS = ["path", "filePath", "file_path", "filename", "absolute_path"];

export class ToolCalls {
  readonly #calls: Map<string, Call> = new Map();
  readonly #cwd: string;
  readonly #quirks: CallQuirks;

  constructor(cwd: string, quirks: CallQuirks = {}) {
    this.#cwd = cwd;
    this.#quirks = quirks;
  }

  has(id: string): boolean {
    return this.#calls.has(id);
  }

  /** Takes an update in (1) and returns what there is to show of it, if that has changed. */
  update(update: ToolCallUpdate): Extract<Progress, { kind: "tool" }> | undefined {
    const before = this.#calls.get(update.toolCallId);
    const call = this.#merged(before ?? UNKNOWN, update);
    this.#calls.set(update.toolCallId, call);
    if (before?.title === call.title && shown(before) === shown(call)) return undefined;
    return { kind: "tool", title: call.title, status: shown(call) };
  }

  /**
   * Says whether a call is one of a graph tool. Agents put the name of a server before that of its tool, each in a way
   * of its own. What acts on the machine has a kind, and is none, whatever its title says.
   */
  isGraphTool(id: string): boolean {
    const { name, title, kind } = this.#calls.get(id) ?? UNKNOWN;
    return kind === "other" && GRAPH_TOOL.test(name ?? title);
  }

  /** Says whether a graph tool is running with just these arguments, as far as the agent has told. */
  isCalling(tool: string, args: Json): boolean {
    return [...this.#calls].some(([id, call]) => {
      const isThis =
        shown(call) === "running" && this.isGraphTool(id) && (call.name ?? call.title).includes(tool);
      return isThis && sameJson(jsonOf(call.input) ?? {}, args);
    });
  }

  /** What is to be judged about a call. */
  use(id: string): ToolUse {
    const call = this.#calls.get(id) ?? UNKNOWN;
    return { kind: call.kind, ...(call.name !== undefined && { name: call.name }), paths: this.#paths(call) };
  }

  /** What a person is shown of a call (2). */
  asked(id: string): Asked {
    const call = this.#calls.get(id) ?? UNKNOWN;
    const paths = this.#paths(call);
    const diffs = call.content.flatMap((part) => (part.type === "diff" ? [this.#diff(part)] : []));
    const input = jsonOf(call.input);
    const args: JsonObject = {
      kind: call.kind,
      ...(paths.length > 0 && { paths }),
      ...(input !== undefined && { input }),
      ...(diffs.length > 0 && { diffs }),
    };
    return { title: this.#titleOf(call, paths), args };
  }

  /** Closes what the agent left open, and returns what there is to show of it. */
  closeOpen(): readonly Extract<Progress, { kind: "tool" }>[] {
    return [...this.#calls]
      .filter(([, call]) => shown(call) === "running")
      .flatMap(([toolCallId]) => this.update({ toolCallId, status: "failed" }) ?? []);
  }

  /** Fields that an update names replace those from before. */
  #merged(before: Call, update: ToolCallUpdate): Call {
    const { toolName = [], kinds = {}, servedMark = [] } = this.#quirks;
    const told = toolName.length > 0 ? within(update._meta, toolName) : undefined;
    const name = update.name ?? (typeof told === "string" ? told : before.name);
    const isMarked = servedMark.length > 0 && within(update._meta, servedMark) === true;
    const isServed = before.isServed || isMarked;
    const kind = isServed ? "other" : (update.kind ?? before.kind);
    const known = name !== undefined && Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    return {
      title: update.title ?? before.title,
      ...{ name, isServed },
      kind: kind === "other" ? (known ?? (isServed ? kind : before.kind)) : kind,
      status: update.status ?? before.status,
      input: update.rawInput ?? before.input,
      content: update.content ?? before.content,
      locations: update.locations?.map(({ path }) => path) ?? before.locations,
    };
  }

  /** What a person reads first; some agents say no more than the path. */
  #titleOf({ title, kind }: Call, paths: readonly string[]): string {
    const short = title.replaceAll(this.#cwd + sep, "");
    return paths.includes(short) ? `${kind} ${short}` : short;
  }

  #paths({ content, locations, input }: Call): readonly string[] {
    const named = isObject(input) ? PATH_KEYS.map((key) => input[key]) : [];
    const found = [
      ...locations,
      ...content.flatMap((part) => (part.type === "diff" ? [part.path] : [])),
      ...named.filter((value) => typeof value === "string"),
    ];
    return [...new Set(found.map((path) => this.#inside(path)))];
  }

  #inside(path: string): string {
    return isAbsolute(path) ? relative(this.#cwd, path) : path;
  }

  #diff({ path, oldText, newText }: Extract<ToolCallContent, { type: "diff" }>): JsonObject {
    return { path: this.#inside(path), oldText: oldText ?? null, newText };
  }
}

function shown({ status }: Call): Extract<Progress, { kind: "tool" }>["status"] {
  return status === "completed" || status === "failed" ? status : "running";
}

/** What came over the wire is JSON, but is not typed so. */
function jsonOf(value: unknown): Json | undefined {
  return value === undefined || value === null ? undefined : (value as Json);
}
