import { describe, expect, test } from "vitest";
import type { Json } from "../base/json.ts";
import type { QuestionId, RunId, TaskId } from "../base/names.ts";
import type { Event, Fact } from "../kernel/event.ts";
import { tellNote } from "./notes.ts";
import { QuestionsView } from "./questions.ts";
import { Timeline } from "./timeline.ts";
import { summary, Transcript } from "./transcript.ts";

const task = "1/a" as TaskId;
const question = "1/a:0" as QuestionId;
const opened: Fact = { type: "step.opened", step: 1, tasks: [{ task, node: "a" }] };
const asked: Fact = { type: "task.asked", task, questions: [{ id: question, value: { title: "May I?" } }] };
const answered: Fact = { type: "task.answered", task, question, value: true };
const finished: Fact = { type: "task.finished", task, writes: [], route: [] };
const committed: Fact = { type: "step.committed", step: 1, ran: [task], patches: [] };

/** Facts as a log has them, a second apart. */
const log = (...facts: Fact[]): Event[] =>
  facts.map((fact, index) => ({ ...fact, run: "r" as RunId, seq: index + 1, at: index * 1000 }));

describe("the transcript", () => {
  const told = (...facts: Fact[]) => {
    const transcript = new Transcript();
    return log(...facts).map((event) => transcript.tell(event));
  };

  test("tells every event in one line with its place and node", () => {
    expect(told(opened, asked, answered, finished, committed)).toEqual([
      { seq: 1, at: 0, tone: "plain", text: "step 1: a" },
      { seq: 2, at: 1000, tone: "ask", node: "a", text: "asks 1/a:0: May I?" },
      { seq: 3, at: 2000, tone: "plain", node: "a", text: "1/a:0 answered: true" },
      { seq: 4, at: 3000, tone: "detail", node: "a", text: "finished" },
      { seq: 5, at: 4000, tone: "detail", text: "step 1 committed: no change" },
    ]);
  });

  test("says what people see in place of the ids that commands take, where it is asked to", () => {
    const drawing = {
      nodes: [
        { id: "a", label: "Build" },
        { id: "b", label: "Check" },
      ],
    };
    const started = {
      ...{ type: "run.started", program: { dialect: "loadout", name: "Two", revision: "1" } },
      ...{ plan: { drawing }, patches: [], route: [] },
    } as unknown as Fact; // of a plan, only the drawing is read
    const routed: Fact = {
      ...{ type: "task.noted", task, kind: "loadout.routed" },
      data: { chosen: { via: "edge", to: "b", when: "always" }, satisfied: null },
    };
    const lines = (naming: "ids" | "labels") => {
      const transcript = new Transcript(naming);
      return log(started, opened, asked, answered, routed).map((event) => transcript.tell(event)?.text);
    };
    expect(lines("ids").slice(1)).toEqual([
      "Build",
      "asks 1/a:0: May I?",
      "1/a:0 answered: true",
      "→ b: always",
    ]);
    expect(lines("labels").slice(1)).toEqual([
      ...["begins", "asks: May I?", "is answered: true", "→ Check: always"],
    ]);
  });

  test("says when a failed task is tried again", () => {
    const failure = { code: "timeout", message: "Too slow.", retryable: true } as const;
    const [, line] = told(opened, { type: "task.failed", task, attempt: 1, failure, retryAt: 3000 });
    expect(line?.text).toBe("attempt 1 failed (timeout): Too slow.; tried again in 2 s");
  });

  test("knows the node of a task whose step it has not seen", () => {
    const [line] = told({ type: "task.retried", task: "7/write#2" as TaskId });
    expect(line?.node).toBe("write");
  });
});

describe("a note", () => {
  const rows: [kind: string, data: Json, tone: string, text: string][] = [
    ["loadout.entered", { label: "Build", item: "WI-1", title: "Do it" }, "plain", "Build on WI-1, Do it"],
    [
      "loadout.routed",
      { chosen: { via: "edge", to: "S-2", when: "satisfied" }, satisfied: true, enters: { item: "WI-2" } },
      "plain",
      "→ S-2 (WI-2): satisfied is true",
    ],
    [
      "loadout.routed",
      { chosen: { via: "exit", to: "end", loop: "items" }, satisfied: null },
      "plain",
      "→ end: all items of items are done",
    ],
    ["loadout.rework", { to: "S-1", reason: "Half done" }, "bad", "sends it back to S-1: Half done"],
    ["my.kind", { message: "Half way" }, "plain", "Half way"],
    ["my.kind", { percent: 50 }, "detail", 'my.kind {"percent":50}'],
    ["toString", null, "detail", "toString null"],
  ];
  test.each(rows)("%s %j", (kind, data, tone, text) => {
    expect(tellNote(kind, data)).toEqual({ tone, text });
  });
});

test("a question is summed up by the text that a person is meant to read", () => {
  expect(summary("Which?")).toBe("Which?");
  expect(summary({ kind: "human", prompt: "How many?" })).toBe("How many?");
  expect(summary([1])).toBe("[1]");
});

test("questions keep their node and get their answer", () => {
  const view = new QuestionsView();
  for (const event of log(opened, asked)) view.fold(event);
  expect(view.all).toEqual([{ id: question, node: "a", value: { title: "May I?" }, askedAt: 1000 }]);
  for (const event of log(opened, asked, answered).slice(2)) view.fold(event);
  expect(view.all[0]?.answer).toEqual({ value: true, at: 2000 });
});

test("a span goes from opening to settling, through asking and working again", () => {
  const timeline = new Timeline();
  const [open, ask, answer, finish] = log(opened, asked, answered, finished) as [Event, Event, Event, Event];
  for (const event of [open, ask]) timeline.fold(event);
  expect(timeline.live).toMatchObject([{ node: "a", openedAt: 0, since: 1000, status: "asking" }]);
  timeline.fold(answer);
  expect(timeline.live).toMatchObject([{ since: 2000, status: "running" }]);
  timeline.fold(finish);
  expect(timeline.live).toEqual([]);
  expect(timeline.spans).toMatchObject([{ openedAt: 0, settledAt: 3000, status: "finished" }]);
});
