/** A person answers by keyboard and by form; an answer never goes to another question than the one that was read. */

import { describe, expect, test } from "vitest";
import type { EventsPage } from "../../src/protocol/answers.ts";
import type { QuestionDocument, RunDocument } from "../../src/protocol/studio.ts";
import { CHROMIUM, Studio } from "./studio.ts";

const FIELDS = ["channel", "copies", "isUrgent", "tags"];

const LOADOUT = {
  name: "Questions",
  entry: "Socket-1",
  sockets: {
    "Socket-1": {
      materia: "Choose",
      parse: "json",
      assign: Object.fromEntries(FIELDS.map((name) => [name, `$.${name}`])),
      edges: [{ when: "always", to: "Socket-2" }],
    },
    "Socket-2": { materia: "Write" },
  },
  materia: {
    Choose: {
      type: "human",
      prompt: "Where and when?",
      schema: {
        type: "object",
        properties: {
          channel: { enum: ["blog", "list"] },
          copies: { type: "integer" },
          isUrgent: { type: "boolean" },
          tags: { type: "array", items: { type: "string" } },
        },
        required: FIELDS,
        additionalProperties: false,
      },
    },
    Write: { tools: "coding", prompt: "Write it." },
  },
};

const SCRIPT = {
  "Socket-2": [{ $: "turn", text: "done", ask: { title: "Run it", args: { command: "rm -r build" } } }],
};

describe.skipIf(CHROMIUM === undefined)("the approvals", () => {
  test("take an answer from a form, and a denial with its reason", { timeout: 240_000 }, async () => {
    const studio = await Studio.open([], { "ask.json": LOADOUT, "ask-script.json": SCRIPT });
    const { run } = await studio.ask<RunDocument>("/api/runs", {
      ...{ definition: "ask.json", script: "ask-script.json", task: "Go", yes: true },
    });
    const shown = await studio.page("/approvals");
    const { page } = shown;
    await page.getByRole("heading", { name: /Where and when/ }).waitFor();
    await page.keyboard.press("e");
    await page.getByLabel("channel").selectOption("list");
    await page.getByLabel("copies").fill("3");
    await page.getByRole("button", { name: "Add one" }).click();
    await page.getByLabel("1", { exact: true }).fill("news");
    await page.getByRole("button", { name: "Answer" }).click();

    await page.getByRole("heading", { name: "Run it" }).waitFor();
    await page.getByText("rm -r build").waitFor();
    await page.keyboard.press("d");
    await page.keyboard.type("Too much");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Nobody waits for you").waitFor();

    const { events } = await studio.ask<EventsPage>(`/api/runs/${run}/events?limit=500`);
    const answers = events.flatMap((event) => (event.type === "task.answered" ? [event.value] : []));
    expect(answers).toEqual([
      { channel: "list", copies: 3, isUrgent: false, tags: ["news"] },
      { approved: false, reason: "Too much" },
    ]);
    expect(shown.faults).toEqual([]);
  });

  test("ask again when a question changed under the reader", { timeout: 240_000 }, async () => {
    const studio = await Studio.open([], { "ask.json": LOADOUT, "ask-script.json": SCRIPT });
    const { run } = await studio.ask<RunDocument>("/api/runs", {
      ...{ definition: "ask.json", script: "ask-script.json", task: "Go", yes: true },
    });
    const value = { channel: "blog", copies: 1, isUrgent: false, tags: [] };
    await studio.ask(`/api/runs/${run}/commands`, { verb: "answer", question: "1/Socket-1:0", value });
    const { page } = await studio.page("/runs");
    let command = "rm -r build";
    await page.route("**/api/questions", async (route) => {
      const response = await route.fetch();
      const { questions } = (await response.json()) as { questions: readonly QuestionDocument[] };
      const changed = questions.map((question) => ({
        ...question,
        digest: `sha256:${command}`,
        value: { kind: "approval", title: "Run it", args: { command } },
      }));
      await route.fulfill({ response, json: { questions: changed } });
    });
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/commands")) sent.push(request.url());
    });
    await page.getByRole("link", { name: /Approvals/ }).click();
    await page.getByText("rm -r build").waitFor();
    command = "rm -r /";
    await studio.ask("/api/runs", {
      definition: "ask.json",
      script: "ask-script.json",
      task: "Two",
      yes: true,
    });
    await page.getByText("This question changed while it was open").waitFor();
    await page.getByText("rm -r /", { exact: true }).first().waitFor();
    await page.keyboard.press("a");
    await page.waitForTimeout(300);
    expect(sent).toEqual([]);
    await page.getByRole("button", { name: "I have read it" }).click();
    await page.keyboard.press("a");
    await expect.poll(() => sent.length).toBe(1);
    // What the page was shown is not what the run asks: the studio refuses it too, and the run waits on.
    await page.getByText("is not the one that was shown").waitFor();
    const { status } = await studio.ask<RunDocument>(`/api/runs/${run}`);
    expect(status).toBe("waiting");
  });
});
