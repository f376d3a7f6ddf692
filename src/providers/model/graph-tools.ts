/** The tools of a graph, for a model that sits in one: the same that agents get over MCP, called without a server. */

import type { TurnRequest } from "../../agent/agent.ts";
import { type Offer, toolsOf } from "../../agent/tool-desk.ts";
import { passes } from "../../base/shape.ts";
import { GRAPH_TOOLS, type GraphTool } from "../tool-desk/graph-tools.ts";
import type { ModelTool } from "./model-tool.ts";

/** Nobody has to allow what only speaks: all of them count as thinking. A turn that offers none is in no graph. */
export function graphTools(request: TurnRequest): readonly ModelTool[] {
  const { send, finish, look } = request;
  if (!send && !finish && !look) return [];
  const offer: Offer = {
    ...(send && { send: (staged) => send.call(request, staged) }),
    ...(finish && { finish: (end) => finish.call(request, end) }),
    ...(look && { look: () => look.call(request) }),
  };
  const tools = toolsOf(request);
  return GRAPH_TOOLS.filter(({ name }) => tools.includes(name)).map((row) => toolOf(row, offer));
}

function toolOf(row: GraphTool, offer: Offer): ModelTool {
  const { name, description, shape } = row;
  return {
    ...{ name, description, kind: "think", input: shape.schema },
    problem(input) {
      const issues = shape.validate(input, "");
      return passes(issues) ? undefined : issues.map(({ message }) => message).join(" ");
    },
    ...(name === "ask" && {
      asks: ({ question, context }) => ({
        ...{ title: String(question), args: context === undefined ? {} : { context }, wants: "answer" },
      }),
    }),
    async run(input, { answer }) {
      const told = await row.call(
        answer === undefined ? offer : { ...offer, ask: async () => answer },
        input,
        new AbortController().signal,
      );
      if (told.isError) throw new Error(told.text);
      return told.text;
    },
  };
}
