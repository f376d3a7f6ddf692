/** Real agents, installed from npm at exact versions, take the turns of a loadout against a fake model on loopback. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Agent } from "../../src/agent/agent.ts";
import type { Json } from "../../src/base/json.ts";
import { runId } from "../../src/base/names.ts";
import { LocalRun } from "../../src/engines/local.ts";
import { MemoryJournal } from "../../src/journals/memory.ts";
import { openQuestions } from "../../src/kernel/state.ts";
import { compileLoadout, readLoadout, startLoadout } from "../../src/loadout.ts";
import type { AcpAgent } from "../../src/providers/acp/acp-agent.ts";
import { LocalCommands } from "../../src/providers/command/local-commands.ts";
import { type Step, scripted } from "../fixtures/fake-model/script.ts";
import { installAgents } from "./install.ts";
import { type AgentName, Stand } from "./stand.ts";

const isWanted = process.env["BATON_SKIP_AGENTS"] !== "1";
const installed = isWanted ? await installAgents() : { ok: false as const, why: "BATON_SKIP_AGENTS is set." };
if (!installed.ok && isWanted && process.env["CI"]) throw new Error(installed.why);
if (!installed.ok) console.warn(`The tests with real agents are skipped. ${installed.why}`);

const RUN = runId("agents");

/** One socket after the other, each with a script for its model. */
function chain(...scripts: readonly (readonly Step[])[]): Json {
  const sockets = scripts.map((_, index) => {
    const next = index + 1 < scripts.length ? { edges: [{ when: "always", to: `S${index + 2}` }] } : {};
    return [`S${index + 1}`, { materia: `M${index + 1}`, ...next }];
  });
  const materia = scripts.map((steps, index) => [
    `M${index + 1}`,
    { prompt: scripted(...steps), tools: "coding" },
  ]);
  return { entry: "S1", sockets: Object.fromEntries(sockets), materia: Object.fromEntries(materia) };
}

/** A run of a loadout in which one agent takes all turns. */
class Performance {
  readonly journal = new MemoryJournal();
  readonly #loadout: Json;
  readonly #cwd: string;

  constructor(loadout: Json, cwd: string) {
    this.#loadout = loadout;
    this.#cwd = cwd;
  }

  /** Opens the run as another process would: from the journal alone. */
  async open(agent: Agent): Promise<LocalRun> {
    const read = readLoadout(this.#loadout);
    if (!read.ok) throw new Error(JSON.stringify(read.errors));
    const commands = new LocalCommands({ cwd: this.#cwd });
    const ports = {
      agent: () => agent,
      commands,
      utility: () => undefined,
      cwd: this.#cwd,
      runDir: this.#cwd,
    };
    const program = compileLoadout(read.definition, ports);
    const run = await LocalRun.open(program, this.journal, RUN);
    if (run.ledger.state.status === "new") await run.send(startLoadout(read.definition, "Do it."));
    return run;
  }

  async drive(agent: Agent): Promise<Standing> {
    const run = await this.open(agent);
    await run.drive();
    return this.standing(run);
  }

  async answer(agent: Agent, value: Json): Promise<Standing> {
    const run = await this.open(agent);
    await run.send({ type: "answer", value });
    await run.drive();
    return this.standing(run);
  }

  async standing({ ledger: { state } }: LocalRun): Promise<Standing> {
    const events = await this.journal.read(RUN, 0);
    const turns = events.filter((event) => event.type === "task.remembered" && event.key.startsWith("turn:"));
    const last = turns.at(-1);
    const ref =
      last?.type === "task.remembered" ? (last.value as { readonly text?: string }).text : undefined;
    const output = ref === undefined ? undefined : await this.journal.text(ref);
    const questions = openQuestions(state).map(({ question }) => question.value);
    return { status: state.status, questions, output, message: state.message };
  }
}

interface Standing {
  readonly status: string;
  readonly questions: readonly Json[];
  /** What the last turn ended with. */
  readonly output: string | undefined;
  readonly message: string | undefined;
}

describe.runIf(installed.ok).each<AgentName>(["goose", "opencode"])("%s", { timeout: 60_000 }, (name) => {
  let stand: Stand;
  let agent: AcpAgent;
  beforeAll(async () => {
    if (!installed.ok) throw new Error(installed.why);
    stand = await Stand.open(name, installed.program(name));
    agent = stand.agent();
  });
  afterAll(() => stand.close());

  test("a file is written after an approval, and another one is not after a denial", async () => {
    const { cwd, recipe } = stand;
    const loadout = chain(
      [{ thought: "I write.", ...recipe.write(join(cwd, "yes.txt"), "yes\n") }, { text: "Written." }],
      [recipe.write(join(cwd, "no.txt"), "no\n"), { text: "Not written." }],
    );
    const play = new Performance(loadout, cwd);
    const first = await play.drive(agent);
    expect(first.questions).toMatchObject([{ kind: "approval", args: { kind: "edit", paths: ["yes.txt"] } }]);
    expect(existsSync(join(cwd, "yes.txt"))).toBe(false);
    const second = await play.answer(agent, { approved: true });
    expect(readFileSync(join(cwd, "yes.txt"), "utf8")).toBe("yes\n");
    expect(second.questions).toMatchObject([{ kind: "approval", args: { paths: ["no.txt"] } }]);
    expect(await play.answer(agent, { approved: false })).toMatchObject({
      ...{ status: "completed", questions: [], output: "Not written." },
    });
    expect(existsSync(join(cwd, "no.txt"))).toBe(false);
  });

  test("an error of the model is a failure, also when the agent ends well", async () => {
    const turn = await agent.turn(request(scripted({ error: { status: 400, message: "No such thing." } })));
    expect(turn).toMatchObject({ kind: "failed", failure: { code: "agent_failed" } });
    expect(JSON.stringify(turn)).toContain("No such thing.");
    expect(stand.model.asked.length).toBeGreaterThan(0);
  });

  test("a turn is cancelled in mid-stream, and the session goes on", async () => {
    const stop = new AbortController();
    const { aborted } = stand.model;
    const said: string[] = [];
    const cancelled = await agent.turn({
      ...request(scripted({ text: "one two three four", chunks: 18, delayMs: 150 })),
      signal: stop.signal,
      progress: (chunk) => {
        if (chunk.kind !== "text") return;
        said.push(chunk.text);
        stop.abort();
      },
    });
    expect(cancelled).toMatchObject({ kind: "failed", failure: { message: "The turn was stopped." } });
    expect(said.join("").length).toBeLessThan("one two three four".length);
    await expect.poll(() => stand.model.aborted - aborted, { timeout: 5000 }).toBeGreaterThan(0);
    const cursor = cancelled.kind === "failed" ? cancelled.cursor : undefined;
    const next = { ...request(scripted({ text: "Again." })), idempotencyKey: "2", ...(cursor && { cursor }) };
    expect(await agent.turn(next)).toMatchObject({ kind: "done", text: "Again.", cursor: idOf(cursor) });
  });

  test("the agent is killed while a person decides; the decision still counts, in the same session", async () => {
    const { cwd, recipe } = stand;
    const loadout = chain([recipe.write(join(cwd, "late.txt"), "late\n"), { text: "Written at last." }]);
    const play = new Performance(loadout, cwd);
    expect((await play.drive(agent)).questions).toHaveLength(1);
    stand.kill();
    expect(await play.answer(agent, { approved: true })).toMatchObject({
      ...{ status: "completed", output: "Written at last." },
    });
    expect(readFileSync(join(cwd, "late.txt"), "utf8")).toBe("late\n");
  });

  test("everything ends while a person decides; the decision still counts, for what the person was shown", async () => {
    const { cwd, recipe } = stand;
    const asking = request(
      scripted(recipe.write(join(cwd, "later.txt"), "later\n"), { text: "Written later." }),
    );
    const asked = await agent.turn({ ...asking, idempotencyKey: "3" });
    if (asked.kind !== "asks") throw new Error(JSON.stringify(asked));
    await agent.close();
    agent = stand.agent();
    const { title, args, cursor = null } = asked;
    const again = { ...asking, idempotencyKey: "3", cursor };
    const other = { approved: true, asked: { title, args: { kind: "edit", paths: ["other.txt"] } } };
    expect(await agent.turn({ ...again, approval: other })).toMatchObject({ kind: "asks", title, args });
    expect(existsSync(join(cwd, "later.txt"))).toBe(false);
    await agent.close();
    agent = stand.agent();
    const approval = { approved: true, asked: { title, args } };
    expect(await agent.turn({ ...again, approval })).toMatchObject({ kind: "done", text: "Written later." });
    expect(readFileSync(join(cwd, "later.txt"), "utf8")).toBe("later\n");
  });

  test("a session comes back in another process, with its history", async () => {
    const before = await agent.turn(request(scripted({ text: "The word is heron." })));
    await agent.close();
    const cursor = before.kind === "done" ? before.cursor : null;
    const next = { ...request(scripted({ text: "Back." })), idempotencyKey: "2", cursor };
    expect(await stand.agent().turn(next)).toMatchObject({
      kind: "done",
      text: "Back.",
      cursor: idOf(cursor),
    });
    const last = stand.model.asked.findLast(({ conversation }) => conversation.offersTools);
    const said = last?.conversation.entries
      .map((entry) => (entry.kind === "said" ? entry.text : ""))
      .join("\n");
    expect(said).toContain("The word is heron.");
    expect(said).toContain("Back.");
  });
});

function request(prompt: string) {
  return {
    ...{ node: "n", prompt, tools: "coding" as const, idempotencyKey: "1" },
    ...{ signal: new AbortController().signal, progress: () => {} },
  };
}

function idOf(cursor: Json | undefined): object {
  return { sessionId: (cursor as { readonly sessionId: string } | undefined)?.sessionId };
}
