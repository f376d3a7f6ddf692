/** A studio as a process: it drives what nobody drives, leaves alone what others drive, and loses nothing when it ends. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Client, createClient } from "../../src/client/client.ts";
import type { RunDocument, StreamMessage } from "../../src/protocol/studio.ts";
import { CommandLine, type Going, inARow, program } from "./cli-harness.ts";

const worker = (name: string, ms = 150) =>
  program(`setTimeout(() => {
    require("node:fs").appendFileSync("ran.txt", "${name}\\n");
    console.log(JSON.stringify({ state: { ${name}: "done" } }));
  }, ${ms})`);
const NAMES = ["one", "two", "three", "four"];
const ROW = inARow(Object.fromEntries(NAMES.map((name) => [name, worker(name)])), "json");
const SLOW = inARow(Object.fromEntries(NAMES.map((name) => [name, worker(name, 700)])), "json");
const ASKS = {
  "asks.json": inARow({ asker: { type: "human", prompt: "Which colour?" } }),
};

/** Each of these starts several processes, on a machine that may be busy. */
const PATIENCE = { timeout: 90_000 };

interface Up {
  readonly going: Going;
  readonly client: Client;
  readonly address: { readonly url: string; readonly token: string; readonly pid: number };
}

async function up(cli: CommandLine, ...flags: readonly string[]): Promise<Up> {
  const going = cli.start(["studio", "--port", "0", "--no-open", "--json", ...flags]);
  await going.until("The studio is at");
  await going.until('"pid"'); // on the other stream
  const address = JSON.parse(going.said.stdout) as Up["address"];
  return { going, address, client: createClient({ baseUrl: address.url, token: address.token }) };
}

async function end({ going }: Up, signal: NodeJS.Signals = "SIGTERM") {
  going.child.kill(signal);
  return going.ended;
}

async function until(client: Client, run: string, isThere: (document: RunDocument) => boolean) {
  for (const from = Date.now(); Date.now() - from < 40_000; ) {
    const document = await client.run(run).catch(() => undefined);
    if (document !== undefined && isThere(document)) return document;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`Run ${run} never came there: ${JSON.stringify(await client.run(run))}`);
}

const isOver = ({ status }: RunDocument) => status === "completed";
const ranIn = ({ cwd }: CommandLine) => readFileSync(join(cwd, "ran.txt"), "utf8").trim().split("\n");

describe.concurrent("a studio that is killed in the middle of a run", PATIENCE, () => {
  test("goes on by itself when it is started again, and a reader loses no event and gets none twice", async () => {
    const cli = new CommandLine({ "row.json": SLOW });
    const first = await up(cli, "--token", "a-token-that-stays-the-same");
    const { run } = await first.client.start({ definition: "row.json" });
    await until(first.client, run, ({ result }) => result.path.length === 2);
    const { port } = new URL(first.address.url);
    const stop = new AbortController();
    const seqs: number[] = [];
    const reading = (async () => {
      for await (const message of first.client.stream(run, {
        signal: stop.signal,
      }) as AsyncIterable<StreamMessage>) {
        if (message.type !== "event") continue;
        seqs.push(message.event.seq);
        if (message.event.type === "run.finished") stop.abort();
      }
    })();
    expect((await end(first, "SIGKILL")).signal).toBe("SIGKILL");
    const second = await up(cli, "--token", "a-token-that-stays-the-same", "--port", port);
    const done = await until(second.client, run, isOver);
    await reading;
    expect(seqs).toEqual(Array.from({ length: done.seq }, (_, index) => index + 1));
    expect(done.result.path).toEqual(["Socket-1", "Socket-2", "Socket-3", "Socket-4"]);
    expect([...new Set(ranIn(cli))]).toEqual(NAMES);
    expect((await end(second)).code).toBe(143);
  });
});

describe.concurrent("a studio that is told to stop", PATIENCE, () => {
  test("stops its drivers, keeps what was recorded, takes its notice down, and the next one goes on", async () => {
    const cli = new CommandLine({ "row.json": SLOW });
    const first = await up(cli);
    const { run } = await first.client.start({ definition: "row.json" });
    await until(first.client, run, ({ result }) => result.path.length === 2);
    const stream = first.client.stream(run, { signal: AbortSignal.timeout(20_000) });
    const notice = join(cli.cwd, ".baton", "drivers", "studio-baton.db.json");
    expect(statSync(notice).mode & 0o777).toBe(0o600);
    const reading = stream[Symbol.asyncIterator]();
    await reading.next();
    const ended = await end(first, "SIGINT");
    expect(ended).toMatchObject({ code: 130, signal: null });
    expect(existsSync(notice)).toBe(false);
    const left = await cli.json("show", run);
    expect(left.document.status).toBe("running");
    const second = await up(cli);
    await until(second.client, run, isOver);
    expect([...new Set(ranIn(cli))]).toEqual(NAMES);
    await end(second);
  });
});

describe.concurrent("a studio beside other commands", PATIENCE, () => {
  test("shows a run that another process drives and leaves it alone, and is refused its seat", async () => {
    const cli = new CommandLine({ "row.json": ROW });
    const studio = await up(cli);
    const going = cli.start(["run", "row.json", "--run-id", "theirs"]);
    await going.until("Socket-2 ");
    const document = await studio.client.run("theirs");
    expect(document.driver).toBe("elsewhere");
    await expect(studio.client.command("theirs", { verb: "resume" })).rejects.toMatchObject({
      ...{ status: 409, error: { code: "conflict" } },
    });
    expect((await going.ended).code).toBe(0);
    expect(ranIn(cli)).toEqual(NAMES);
    await end(studio);
  });

  test("drives what was only recorded, and what another process answered", async () => {
    const cli = new CommandLine({ "row.json": ROW, ...ASKS });
    const studio = await up(cli);
    const detached = await cli.run("run", "row.json", "--run-id", "handed", "--detach");
    expect(detached.stderr).toContain(studio.address.url);
    expect(detached.stderr).not.toContain(studio.address.token);
    await until(studio.client, "handed", isOver);
    expect(ranIn(cli)).toEqual(NAMES);
    await cli.run("run", "asks.json", "--run-id", "asks");
    expect((await studio.client.run("asks")).driver).toBeNull();
    expect((await cli.run("answer", "asks", "blue", "--detach")).code).toBe(0);
    await until(studio.client, "asks", isOver);
    await end(studio);
  });

  test("does not go on with what another process was told to stop", async () => {
    const cli = new CommandLine({ "row.json": SLOW });
    const studio = await up(cli);
    const going = cli.start(["run", "row.json", "--run-id", "stopped"]);
    await going.until("Socket-3 ");
    going.child.kill("SIGINT");
    expect((await going.ended).code).toBe(130);
    await new Promise((resolve) => setTimeout(resolve, 2500));
    const document = await studio.client.run("stopped");
    expect(document).toMatchObject({ status: "running", driver: null, waitsFor: { verb: "resume" } });
    await studio.client.command("stopped", { verb: "resume" });
    await until(studio.client, "stopped", isOver);
    await end(studio);
  });

  test("a question is answered from the command line while the studio keeps the run", async () => {
    const cli = new CommandLine(ASKS);
    const studio = await up(cli);
    const { run } = await studio.client.start({ definition: "asks.json", task: "Choose" });
    const waiting = await until(studio.client, run, ({ status }) => status === "waiting");
    expect(waiting.driver).toBe("studio");
    expect((await cli.run("answer", run, "blue")).code).toBe(0);
    await until(studio.client, run, isOver);
    await end(studio);
  });

  test("leaves a fork alone until somebody resumes it, by whichever door", async () => {
    const cli = new CommandLine(ASKS);
    const studio = await up(cli);
    const { run } = await studio.client.start({ definition: "asks.json", task: "Choose" });
    await until(studio.client, run, ({ status }) => status === "waiting");
    await cli.run("fork", run, "--run-id", "other", "--at", "2");
    await new Promise((resolve) => setTimeout(resolve, 2200));
    expect(await studio.client.run("other")).toMatchObject({ status: "running", driver: null });
    expect((await cli.run("resume", "other", "--detach")).code).toBe(0);
    await until(studio.client, "other", ({ status }) => status === "waiting");
    await end(studio);
  });

  test("gives a fork the files of its moment, in a folder of its own", async () => {
    const cli = new CommandLine({ "row.json": ROW });
    execFileSync("git", ["init", "--quiet"], { cwd: cli.cwd });
    const studio = await up(cli);
    const { run } = await studio.client.start({ definition: "row.json" });
    await until(studio.client, run, isOver);
    const { events } = await studio.client.events(run);
    const at = events.filter(({ type }) => type === "step.committed")[1]?.seq ?? 0;
    const fork = await studio.client.fork(run, { at });
    const folder = join(cli.cwd, ".baton", "forks", fork.run);
    expect(readFileSync(join(folder, "ran.txt"), "utf8")).toBe("one\ntwo\n");
    await studio.client.command(fork.run, { verb: "resume" });
    await until(studio.client, fork.run, isOver);
    expect(readFileSync(join(folder, "ran.txt"), "utf8").trim().split("\n")).toEqual(NAMES);
    expect(ranIn(cli)).toEqual(NAMES);
    await end(studio);
  });

  test("is refused where one is up for the same database already", async () => {
    const cli = new CommandLine();
    const studio = await up(cli);
    const { code, document } = await cli.json<{ error: { message: string; hint: string } }>(
      ...["studio", "--port", "0", "--no-open"],
    );
    expect(code).toBe(2);
    expect(document.error.message).toContain(String(studio.address.pid));
    expect(document.error.hint).toContain(studio.address.token);
    const beside = await up(cli, "--db", ".baton/other.db");
    await Promise.all([end(studio), end(beside)]);
  });
});

describe.concurrent("the verbs of a page", PATIENCE, () => {
  test("pause, resume with a budget and cancel reach programs that are running", async () => {
    const cli = new CommandLine({
      "row.json": SLOW,
    });
    const { client, ...studio } = await up(cli);
    const { run } = await client.start({ definition: "row.json" });
    await until(client, run, ({ result }) => result.path.length === 1);
    expect(await client.command(run, { verb: "pause" })).toMatchObject({ status: "paused" });
    const paused = await until(client, run, ({ driver }) => driver === null);
    expect(paused).toMatchObject({ reason: "requested", waitsFor: { verb: "resume" } });
    await client.command(run, { verb: "resume", budget: { maxTokens: 1000 } });
    const going = await until(client, run, ({ result }) => result.path.length === 2);
    expect(going.budget.maxTokens).toBe(1000);
    await client.command(run, { verb: "cancel", reason: "Enough" });
    const cancelled = await until(client, run, ({ driver }) => driver === null);
    expect(cancelled).toMatchObject({ status: "cancelled", reason: "Enough", waitsFor: null });
    await expect(client.command(run, { verb: "resume" })).rejects.toMatchObject({ status: 409 });
    await end({ client, ...studio });
  });
});

describe.concurrent("a module with a StateGraph", PATIENCE, () => {
  const graph = `import { END, field, START, StateGraph } from "batonjs";
    export default new StateGraph({ n: field<number>({ default: 0 }) })
      .addNode("a", async ({ n }) => {
        await new Promise((resolve) => setTimeout(resolve, 150));
        return { n: n + 1 };
      })
      .addEdge(START, "a")
      .addConditionalEdges("a", ({ n }) => (n >= 12 ? END : "a"))
      .compile();`;

  test("is started from a page, and gone on with after a kill", async () => {
    const cli = new CommandLine({ "graph.ts": graph });
    const first = await up(cli);
    const { run } = await first.client.start({ definition: "graph.ts", inputs: { n: 2 } });
    await until(first.client, run, ({ result }) => result.steps.length > 2);
    await end(first, "SIGKILL");
    const second = await up(cli);
    const done = await until(second.client, run, isOver);
    expect(done.result.state).toEqual({ n: 12 });
    expect(done.result.steps).toHaveLength(10);
    await end(second);
  });

  test("is left to be gone on with from the folder that it works in", async () => {
    const cli = new CommandLine({ "graph.ts": graph });
    await cli.run("run", "graph.ts", "--run-id", "far", "--detach");
    const elsewhere = new CommandLine();
    const studio = await up(elsewhere, "--db", join(cli.cwd, ".baton", "baton.db"));
    await expect(studio.client.command("far", { verb: "resume" })).rejects.toMatchObject({
      ...{ status: 422, error: { code: "not_supported", hint: expect.stringContaining("baton resume far") } },
    });
    expect(await studio.client.run("far")).toMatchObject({ driver: null, status: "running" });
    await end(studio);
  });
});

describe.concurrent("where it listens", PATIENCE, () => {
  test.each([
    [["--host", "0.0.0.0"], "--token"],
    [["--host", "0.0.0.0", "--token", "short"], "--token"],
    [["--port", "http"], "--port"],
    [["--port", "70000"], "--port"],
    [["--token", "with spaces in it, long enough"], "--token"],
  ])("%j is refused", async (flags, named) => {
    const { code, stderr } = await new CommandLine().run("studio", "--no-open", ...flags);
    expect([code, stderr.includes(named)]).toEqual([2, true]);
  });

  test("two projects have a studio each, also where both want the same port", async () => {
    const [one, other] = [new CommandLine(), new CommandLine()];
    const first = await up(one);
    const { port } = new URL(first.address.url);
    const taken = await other.run("studio", "--no-open", "--port", port);
    expect([taken.code, taken.stderr.includes(port)]).toEqual([2, true]);
    const second = await up(other);
    const foreign = createClient({ baseUrl: second.address.url, token: first.address.token });
    await expect(foreign.project()).rejects.toMatchObject({ status: 401 });
    await Promise.all([end(first), end(second)]);
  });

  test("another address is told aloud, and by its name it answers", async () => {
    const cli = new CommandLine();
    const studio = await up(cli, "--host", "0.0.0.0", "--token", "a-token-of-my-own-choice");
    await studio.going.until("Everybody who reaches this machine");
    const port = new URL(studio.address.url).port;
    const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, token: studio.address.token });
    expect((await client.project()).folder).toBe(cli.cwd);
    await end(studio);
  });
});
