/**
 * The shapes of what a page sends: the door of the server is made of them, and so is the OpenAPI document.
 *
 * 1. Every route that takes a body or a query has its shape here; one that takes neither is not named.
 * 2. What a shape does not name is refused: a mistyped field would otherwise be a wish that nobody hears.
 */

import type { Json } from "../base/json.ts";
import { type ObjectRules, object, optional } from "../base/object-shape.ts";
import {
  anyObject,
  anything,
  array,
  boolean,
  integer,
  number,
  oneOf,
  type Shape,
  string,
} from "../base/shape.ts";
import type { ForkRequest, RunVerb, SaveRequest, SimulateRequest, StartRequest } from "./requests.ts";

const STRICT: ObjectRules = { unknown: { severity: "error" } };

const budget: Shape<{ readonly maxTokens?: number; readonly maxCostUsd?: number }> = object(
  "The most that the run may use; what is left out is not limited anew.",
  {
    maxTokens: optional(integer("Tokens, of all turns together.", { least: 1 })),
    maxCostUsd: optional(number("US dollars, of all turns together.", { above: 0 })),
  },
  STRICT,
);

export const startShape: Shape<StartRequest> = object(
  "What to start.",
  {
    definition: string("A path of the project, or bundled:NAME.", { filled: true }),
    task: optional(string("What it is asked to do, in words.")),
    inputs: optional(anyObject("What its state begins with.")),
    messages: optional(
      array(
        "Inbox graphs: what to begin with.",
        object(
          "A message to a node.",
          { node: string("The node."), text: string("The text.", { filled: true }) },
          STRICT,
        ),
      ),
    ),
    script: optional(string("The path of a script that takes every turn.")),
    agent: optional(string("The agent that takes every turn.")),
    budget: optional(budget),
    yes: optional(boolean("What the definition may do was shown, and is allowed this once.")),
  },
  STRICT,
);

const question = string("The id of an open question.", { filled: true });
const digest = optional(string("The digest of the question as it was shown.", { filled: true }));
const node = string("A node of the run.", { filled: true });
const reason = optional(string("Why, for whoever asked or looks at the run."));

type VerbShapes = { readonly [Name in RunVerb["verb"]]: Shape<Extract<RunVerb, { verb: Name }>> };

/** One shape for each verb. */
export const VERB_SHAPES: VerbShapes = {
  answer: object(
    "Answers a question.",
    { verb: oneOf("The verb.", ["answer"]), question, value: anything("The answer."), digest },
    STRICT,
  ),
  approve: object(
    "Says yes.",
    {
      verb: oneOf("The verb.", ["approve"]),
      question,
      edit: optional(anything("The arguments as they should be.")),
      digest,
    },
    STRICT,
  ),
  deny: object("Says no.", { verb: oneOf("The verb.", ["deny"]), question, reason, digest }, STRICT),
  send: object(
    "Writes to a node of an inbox graph.",
    { verb: oneOf("The verb.", ["send"]), node, text: string("The message.", { filled: true }) },
    STRICT,
  ),
  interrupt: object(
    "Ends the turn that a node has in hand.",
    { verb: oneOf("The verb.", ["interrupt"]), node },
    STRICT,
  ),
  retry: object(
    "Tries a failed node again; without one, the only one that failed.",
    { verb: oneOf("The verb.", ["retry"]), node: optional(node) },
    STRICT,
  ),
  pause: object("Opens no new step.", { verb: oneOf("The verb.", ["pause"]) }, STRICT),
  resume: object("Goes on.", { verb: oneOf("The verb.", ["resume"]), budget: optional(budget) }, STRICT),
  cancel: object("Ends the run for good.", { verb: oneOf("The verb.", ["cancel"]), reason }, STRICT),
  edit: object(
    "Changes the graph of an inbox run.",
    {
      verb: oneOf("The verb.", ["edit"]),
      edits: array("The edits, in order.", anyObject("An edit of an inbox graph."), { least: 1 }),
    },
    STRICT,
  ),
};

const VERBS = Object.keys(VERB_SHAPES) as readonly RunVerb["verb"][]; // its keys are those of its type

/** A verb with what it takes. */
export const verbShape: Shape<RunVerb> = {
  schema: { description: "What is asked of a run.", oneOf: VERBS.map((verb) => VERB_SHAPES[verb].schema) },
  validate(value: Json, at: string) {
    const named = anyNamed.validate(value, at);
    if (named.some(({ severity }) => severity === "error")) return named;
    const { verb } = value as { readonly verb: RunVerb["verb"] }; // just validated
    return VERB_SHAPES[verb].validate(value, at);
  },
};

const anyNamed: Shape = object("A verb.", { verb: oneOf("What to do.", VERBS) } as never, {
  unknown: { severity: "warning" },
});

export const forkShape: Shape<ForkRequest> = object(
  "Where the new run begins.",
  {
    at: optional(integer("The last event that both share; the whole past when absent.", { least: 1 })),
    edit: optional(
      array(
        "Changes of the state that it begins with.",
        object(
          "A value for a place.",
          {
            pointer: string("A JSON pointer into the state of a moment: /CHANNEL/KEY/…"),
            value: anything("What to put there."),
          },
          STRICT,
        ),
      ),
    ),
  },
  STRICT,
);

export const saveShape: Shape<SaveRequest> = object(
  "A text to write.",
  {
    text: string("The whole file."),
    base: {
      schema: { description: "The digest that was read; null for a new file.", type: ["string", "null"] },
      validate: (value, at) => (value === null ? [] : string("A digest.").validate(value, at)),
    },
  },
  STRICT,
);

export const checkShape: Shape<{ readonly text: string; readonly path?: string }> = object(
  "A text to check.",
  {
    text: string("The whole file."),
    path: optional(string("The path under which it would be saved.")),
  },
  STRICT,
);

export const simulateShape: Shape<SimulateRequest> = object(
  "A loadout to play.",
  {
    text: string("The whole file."),
    runs: optional(integer("How many runs; 100 when absent.", { least: 1, most: 1000 })),
    seed: optional(integer("What decides everything; 1 when absent.")),
  },
  STRICT,
);
