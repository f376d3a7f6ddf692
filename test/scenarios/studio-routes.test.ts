/** Every route of the studio, on the complete example: it is started from a page, answered, looked at, forked and compared. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { AnswerOf } from "../../src/protocol/answers.ts";
import type { ErrorDocument } from "../../src/protocol/result.ts";
import { ROUTES } from "../../src/protocol/routes.ts";
import type {
  DefinitionDocument,
  FeedMessage,
  MomentDocument,
  RunDocument,
  StreamMessage,
} from "../../src/protocol/studio.ts";
import { inARow, program, ROOT } from "./cli-harness.ts";
import { messagesUntil, type Stage, studioOver } from "./studio-stage.ts";

const example = (name: string) =>
  readFileSync(join(ROOT, "examples", `graph-semantics-${name}.json`), "utf8");
const FILES = {
  "loadout.json": example("loadout"),
  "script.json": example("script"),
  "flows/team.json": {
    name: "team",
    nodes: { lead: { kind: "orchestrator" }, coder: { kind: "task" } },
    edges: [{ from: "lead", to: "coder" }],
  },
  "package.json": { name: "not-a-definition" },
};
const START = { definition: "loadout.json", task: "Greet people", script: "script.json" };
const code = ({ body }: { readonly body: ErrorDocument }) => body.error.code;

describe("a run from its start on a page to its end", () => {
  let stage: Stage;
  let run: string;
  let question: string;

  beforeAll(async () => {
    stage = await studioOver(FILES);
    const started = await stage.ask("POST", "/api/runs", START);
    expect(started).toMatchObject({ status: 200, body: { task: "Greet people", driver: "studio" } });
    run = started.body.run;
    const waiting = await stage.until(run, ({ status }) => status === "waiting");
    question = waiting.result.questions[0]!.id;
  });

  test("waits for a person, who is told by every list", async () => {
    const { body } = await stage.ask<AnswerOf<"questions">>("GET", "/api/questions");
    expect(body.questions).toMatchObject([{ run, id: question, isApproval: true, node: "Socket-4" }]);
    expect(body.questions[0]!.askedAt).toBeGreaterThan(0);
    const page = await stage.ask<AnswerOf<"runs">>(
      "GET",
      "/api/runs?status=waiting&search=PEOPLE&dialect=loadout",
    );
    expect(page.body).toMatchObject({ runs: [{ run, questions: 1 }], counts: { waiting: 1 }, next: null });
    expect((await stage.ask<AnswerOf<"runs">>("GET", "/api/runs?search=nothing-like-it")).body.runs).toEqual(
      [],
    );
    const document = (await stage.ask("GET", `/api/runs/${run}`)).body;
    expect(document).toMatchObject({
      waitsFor: { verb: "approve" },
      driver: "studio",
      request: { task: "Greet people" },
      definition: { entry: "Socket-1" },
      forkedFrom: null,
      children: [],
    });
  });

  test("an answer that does not fit is refused, and so is one to no question; nothing is recorded", async () => {
    const { seq } = (await stage.ask("GET", `/api/runs/${run}`)).body;
    const command = (body: unknown) => stage.ask<ErrorDocument>("POST", `/api/runs/${run}/commands`, body);
    const wrong = await command({ verb: "approve", question: "1/Socket-1:0" });
    expect([wrong.status, code(wrong)]).toEqual([404, "unknown_question"]);
    const unknown = await command({ verb: "aprove", question });
    expect([unknown.status, code(unknown)]).toEqual([400, "invalid_input"]);
    const extra = await command({ verb: "pause", reson: "x" });
    expect(extra.body.error.issues).toMatchObject([{ code: "unknown_field", pointer: "/reson" }]);
    expect((await stage.ask("GET", `/api/runs/${run}`)).body.seq).toBe(seq);
  });

  test("goes on with the answer, and its stream tells every event once", async () => {
    const stream = await stage.fetch(`/api/runs/${run}/stream`);
    const reading = messagesUntil(stream, (all) =>
      all.some((message) => message.type === "event" && message.event.type === "run.finished"),
    );
    const answered = await stage.ask("POST", `/api/runs/${run}/commands`, { verb: "approve", question });
    expect(answered.status).toBe(200);
    const { messages } = await reading;
    const seqs = messages.flatMap((message) => (message.type === "event" ? [message.event.seq] : []));
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
    expect(messages.filter(({ type }) => type === "caught_up")).toHaveLength(1);
    const done = await stage.until(run, ({ driver }) => driver === null);
    expect(done).toMatchObject({ status: "completed", seq: seqs.length, waitsFor: null });
    expect(done.because).toContain("the run ended");
    const late = await stage.ask<ErrorDocument>("POST", `/api/runs/${run}/commands`, {
      ...{ verb: "approve", question },
    });
    expect([late.status, code(late)]).toEqual([409, "already_answered"]);
  });

  test("is read page by page, and moment by moment", async () => {
    const first = (await stage.ask<AnswerOf<"events">>("GET", `/api/runs/${run}/events?limit=7`)).body;
    expect(first.events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    const rest = (await stage.ask<AnswerOf<"events">>("GET", `/api/runs/${run}/events?after=${first.next}`))
      .body;
    expect([rest.events[0]!.seq, rest.next]).toEqual([8, null]);
    const moments = `/api/runs/${run}/moments`;
    const committed = rest.events.findLast(({ type }) => type === "step.committed")!.seq;
    const before = (await stage.ask<MomentDocument>("GET", `${moments}/${committed - 1}`)).body;
    const after = (await stage.ask<MomentDocument>("GET", `${moments}/${committed}`)).body;
    expect(after.changes.length).toBeGreaterThan(0);
    expect(after.state).not.toEqual(before.state);
    expect((await stage.ask<MomentDocument>("GET", `${moments}/${committed - 1}`)).body).toEqual(before);
    expect((await stage.ask("GET", `${moments}/100000`)).status).toBe(404);
  });

  test("its texts are had by their hash alone", async () => {
    const { body } = await stage.ask<AnswerOf<"events">>("GET", `/api/runs/${run}/events`);
    const ref = /"ref":"(sha256:[0-9a-f]{64})"/.exec(JSON.stringify(body))![1];
    const response = await stage.fetch(`/api/texts/${ref}`);
    expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect((await response.text()).length).toBeGreaterThan(0);
    for (const wrong of [`sha256:${"0".repeat(64)}`, "sha256:x", "..%2Fbaton.db"]) {
      expect((await stage.fetch(`/api/texts/${wrong}`)).status).toBe(404);
    }
  });

  test("a fork has its past with the change, waits to be resumed, and can be compared", async () => {
    const { body: moment } = await stage.ask<MomentDocument>("GET", `/api/runs/${run}/moments/40`);
    const edit = [{ pointer: "/state/note", value: "from the page" }];
    const forked = (await stage.ask("POST", `/api/runs/${run}/forks`, { at: 40, edit })).body;
    expect(forked).toMatchObject({
      forkedFrom: { run, seq: 40 },
      driver: null,
      waitsFor: { verb: "resume" },
    });
    const { body: listed } = await stage.ask<AnswerOf<"runs">>("GET", "/api/runs?status=running");
    expect(listed.runs.find((line) => line.run === forked.run)?.driver).toBeNull();
    const { body } = await stage.ask<MomentDocument>("GET", `/api/runs/${forked.run}/moments/${forked.seq}`);
    expect(body.state["state"]).toEqual({ ...(moment.state["state"] as object), note: "from the page" });
    const { body: diff } = await stage.ask<AnswerOf<"diff">>("GET", `/api/runs/${run}/diff/${forked.run}`);
    expect(diff).toMatchObject({ identical: false, runs: [{ run }, { run: forked.run }] });
    const bad = { edit: [{ pointer: "note", value: 1 }] };
    expect((await stage.ask("POST", `/api/runs/${run}/forks`, bad)).status).toBe(422);
    const resumed = await stage.ask("POST", `/api/runs/${forked.run}/commands`, { verb: "resume" });
    expect(resumed.status).toBe(200);
    const waiting = await stage.until(forked.run, ({ status }) => status === "waiting");
    const cancelled = await stage.ask("POST", `/api/runs/${forked.run}/commands`, { verb: "cancel" });
    expect(cancelled.body).toMatchObject({ status: "cancelled", run: waiting.run });
  });

  test("past visits of nodes are found from the end, page by page", async () => {
    const path = `/api/runs/${run}/visits?node=Socket-4&node=Socket-5`;
    const { body } = await stage.ask<AnswerOf<"visits">>("GET", `${path}&limit=2`);
    expect(body.visits).toHaveLength(2);
    const [first, second] = body.visits;
    expect(first!.seq).toBeGreaterThan(second!.seq);
    expect(first!.texts.map(({ kind }) => kind)).toContain("sent");
    const rest = await stage.ask<AnswerOf<"visits">>("GET", `${path}&before=${body.next}`);
    expect(rest.body.visits.every(({ seq }) => seq < second!.seq)).toBe(true);
    expect(rest.body.next).toBeNull();
    for (const wrong of ["", "?node=Socket-4&limit=0", "?node=Socket-4&before=x"]) {
      expect((await stage.ask("GET", `/api/runs/${run}/visits${wrong}`)).status).toBe(400);
    }
  });

  test("the feed begins with how runs stand and tells what changes", async () => {
    const feed = await stage.fetch("/api/feed");
    const linesIn = (all: readonly FeedMessage[]) =>
      all.flatMap((message) => (message.type === "run" ? [message.line] : []));
    const reading = messagesUntil<FeedMessage>(feed, (all) =>
      linesIn(all).some(({ task }) => task === "Another"),
    );
    const { body } = await stage.ask("POST", "/api/runs", { ...START, task: "Another" });
    const { messages } = await reading;
    expect(linesIn(messages).map((line) => line.run)).toContain(run);
    await stage.until(body.run, ({ status }) => status === "waiting");
    await stage.ask("POST", `/api/runs/${body.run}/commands`, { verb: "cancel" });
  });

  test("no run was a fault of the studio's", () => expect(stage.faults).toEqual([]));
});

test("runs are listed page by page, each once, also when one changes in between", async () => {
  const stage = await studioOver({ "row.json": inARow({ one: program("console.log(1)") }) });
  const runs: string[] = [];
  for (let i = 0; i < 5; i++) {
    runs.unshift((await stage.ask("POST", "/api/runs", { definition: "row.json" })).body.run);
    await stage.until(runs[0]!, ({ status }) => status === "completed");
  }
  const seen: string[] = [];
  for (let cursor = ""; ; ) {
    const { body } = await stage.ask<AnswerOf<"runs">>(
      "GET",
      `/api/runs?limit=2&cursor=${encodeURIComponent(cursor)}`,
    );
    seen.push(...body.runs.map(({ run }) => run));
    if (body.next === null) break;
    cursor = body.next;
  }
  expect(seen).toEqual(runs);
  expect((await stage.ask("GET", "/api/runs?cursor=nonsense")).status).toBe(400);
  expect((await stage.ask("GET", "/api/runs?status=asleep")).status).toBe(400);
  expect((await stage.ask("GET", "/api/runs?limit=0")).status).toBe(400);
});

describe("definitions", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await studioOver({
      ...FILES,
      "graph.ts": 'import { StateGraph } from "batonjs";\nexport default new StateGraph({});\n',
      "node_modules/other/loadout.json": example("loadout"),
      ".hidden/loadout.json": example("loadout"),
    });
  });

  test("those of the project and of Baton are listed, and nothing else", async () => {
    const { body } = await stage.ask<AnswerOf<"definitions">>("GET", "/api/definitions");
    expect(body.definitions.map(({ path, kind }) => `${kind} ${path}`)).toEqual([
      ...["inbox flows/team.json", "module graph.ts", "loadout loadout.json"],
      ...["loadout bundled:Full-Auto", "loadout bundled:Planning-Consult"],
    ]);
  });

  test.each(["loadout.json", "flows/team.json", "graph.ts", "bundled:Full-Auto"])(
    "%s is read",
    async (path) => {
      const { body } = await stage.ask<DefinitionDocument>("GET", `/api/definitions/${path}`);
      expect(body).toMatchObject({ path, digest: expect.stringMatching(/^sha256:/) });
      expect(body.check?.ok ?? true).toBe(true);
      expect(body.drawing === null).toBe(path === "graph.ts");
    },
  );

  test("one is saved unless it changed since it was read; only definitions are written", async () => {
    const { body } = await stage.ask<DefinitionDocument>("GET", "/api/definitions/loadout.json");
    const text = body.text.replace("Graph-Semantics", "Renamed");
    const save = (path: string, change: object) =>
      stage.ask<ErrorDocument>("PUT", `/api/definitions/${path}`, { text, base: body.digest, ...change });
    expect((await save("loadout.json", {})).body).toMatchObject({ text, name: "Renamed" });
    expect(readFileSync(join(stage.folder, "loadout.json"), "utf8")).toBe(text);
    for (const base of [body.digest, null]) {
      const late = await save("loadout.json", { text: body.text, base });
      expect([late.status, code(late)]).toEqual([409, "conflict"]);
    }
    expect(readFileSync(join(stage.folder, "loadout.json"), "utf8")).toBe(text);
    expect((await save("flows/new.json", { base: null })).status).toBe(200);
    expect((await save("gone.json", {})).status).toBe(409);
    for (const [path, change] of [
      ["package.json", { base: null }],
      ["loadout.ts", { base: null }],
      ["other.json", { base: null, text: '{"name": "x"}' }],
      ["missing/other.json", { base: null }],
    ] as const) {
      expect((await save(path, change)).status).toBeGreaterThanOrEqual(400);
    }
    expect(readFileSync(join(stage.folder, "package.json"), "utf8")).toContain("not-a-definition");
  });

  test("of two who save what both have read, one wins and the other is told; bytes that are no text stay", async () => {
    const { body } = await stage.ask<DefinitionDocument>("GET", "/api/definitions/flows/team.json");
    const save = (name: string) =>
      stage.ask("PUT", "/api/definitions/flows/team.json", {
        ...{ base: body.digest, text: body.text.replace("team", name) },
      });
    const statuses = (await Promise.all([save("one"), save("two"), save("three")])).map(
      ({ status }) => status,
    );
    expect(statuses.sort()).toEqual([200, 409, 409]);
    const bytes = Buffer.concat([
      Buffer.from('{"sockets": {"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('": {}}}'),
    ]);
    writeFileSync(join(stage.folder, "latin.json"), bytes);
    for (const base of [null, `sha256:${"0".repeat(64)}`]) {
      const saved = await stage.ask("PUT", "/api/definitions/latin.json", { base, text: body.text });
      expect(saved.status).toBe(422);
    }
    expect(readFileSync(join(stage.folder, "latin.json"))).toEqual(bytes);
  });

  test("a text is checked and played without being saved", async () => {
    const { body } = await stage.ask<AnswerOf<"check">>("POST", "/api/check", { text: example("loadout") });
    expect(body).toMatchObject({ ok: true, termination: { verdict: "terminates" } });
    const broken = await stage.ask<AnswerOf<"check">>("POST", "/api/check", { text: "{" });
    expect(broken.body).toMatchObject({ ok: false, errors: [{ code: "unreadable" }] });
    const played = { text: example("loadout"), runs: 5, seed: 7 };
    const [one, two] = [
      await stage.ask("POST", "/api/simulate", played),
      await stage.ask("POST", "/api/simulate", played),
    ];
    expect(one).toMatchObject({ status: 200, body: { runs: 5, ok: true } });
    expect(two).toEqual(one);
    expect((await stage.ask("POST", "/api/simulate", { text: "{}" })).status).toBe(422);
    const long = stage.ask("POST", "/api/simulate", { ...played, runs: 1000 });
    const first = await Promise.race([long, stage.ask("GET", "/api/project")]);
    expect(first.body).toHaveProperty("folder"); // nobody waits for it
    expect((await long).body).toMatchObject({ runs: 1000 });
  });

  test("a start that cannot be is refused before anything is recorded", async () => {
    const start = (body: object) => stage.ask<ErrorDocument>("POST", "/api/runs", body);
    expect((await start({ definition: "missing.json" })).status).toBe(404);
    expect(code(await start({ definition: "bundled:Nothing", task: "x" }))).toBe("invalid_definition");
    expect(code(await start({ definition: "flows/team.json", agent: "nobody-like-it" }))).not.toBe(
      "internal",
    );
    expect(code(await start({ definition: "loadout.json", task: "x" }))).toBe("no_agent");
    expect(code(await start({ ...START, messages: [{ node: "a", text: "b" }] }))).toBe("usage");
    expect((await stage.ask<AnswerOf<"runs">>("GET", "/api/runs")).body.runs).toEqual([]);
  });
});

test("the OpenAPI document names every route, with the shape of what it takes", async () => {
  const stage = await studioOver();
  const { body } = await stage.ask<{
    openapi: string;
    paths: Record<string, Record<string, { operationId: string; requestBody?: object }>>;
  }>("GET", "/api/openapi.json");
  expect(body.openapi).toBe("3.1.0");
  const operations = Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, requestBody }]) => {
      const route = ROUTES[operationId as keyof typeof ROUTES];
      expect([method.toUpperCase(), path]).toEqual([
        route.method,
        route.path.replace(/:(\w+)/g, "{$1}").replace("*", "{path}"),
      ]);
      expect(requestBody !== undefined).toBe(route.method !== "GET");
      return operationId;
    }),
  );
  expect(operations.sort()).toEqual(Object.keys(ROUTES).sort());
});

test.each(["a/b", "parent/3/node~key", "a%b", "a%2Fb", "ä b?c#d", "..", "__proto__"])(
  "the id %s is one part of a path, whatever is in it",
  async (run) => {
    const stage = await studioOver();
    for (const rest of ["", "/events", "/moments/1"]) {
      const { body } = await stage.ask<ErrorDocument>("GET", `/api/runs/${encodeURIComponent(run)}${rest}`);
      // Two dots are taken away by whoever makes the address, and what is left is another route.
      const said = run === ".." ? "There is no such route" : `There is no run ${run}.`;
      expect(body.error.message).toContain(said);
    }
  },
);

test("a stream of a run ends with the studio, and one of no run is refused", async () => {
  const stage = await studioOver({ "row.json": inARow({ one: program("console.log(1)") }) });
  expect((await stage.fetch("/api/runs/nobody/stream")).status).toBe(404);
  const { body } = await stage.ask<RunDocument>("POST", "/api/runs", { definition: "row.json" });
  const stream = await stage.fetch(`/api/runs/${body.run}/stream`);
  const feed = await stage.fetch("/api/feed");
  const reading = Promise.all([messagesUntil<StreamMessage>(stream, () => false), feed.text()]);
  await stage.until(body.run, ({ status }) => status === "completed");
  stage.stop();
  const [{ messages }] = await reading;
  expect(messages.at(0)).toMatchObject({ type: "event", event: { seq: 1 } });
  expect((await stage.ask("GET", "/api/project")).status).toBe(503);
});
