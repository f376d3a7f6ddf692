/** The verbs that a page has for runs: each is recorded as the command line records it, and the run goes on by itself. */
import { describe, expect, test } from "vitest";
import type { AnswerOf } from "../../src/protocol/answers.ts";
import type { RunVerb } from "../../src/protocol/requests.ts";
import type { ErrorDocument } from "../../src/protocol/result.ts";
import type { RunDocument, StreamMessage } from "../../src/protocol/studio.ts";
import { AGENT, inARow } from "./cli-harness.ts";
import { messagesUntil, type Stage, studioOver } from "./studio-stage.ts";

const say = (text: string, more: object = {}) => ({ $: "turn", text, ...more });
const to = (node: string, message: string) => ({ sends: [{ to: node, message }] });
const FILES = {
  "pair.json": {
    name: "pair",
    nodes: { lead: { kind: "orchestrator" }, coder: { kind: "task" } },
    edges: [{ from: "lead", to: "coder" }],
  },
  "hands.json": { lead: [say("Off.", to("coder", "Build it.")), "Thank you.", "Again."], coder: ["Built."] },
  "fails.json": {
    lead: [say("Off.", to("coder", "Build it."))],
    coder: [say("", { fail: "No disk." }), "Built."],
  },
  "asks.json": {
    lead: [say("Sent.", { ask: { title: "Send it?", args: {} }, ...to("coder", "Go.") }), "As you like."],
    coder: ["Ok."],
  },
  "slow.json": { lead: [say("Late.", { delayMs: 20_000 }), "Again."], coder: ["?"] },
  "row.json": inARow({ slow: AGENT, last: AGENT }),
  "row-script.json": { slow: [say("One.", { delayMs: 400 })], last: ["Two."] },
};

const start = async (stage: Stage, script: string): Promise<string> => {
  const messages = [{ node: "lead", text: "Begin." }];
  return (await stage.ask("POST", "/api/runs", { definition: "pair.json", script, messages })).body.run;
};
const command = <T = RunDocument>(stage: Stage, run: string, verb: RunVerb) =>
  stage.ask<T>("POST", `/api/runs/${run}/commands`, verb);
const turns = ({ result }: RunDocument) => result.turns.map(({ node, status }) => `${node} ${status}`);

const PERSON = (schema?: object) => ({ type: "human", prompt: "Good?", ...(schema && { schema }) });
const BY_DECISION = [
  { when: "satisfied", to: "Socket-2" },
  { when: "not_satisfied", to: "Socket-3" },
];
const DECIDED = {
  name: "decided",
  entry: "Socket-1",
  sockets: {
    "Socket-1": { materia: "Person", parse: "json", edges: BY_DECISION },
    ...{ "Socket-2": { materia: "Agent" }, "Socket-3": { materia: "Agent" } },
  },
};

test.each([
  ["goes on by a decision", DECIDED, PERSON(), true],
  ["has no schema", inARow({ person: PERSON() }), undefined, true],
  ["wants fields", inARow({ person: PERSON({ type: "object", required: ["a"] }) }, "json"), undefined, false],
] as const)("a person's socket that %s takes yes and no: %#", async (_, loadout, person, isDecision) => {
  const own = person && { materia: { Person: person, Agent: AGENT } };
  const stage = await studioOver({ "it.json": { ...loadout, ...own }, "it-script.json": {} });
  const start = { definition: "it.json", script: "it-script.json", yes: true };
  const { run } = (await stage.ask<RunDocument>("POST", "/api/runs", start)).body;
  const { waitsFor } = await stage.until(run, ({ status }) => status === "waiting");
  expect(waitsFor?.verb).toBe(isDecision ? "approve" : "answer");
  const [asked] = (await stage.ask<AnswerOf<"questions">>("GET", "/api/questions")).body.questions;
  expect(asked).toMatchObject({ isDecision, isApproval: false });
});

describe("an inbox graph", () => {
  test("is written to, also when it is over, and takes it up", async () => {
    const stage = await studioOver(FILES);
    const run = await start(stage, "hands.json");
    const first = await stage.until(run, ({ driver }) => driver === null);
    expect(first.task).toBe("Begin.");
    const { status } = await command(stage, run, { verb: "send", node: "lead", text: "One more thing." });
    expect(status).toBe(200);
    const second = await stage.until(run, (now) => now.driver === null && now.seq > first.seq);
    expect(turns(second).length).toBeGreaterThan(turns(first).length);
    const wrong = await command<ErrorDocument>(stage, run, { verb: "send", node: "boss", text: "Hi" });
    expect(wrong).toMatchObject({ status: 404, body: { error: { code: "unknown_node" } } });
    expect(stage.faults).toEqual([]);
  });

  test("is denied what it asks for, bound to what was shown, and told why", async () => {
    const stage = await studioOver(FILES);
    const run = await start(stage, "asks.json");
    const { result } = await stage.until(run, ({ status }) => status === "waiting");
    const { id, value } = result.questions[0]!;
    const { digest } = value as { readonly digest: string };
    const stale = { approved: true, digest: `sha256:${"0".repeat(64)}` };
    const refused = await command<ErrorDocument>(stage, run, { verb: "answer", question: id, value: stale });
    expect(refused).toMatchObject({ status: 422, body: { error: { code: "invalid_value" } } });
    await command(stage, run, { verb: "deny", question: id, reason: "Not on a Friday" });
    const done = await stage.until(run, ({ driver }) => driver === null);
    const events = (await stage.ask<AnswerOf<"events">>("GET", `/api/runs/${run}/events`)).body.events;
    expect(events.find(({ type }) => type === "task.answered")).toMatchObject({
      value: { approved: false, reason: "Not on a Friday", digest },
    });
    expect(done.result.deliveries).toEqual([]);
  });

  test("takes no answer to a question that is not the one that was shown", async () => {
    const stage = await studioOver(FILES);
    const run = await start(stage, "asks.json");
    await stage.until(run, ({ status }) => status === "waiting");
    const [asked] = (await stage.ask<AnswerOf<"questions">>("GET", "/api/questions")).body.questions;
    const { id: question = "", digest = "" } = asked ?? {};
    expect(asked).toMatchObject({ isApproval: true, isDecision: true, task: "Begin." });
    const before = await stage.ask<RunDocument>("GET", `/api/runs/${run}`);
    const late = await command<ErrorDocument>(stage, run, {
      ...{ verb: "approve", question, digest: `sha256:${"0".repeat(64)}` },
    });
    expect(late).toMatchObject({ status: 409, body: { error: { code: "changed" } } });
    expect((await stage.ask<RunDocument>("GET", `/api/runs/${run}`)).body.seq).toBe(before.body.seq);
    expect((await command(stage, run, { verb: "approve", question, digest })).status).toBe(200);
    expect(stage.faults).toEqual([]);
  });

  test("has a turn interrupted at once, and a failed node tried again", async () => {
    const stage = await studioOver(FILES);
    const slow = await start(stage, "slow.json");
    await stage.until(slow, (now) => turns(now).includes("lead running"));
    expect((await command(stage, slow, { verb: "interrupt", node: "lead" })).status).toBe(200);
    const interrupted = await stage.until(slow, (now) => !turns(now).includes("lead running"));
    expect(turns(interrupted)[0]).toBe("lead interrupted");
    await command(stage, slow, { verb: "cancel" });

    const fails = await start(stage, "fails.json");
    await stage.until(fails, ({ result }) => result.nodes["coder"]?.status === "failed");
    const nothing = await command<ErrorDocument>(stage, fails, { verb: "retry", node: "lead" });
    expect(nothing).toMatchObject({ status: 409, body: { error: { code: "wrong_state" } } });
    expect((await command(stage, fails, { verb: "retry" })).status).toBe(200);
    const again = await stage.until(fails, (now) => turns(now).includes("coder completed"));
    expect(again.result.nodes["coder"]?.status).not.toBe("failed");
  });

  test("has its graph changed while it runs; a change that does not fit changes nothing", async () => {
    const stage = await studioOver(FILES);
    const run = await start(stage, "asks.json");
    const { seq, definition } = await stage.until(run, ({ status }) => status === "waiting");
    const add = { type: "set_node", id: "judge", node: { kind: "verifier" } };
    const edit = (...edits: object[]) =>
      command<RunDocument & ErrorDocument>(stage, run, { verb: "edit", edits: edits as never });
    for (const wrong of [{ type: "set_node" }, { type: "remove_node", id: "nobody" }, { type: "explode" }]) {
      const refused = await edit(wrong);
      expect(refused).toMatchObject({ status: 422, body: { error: { code: "invalid_definition" } } });
      expect(refused.body.error.issues?.length).toBeGreaterThan(0);
    }
    expect((await stage.ask("GET", `/api/runs/${run}`)).body).toMatchObject({ seq, definition });
    const edited = await edit(add);
    expect(edited).toMatchObject({
      status: 200,
      body: { definition: { nodes: { judge: { kind: "verifier" } } } },
    });
    expect(JSON.stringify(edited.body.drawing)).toContain("judge");
    await command(stage, run, { verb: "cancel" });
  });
});

describe("a loadout", () => {
  test("is paused and gone on with, under a budget of its own", async () => {
    const stage = await studioOver(FILES);
    const request = {
      definition: "row.json",
      task: "Go",
      script: "row-script.json",
      budget: { maxTokens: 5000 },
    };
    const { run } = (await stage.ask("POST", "/api/runs", request)).body;
    expect((await command(stage, run, { verb: "pause" })).body).toMatchObject({ status: "paused" });
    const paused = await stage.until(run, ({ driver }) => driver === null);
    expect(paused).toMatchObject({ budget: { maxTokens: 5000 }, waitsFor: { verb: "resume" } });
    expect((await command(stage, run, { verb: "pause" })).status).toBe(409);
    await command(stage, run, { verb: "resume", budget: { maxTokens: 9000 } });
    const done = await stage.until(run, ({ status }) => status === "completed");
    expect(done.budget.maxTokens).toBe(9000);
    expect((await command(stage, run, { verb: "resume" })).status).toBe(409);
    const graph = await command<ErrorDocument>(stage, run, { verb: "edit", edits: [{ type: "set" }] });
    expect(graph.body.error.code).toBe("not_supported");
  });

  test("that is paused and resumed while its turn is in hand goes on without a second driver", async () => {
    const stage = await studioOver(FILES);
    const request = { definition: "row.json", task: "Go", script: "row-script.json" };
    const { run } = (await stage.ask("POST", "/api/runs", request)).body;
    await command(stage, run, { verb: "pause" });
    expect((await command(stage, run, { verb: "resume" })).status).toBe(200);
    const done = await stage.until(run, ({ driver, status }) => status === "completed" && driver === null);
    expect(done.result.path).toEqual(["Socket-1", "Socket-2"]);
    expect(stage.faults).toEqual([]);
  });

  test("is streamed with who drives it, from the beginning to when nobody has to", async () => {
    const stage = await studioOver(FILES);
    const request = { definition: "row.json", task: "Go", script: "row-script.json" };
    const { run } = (await stage.ask("POST", "/api/runs", request)).body;
    const stream = await stage.fetch(`/api/runs/${run}/stream`);
    const { messages } = await messagesUntil<StreamMessage>(stream, (all) => {
      return all.some((message) => message.type === "driver" && message.driver === null);
    });
    const drivers = messages.flatMap((message) => (message.type === "driver" ? [message.driver] : []));
    expect(drivers).toEqual(["studio", null]);
    const seqs = messages.flatMap((message) => (message.type === "event" ? [message.event.seq] : []));
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
  });

  test("many at once are driven in turns, and all of them end", async () => {
    const stage = await studioOver({
      "row.json": inARow({ one: AGENT }),
      "s.json": { one: [say("1", { delayMs: 100 })] },
    });
    const starts = Array.from({ length: 20 }, (_, index) =>
      stage.ask("POST", "/api/runs", { definition: "row.json", task: `${index}`, script: "s.json" }),
    );
    for (const { body } of await Promise.all(starts)) {
      await stage.until(body.run, ({ status, driver }) => status === "completed" && driver === null);
    }
    const { body } = await stage.ask<AnswerOf<"runs">>("GET", "/api/runs");
    expect(body.counts).toEqual({ completed: 20 });
    expect(stage.faults).toEqual([]);
  });
});
