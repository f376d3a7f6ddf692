/**
 * The transcript of a run: the lines that tell a person what happened, one for every event worth telling.
 *
 * 1. A dialect tells its own story through notes, which `notes.ts` knows how to tell, and through a story of its own
 *    where an event means more in it than the kernel knows.
 * 2. Texts from models, files and people stand in lines as they are; who prints them on a terminal makes them harmless.
 */

import { isJsonObject, type Json } from "../base/json.ts";
import type { NodeName } from "../base/names.ts";
import type { Event } from "../kernel/event.ts";
import { InboxStory } from "./inbox-story.ts";
import { LoadoutStory } from "./loadout-story.ts";
import { NameBook, type Naming } from "./nodes.ts";
import { type Tone, tellNote } from "./notes.ts";
import type { Said, Story } from "./story.ts";

export interface Line {
  readonly seq: number;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  readonly node?: NodeName;
  readonly tone: Tone;
  readonly text: string;
}

type Tell<E extends Event> = (event: E, names: NameBook) => Said | undefined;
type Rows = { readonly [Type in Event["type"]]: Tell<Extract<Event, { type: Type }>> };

export class Transcript {
  readonly #names: NameBook;
  #story: Story | undefined;

  /** With `labels`, lines say what people see; with `ids`, which is the default, what commands take. */
  constructor(naming: Naming = "ids") {
    this.#names = new NameBook(naming);
  }

  /** The line of an event, if it has one. Events come in the order of the log. */
  tell(event: Event): Line | undefined {
    if (event.type === "run.started") this.#story ??= storyOf(event.program.dialect);
    this.#names.learn(event);
    const told = this.#story?.tell(event, this.#names);
    const said = told === undefined ? (rows[event.type] as Tell<Event>)(event, this.#names) : told;
    this.#names.fold(event);
    if (said === undefined || said === "nothing") return undefined;
    return { seq: event.seq, at: event.at, ...said };
  }
}

function storyOf(dialect: string): Story | undefined {
  switch (dialect) {
    case "loadout":
      return new LoadoutStory();
    case "inbox":
      return new InboxStory();
    default:
      return undefined;
  }
}

const rows: Rows = {
  "run.started": ({ program, run }) => ({ tone: "plain", text: `${program.name} started as ${run}` }),
  "run.resumed": () => ({ tone: "plain", text: "resumed" }),
  "run.paused": ({ reason, message, nodes }, names) => ({
    tone: "ask",
    text: `paused (${reason})${nodes ? ` at ${allOf(nodes, names)}` : ""}${message ? `: ${message}` : ""}`,
  }),
  "run.finished": ({ reason, message }) => ({
    tone: "good",
    text: `completed${reason ? ` (${reason})` : ""}${message ? `: ${message}` : ""}`,
  }),
  "run.failed": ({ failure: { code, message, at } }) => ({
    tone: "bad",
    text: `failed (${code}): ${message}`,
    ...(at !== undefined && { node: at }),
  }),
  "run.cancelled": ({ reason }) => ({ tone: "bad", text: `cancelled${reason ? `: ${reason}` : ""}` }),
  "run.forked": ({ from }) => ({ tone: "plain", text: `began as ${from.run} was at event ${from.seq}` }),
  "plan.amended": ({ program }) => ({
    tone: "plain",
    text: `goes on with a changed definition, ${program.name}`,
  }),
  "state.updated": ({ patches, as }) => ({
    tone: "plain",
    text: `state changed from outside: ${patches.map(({ channel }) => channel).join(", ") || "a signal"}`,
    ...(as !== undefined && { node: as }),
  }),
  "step.opened": ({ step, tasks }, names) => ({
    tone: "plain",
    text: `step ${step}: ${allOf(
      tasks.map(({ node }) => node),
      names,
    )}`,
  }),
  "step.committed": ({ step, patches }) => ({
    tone: "detail",
    text: `step ${step} committed: ${patches.map(({ channel }) => channel).join(", ") || "no change"}`,
  }),
  "task.finished": ({ task }, names) => ({ tone: "detail", text: "finished", node: names.nodeOf(task) }),
  "task.failed": ({ task, attempt, failure, retryAt, at }, names) => ({
    tone: "bad",
    text: `attempt ${attempt} failed (${failure.code}): ${failure.message}${again(retryAt, at)}`,
    node: names.nodeOf(task),
  }),
  "task.asked": ({ task, questions }, names) => ({
    tone: "ask",
    text: questions.map(({ id, value }) => `asks${idIn(id, names)}: ${summary(value)}`).join("; "),
    node: names.nodeOf(task),
  }),
  "task.answered": ({ task, question, value }, names) => ({
    tone: "plain",
    text: `${names.naming === "ids" ? `${question} answered` : "is answered"}: ${summary(value)}`,
    node: names.nodeOf(task),
  }),
  "task.remembered": ({ task, key }, names) => ({
    tone: "detail",
    text: `${key} recorded`,
    node: names.nodeOf(task),
  }),
  "task.noted": ({ task, kind, data }, names) => ({
    ...tellNote(kind, data, (node) => names.nameOf(node)),
    node: names.nodeOf(task),
  }),
  "task.interrupted": ({ task, reason }, names) => ({
    tone: "bad",
    text: `interrupted: ${reason}`,
    node: names.nodeOf(task),
  }),
  "task.retried": ({ task }, names) => ({ tone: "plain", text: "tried again", node: names.nodeOf(task) }),
};

function allOf(nodes: readonly string[], names: NameBook): string {
  return nodes.map((node) => names.nameOf(node)).join(", ");
}

/** The id of a question, for whoever types it. */
function idIn(id: string, { naming }: NameBook): string {
  return naming === "ids" ? ` ${id}` : "";
}

function again(retryAt: number | undefined, now: number): string {
  return retryAt === undefined ? "" : `; tried again in ${Math.max(0, retryAt - now) / 1000} s`;
}

/** A question or an answer in one line: the text that a person is meant to read, else the JSON. */
export function summary(value: Json): string {
  if (typeof value === "string") return value;
  if (isJsonObject(value)) {
    const { title, prompt } = value;
    if (typeof title === "string" && typeof prompt === "string") return `${title}: ${prompt}`;
    for (const key of ["title", "question", "prompt", "message"]) {
      const text = value[key];
      if (typeof text === "string" && text !== "") return text;
    }
  }
  return JSON.stringify(value);
}
