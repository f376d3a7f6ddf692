/**
 * The calls of a model's answer are judged, shown to a person where that is needed, and done, one after the other.
 *
 * 1. A decision is applied to the call that shows exactly what the person was shown, and only once.
 * 2. A call that was begun by a process that is gone is not begun again: nobody knows what it did.
 * 3. What a call is refused for, or fails with, is told to the model, which goes on.
 * 4. What a person is shown has no ids in it, so it is the same when the call comes again in another process.
 */

import type { ToolCallPart } from "ai";
import type { Approval, Asked, TurnRequest } from "../../agent/agent.ts";
import { type Rules, verdictOn } from "../../agent/policy.ts";
import { messageOf } from "../../base/failure.ts";
import { isJsonObject, type Json, type JsonObject, sameJson } from "../../base/json.ts";
import { sameAsked } from "../agent-process/decisions.ts";
import type { ModelTool, ToolPlace } from "./model-tool.ts";
import type { Talk } from "./talk.ts";

export interface ToolCallsOptions {
  readonly tools: readonly ModelTool[];
  readonly rules: Rules;
  readonly place: ToolPlace;
  readonly approval: Approval | undefined;
  readonly progress: TurnRequest["progress"];
}

/** A call with its tool. */
interface Known {
  readonly call: ToolCallPart;
  readonly tool: ModelTool;
  readonly input: JsonObject;
}

type Go =
  | { readonly kind: "run"; readonly input: JsonObject; readonly remark?: string; readonly answer?: Approval }
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "asks"; readonly asked: Asked };

export class ToolCalls {
  readonly #options: ToolCallsOptions;
  #approval: Approval | undefined;

  constructor(options: ToolCallsOptions) {
    this.#options = options;
    this.#approval = options.approval;
  }

  /** Does what is open; returns what a person has to decide on first, if that is so. */
  async perform(talk: Talk): Promise<Asked | undefined> {
    for (const call of talk.openCalls) {
      if (this.#options.place.signal.aborted) return undefined;
      const known = this.#known(call);
      if (typeof known === "string")
        await talk.result(call, known, true); // (3)
      else if (talk.hasBegun(call))
        await talk.result(call, LOST, true); // (2)
      else {
        const asked = await this.#handle(talk, known);
        if (asked !== undefined) return asked;
      }
    }
    return undefined;
  }

  async #handle(talk: Talk, known: Known): Promise<Asked | undefined> {
    const go = await this.#judge(known);
    if (go.kind === "asks") return go.asked;
    const { call, tool } = known;
    if (go.kind === "refused") {
      await talk.result(call, go.why, true);
      this.#options.progress({ kind: "tool", title: titleOf(known), status: "failed" });
      return undefined;
    }
    const title = titleOf({ ...known, input: go.input });
    this.#options.progress({ kind: "tool", title, status: "running" });
    if (CHANGES.has(tool.kind)) await talk.begins(call);
    const { text, isError } = await this.#run(tool, go);
    await talk.result(call, go.remark === undefined ? text : `${go.remark}\n${text}`, isError);
    this.#options.progress({ kind: "tool", title, status: isError ? "failed" : "completed" });
    return undefined;
  }

  /** The tool and input of a call; a sentence when there is no such tool or it cannot take that input. */
  #known(call: ToolCallPart): Known | string {
    const { tools } = this.#options;
    const tool = tools.find(({ name }) => name === call.toolName);
    if (tool === undefined) {
      const names = tools.map(({ name }) => name).join(", ");
      return `There is no tool ${JSON.stringify(call.toolName)} here. There is: ${names || "none"}.`;
    }
    const input = call.input as Json; // it came over the wire as JSON
    if (!isJsonObject(input)) return "The input of a tool is an object.";
    const problem = tool.problem?.(input);
    return problem === undefined ? { call, tool, input } : `The input does not fit: ${problem}`;
  }

  async #judge(known: Known): Promise<Go> {
    const { tool, input } = known;
    const paths = tool.paths?.(input) ?? [];
    const verdict = verdictOn({ kind: tool.kind, name: tool.name, paths }, this.#options.rules);
    if (verdict === "deny") return { kind: "refused", why: "This turn may not do that." };
    const wanted = tool.asks?.(input);
    if (verdict === "allow" && wanted === undefined) return { kind: "run", input };
    const asked = wanted ?? (await this.#asked(known, paths));
    if (typeof asked === "string") return { kind: "refused", why: asked };
    const approval = this.#approval;
    const isAbout = approval?.asked === undefined || sameAsked(approval.asked, asked);
    if (approval === undefined || !isAbout) return { kind: "asks", asked };
    this.#approval = undefined; // (1)
    if (wanted !== undefined) return { kind: "run", input, answer: approval };
    if (!approval.approved) return { kind: "refused", why: declined(approval) };
    return this.#approved(known, asked, approval);
  }

  /** What a person is shown (4); a sentence when the call would fail anyway. */
  async #asked({ tool, input }: Known, paths: readonly string[]): Promise<Asked | string> {
    try {
      const diffs = (await tool.diffs?.(input, this.#options.place)) ?? [];
      const args: JsonObject = {
        kind: tool.kind,
        ...(paths.length > 0 && { paths }),
        input,
        ...(diffs.length > 0 && { diffs: diffs.map((diff) => ({ ...diff })) }),
      };
      return { title: titleOf({ tool, input }), args };
    } catch (error) {
      return messageOf(error);
    }
  }

  /** What is done after an approval: the call as it was, or with the input that the person gave. */
  #approved({ tool, input }: Known, asked: Asked, { args }: Approval): Go {
    if (args === undefined || sameJson(args, asked.args)) return { kind: "run", input };
    const given = isJsonObject(args) && isJsonObject(args["input"]) ? args["input"] : args;
    const problem = isJsonObject(given) ? tool.problem?.(given) : "it is no object.";
    if (!isJsonObject(given) || problem !== undefined) {
      return {
        kind: "refused",
        why: `A person changed the input to something that does not fit: ${problem}`,
      };
    }
    if (sameJson(given, input)) return { kind: "run", input };
    const use = { kind: tool.kind, name: tool.name, paths: tool.paths?.(given) ?? [] };
    if (verdictOn(use, this.#options.rules) === "deny")
      return { kind: "refused", why: "This turn may not do that." };
    return { kind: "run", input: given, remark: `A person changed the input to ${JSON.stringify(given)}.` };
  }

  async #run(
    tool: ModelTool,
    { input, answer }: Extract<Go, { kind: "run" }>,
  ): Promise<{ readonly text: string; readonly isError: boolean }> {
    const place = { ...this.#options.place, ...(answer && { answer }) };
    try {
      return { text: await tool.run(input, place), isError: false };
    } catch (error) {
      return { text: messageOf(error), isError: true };
    }
  }
}

/** What leaves something behind. */
const CHANGES: ReadonlySet<string> = new Set(["edit", "delete", "move", "execute", "fetch", "other"]);

const LOST =
  "It was begun, and the process that did it ended: nobody knows how far it came. Look before you do it again.";

function titleOf({ tool, input }: Pick<Known, "tool" | "input">): string {
  const about = tool.paths?.(input)[0] ?? (Array.isArray(input["argv"]) ? input["argv"].join(" ") : "");
  return `${tool.name} ${about}`.trim();
}

function declined({ reason }: Approval): string {
  const why = reason === undefined || reason === "" ? "." : ` and says: ${reason}`;
  return `A person declined this${why}\nGo on with your task without it.`;
}
