/**
 * The graph tools are what an agent can do to the graph that it is a node of, each a row: what it is called, what it
 * takes, and what it does with the offer of the turn in hand.
 */

import type { Approval, Finish } from "../../agent/agent.ts";
import { NO_TURN, type Offer, type OfferFor } from "../../agent/tool-desk.ts";
import { messageOf } from "../../base/failure.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { object, optional } from "../../base/object-shape.ts";
import { boolean, type Shape, string } from "../../base/shape.ts";

/** What an agent is answered. */
export interface Answer {
  readonly text: string;
  readonly isError: boolean;
}

export interface GraphTool {
  readonly name: keyof Offer;
  readonly description: string;
  readonly shape: Shape;
  /** Called with arguments that fit the shape, and only where the offer has the tool. */
  call(offer: Offer, args: JsonObject, gone: AbortSignal): Answer | Promise<Answer>;
}

/** No deeper than it has to be: agents fill in flat arguments best. */
const STRICT = { unknown: { severity: "error" } } as const;

interface SendArgs {
  readonly to: string;
  readonly message: string;
}
interface AskArgs {
  readonly question: string;
  readonly context?: string;
}

export const GRAPH_TOOLS: readonly GraphTool[] = [
  {
    name: "send",
    description:
      "Sends a message to another node of your graph. It is delivered when your turn has ended well, and not before. " +
      "You hear at once when it cannot go.",
    shape: object<SendArgs>(
      "A message.",
      {
        to: string("The name of the node.", { filled: true }),
        message: string("All that the receiver has to know: it sees nothing else of your turn.", {
          filled: true,
        }),
      },
      STRICT,
    ),
    async call(offer, args, gone) {
      const { to, message } = args as unknown as SendArgs; // the shape has passed
      const verdict = (await offer.send?.({ to, message }, gone)) ?? NO_TURN;
      return verdict.ok ? good(`Staged for ${to}.`) : bad(verdict.message);
    },
  },
  {
    name: "finish",
    description: "Closes the goal of the graph. Call it once, when the work is done or cannot be done.",
    shape: object<Finish>(
      "The end.",
      {
        ok: boolean("Whether the goal was reached."),
        summary: string("What came of it, for the person who set the goal.", { filled: true }),
      },
      STRICT,
    ),
    async call(offer, args, gone) {
      const verdict = (await offer.finish?.(args as unknown as Finish, gone)) ?? NO_TURN; // the shape has passed
      return verdict.ok
        ? good("Noted. End your turn with a final message: the goal is closed with it.")
        : bad(verdict.message);
    },
  },
  {
    name: "ask",
    description:
      "Asks the person who runs the graph, and waits for the answer, which may take long. Ask only what you cannot " +
      "find out yourself and must not guess.",
    shape: object<AskArgs>(
      "A question.",
      {
        question: string("One question, complete in itself.", { filled: true }),
        context: optional(string("What the person should know to answer it.")),
      },
      STRICT,
    ),
    async call(offer, args, gone) {
      const { question, context } = args as unknown as AskArgs; // the shape has passed
      const asked = { title: question, args: context ? { context } : {}, wants: "answer" } as const;
      const answer = await offer.ask?.(asked, gone);
      return answer === undefined ? bad(NO_TURN.message) : good(spoken(answer));
    },
  },
  {
    name: "look",
    description: "Shows how the run stands: its nodes, whom you can write to, and what waits in your inbox.",
    shape: object<object>("Nothing.", {}, STRICT),
    call: (offer) => good(JSON.stringify(offer.look?.() ?? null, null, 2)),
  },
];

/** Answers a call, whatever it is. Never throws for what an agent says. */
export async function callTool(
  offered: Offer | OfferFor | undefined,
  name: string,
  args: Json | undefined,
  gone: AbortSignal,
): Promise<Answer> {
  const tool = GRAPH_TOOLS.find((one) => one.name === name);
  if (tool === undefined) return bad(`There is no tool ${name}.`);
  if (offered === undefined) return bad(NO_TURN.message);
  const given = args ?? {};
  const issues = tool.shape.validate(given, "").filter(({ severity }) => severity === "error");
  if (issues.length > 0 || !isJsonObject(given)) {
    return bad(issues.map(({ pointer, message }) => `${pointer || "/"}: ${message}`).join("\n"));
  }
  try {
    const offer = typeof offered === "function" ? await offered({ tool: tool.name, args: given }) : offered;
    if (offer === undefined) return bad(NO_TURN.message);
    if (offer[tool.name] === undefined) return bad(`Your turn cannot ${tool.name}.`);
    return await tool.call(offer, given, gone);
  } catch (error) {
    return bad(messageOf(error));
  }
}

/** What a person said, as a text for an agent. */
function spoken({ approved, answer, reason }: Approval): string {
  if (!approved) return `The person declines to answer.${reason ? ` They say: ${reason}` : ""}`;
  return typeof answer === "string" ? answer : JSON.stringify(answer ?? null);
}

function good(text: string): Answer {
  return { text, isError: false };
}

function bad(text: string): Answer {
  return { text, isError: true };
}
