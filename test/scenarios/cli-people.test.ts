/** The promise to people: a run waits for them, says so, takes their word once, and goes on. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { AGENT, CommandLine, inARow } from "./cli-harness.ts";

const ask = (title: string, path: string) => ({
  ...{ $: "turn", text: `wrote ${path}`, ask: { title, args: { path } }, write: { path, content: title } },
});
const FILES = {
  "ask.json": inARow({ builder: AGENT }),
  "twice.json": inARow({ first: AGENT, second: AGENT }),
  "person.json": inARow({ person: { type: "human", prompt: "How many?", schema: { type: "integer" } } }),
  "script.json": {
    builder: [ask("May I?", "a.txt")],
    first: [ask("First?", "1.txt")],
    second: [ask("Second?", "2.txt")],
  },
};
const asking = ["run", "ask.json", "--script", "script.json", "--run-id"];

describe("approve and deny", () => {
  test("an approved turn writes, and the run goes on to its end", async () => {
    const cli = new CommandLine(FILES);
    await cli.run(...asking, "one");
    expect(existsSync(join(cli.cwd, "a.txt"))).toBe(false);
    const { code, document } = await cli.json("approve", "one");
    expect({ code, status: document.status }).toEqual({ code: 0, status: "completed" });
    expect(readFileSync(join(cli.cwd, "a.txt"), "utf8")).toBe("May I?");
  });

  test("what the person edits is what runs", async () => {
    const cli = new CommandLine(FILES);
    await cli.run(...asking, "one");
    expect((await cli.run("approve", "one", "--edit", "{ no")).code).toBe(2);
    expect((await cli.run("approve", "one", "--edit", '{"path":"b.txt"}')).code).toBe(0);
    expect([existsSync(join(cli.cwd, "a.txt")), existsSync(join(cli.cwd, "b.txt"))]).toEqual([false, true]);
  });

  test("a denied turn writes nothing, and the log has the reason", async () => {
    const cli = new CommandLine(FILES);
    await cli.run(...asking, "one");
    expect((await cli.run("deny", "one", "--reason", "Not today")).code).toBe(0);
    expect(existsSync(join(cli.cwd, "a.txt"))).toBe(false);
    expect((await cli.run("events", "one")).stdout).toContain("Not today");
  });

  test("an answer is given once", async () => {
    const cli = new CommandLine(FILES);
    await cli.run("run", "twice.json", "--script", "script.json", "--run-id", "two");
    expect(await cli.json("approve", "two", "1/Socket-1")).toMatchObject({ code: 3 });
    expect(await cli.json("approve", "two", "1/Socket-1:0")).toMatchObject({
      code: 2,
      document: { error: { code: "already_answered" } },
    });
    expect(await cli.json("approve", "two", "2/Socket-2:0")).toMatchObject({ code: 0 });
    expect(await cli.json("approve", "two")).toMatchObject({ code: 2 });
  });

  test("--detach records it, and a resume goes on", async () => {
    const cli = new CommandLine(FILES);
    await cli.run(...asking, "one");
    expect(await cli.json("approve", "one", "--detach")).toMatchObject({
      code: 0,
      document: { status: "running" },
    });
    expect(existsSync(join(cli.cwd, "a.txt"))).toBe(false);
    expect((await cli.run("why", "one")).stdout).toContain("Socket-1");
    expect(await cli.json("resume", "one")).toMatchObject({ code: 0, document: { status: "completed" } });
  });
});

describe("answer", () => {
  test("one that does not fit is refused and not recorded", async () => {
    const cli = new CommandLine(FILES);
    const { document } = await cli.json("run", "person.json", "--run-id", "one");
    expect(document.questions).toMatchObject([{ node: "Socket-1", value: { prompt: "How many?" } }]);
    expect(await cli.json("answer", "one", "many")).toMatchObject({
      code: 2,
      document: { error: { code: "invalid_value" } },
    });
    expect(await cli.json("show", "one")).toMatchObject({ document: { status: "waiting" } });
    expect(await cli.json("answer", "one", "1/So", "3")).toMatchObject({ code: 0 });
  });
});

describe("looking", () => {
  test("why says in one sentence what a run waits for, and which command helps", async () => {
    const cli = new CommandLine(FILES);
    await cli.run(...asking, "one");
    const { stdout, stderr } = await cli.run("why", "one");
    expect(stdout.trim()).toBe("It waits for a person: Socket-1 (builder) asks “May I?” (1/Socket-1:0).");
    expect(stderr).toContain("approve one");
    expect(await cli.json("why", "one")).toMatchObject({
      code: 0,
      document: { run: "one", status: "waiting", why: stdout.trim(), questions: [{ id: "1/Socket-1:0" }] },
    });
  });

  test("show and why say why a loadout went where it went last", async () => {
    const cli = new CommandLine({
      "fork.json": {
        ...{ name: "fork", entry: "Socket-1", materia: { judge: AGENT } },
        sockets: {
          "Socket-1": {
            ...{ materia: "judge", parse: "json" },
            edges: [
              { when: "satisfied", to: "Socket-2" },
              { when: "not_satisfied", to: "end" },
            ],
          },
          "Socket-2": { materia: "judge", parse: "text" },
        },
      },
      "no.json": { judge: [{ satisfied: false, context: "Not yet." }] },
    });
    const [run, show, why, json] = await cli.all(
      ["run", "fork.json", "--script", "no.json", "--run-id", "one"],
      ["show", "one"],
      ["why", "one"],
      ["why", "one", "--json"],
    );
    expect(run?.code).toBe(0);
    const sentence = "said satisfied: false and took edges[1] to end, which wants not_satisfied";
    for (const told of [show, why]) {
      expect(told?.stdout).toContain(sentence);
      expect(told?.stdout).toContain("edges[0] to Socket-2 wants satisfied");
    }
    expect(JSON.parse(json?.stdout ?? "")).toMatchObject({ decision: { chosen: { edge: 1 } } });
  });

  test("runs are listed, and found by a beginning that only one of them has", async () => {
    const cli = new CommandLine(FILES);
    for (const id of ["abc1", "abc2"]) await cli.run(...asking, id);
    const { document } = await cli.json<{ runs: { run: string; status: string }[] }>("runs");
    expect(document.runs.map(({ run, status }) => [run, status])).toEqual([
      ["abc2", "waiting"],
      ["abc1", "waiting"],
    ]);
    expect(await cli.json("show", "abc1")).toMatchObject({ code: 0, document: { run: "abc1" } });
    expect(await cli.json("show", "ab")).toMatchObject({
      code: 2,
      document: { error: { code: "unknown_run" } },
    });
    await cli.run("cancel", "abc2");
    expect((await cli.json<{ runs: object[] }>("runs", "--status", "waiting")).document.runs).toHaveLength(1);
    expect((await cli.run("runs", "--status", "sleeping")).code).toBe(2);
  });

  test("every verb says how it is called, with an example", async () => {
    const cli = new CommandLine();
    const { stdout } = await cli.run("--help");
    const verbs = [...stdout.matchAll(/^ {2}([a-z]+) /gm)].map(([, verb]) => verb as string);
    expect(verbs).toEqual(expect.arrayContaining(["run", "check", "graph", "runs", "show", "events", "why"]));
    const named = verbs.filter((verb) => verb !== "help");
    const helps = await cli.all(...named.map((verb) => [verb, "--help"]));
    for (const [index, verb] of named.entries()) {
      expect(helps[index]).toMatchObject({ code: 0, stderr: "" });
      expect(helps[index]?.stdout).toContain(`baton ${verb}`);
      expect(helps[index]?.stdout).toContain("Examples:\n  $ ");
    }
  });
});

describe("a budget that is used up", () => {
  test("pauses the run, and a higher one lets it go on without doing anything twice", async () => {
    const script = { first: [{ $: "turn", text: "one", usage: { tokens: 500 } }], second: ["two"] };
    const cli = new CommandLine({ ...FILES, "costly.json": script });
    const limited = ["--budget", "tokens=400", "--run-id", "one"];
    await cli.run("run", "twice.json", "--script", "costly.json", ...limited);
    expect(await cli.json("resume", "one")).toMatchObject({
      code: 4,
      document: { reason: "budget_exhausted" },
    });
    const { code, document } = await cli.json("resume", "one", "--budget", "tokens=1k");
    expect(code).toBe(0);
    expect(document.path).toEqual(["Socket-1", "Socket-2"]);
    expect(document.usage.tokens).toBe(500);
  });
});
