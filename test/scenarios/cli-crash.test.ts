/** The promise of the log: whatever ends a driver, what was recorded stays, and another process goes on from there. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Event } from "../../src/kernel/event.ts";
import { AGENT, CommandLine, inARow, program } from "./cli-harness.ts";

/** Works for a while, and leaves a line behind when it is done. */
const worker = (name: string) =>
  program(`setTimeout(() => {
    require("node:fs").appendFileSync("ran.txt", "${name}\\n");
    console.log(JSON.stringify({ state: { ${name}: "done" } }));
  }, 60)`);
const NAMES = ["one", "two", "three", "four"];
const ROW = inARow(Object.fromEntries(NAMES.map((name) => [name, worker(name)])), "json");
const SLEEPER = inARow({ sleeper: program("setTimeout(() => {}, 60_000)") });
const SLOW = {
  "slow.json": inARow({ slow: AGENT }),
  "script.json": { slow: [{ $: "turn", delayMs: 60_000 }] },
};

describe.concurrent("a driver that is killed", () => {
  test.each(["started", "Socket-1 ", "Socket-2 ", "Socket-3 ", "Socket-4 "])(
    "at “%s”: the run ends in the same state, and no finished utility ran twice",
    async (moment) => {
      const cli = new CommandLine({ "row.json": ROW });
      const going = cli.start(["run", "row.json", "--run-id", "row"]);
      await going.until(moment);
      going.child.kill("SIGKILL");
      expect((await going.ended).signal).toBe("SIGKILL");
      const { document } = await cli.json<{ events: Event[] }>("events", "row");
      const finished = document.events.flatMap((event) =>
        event.type === "task.finished" ? [NAMES[Number(event.task.split("/")[0]) - 1] as string] : [],
      );
      const resumed = await cli.json("resume", "row");
      expect(resumed).toMatchObject({ code: 0, document: { status: "completed" } });
      expect(resumed.document.state).toEqual(Object.fromEntries(NAMES.map((name) => [name, "done"])));
      expect(resumed.document.path).toEqual(["Socket-1", "Socket-2", "Socket-3", "Socket-4"]);
      const ran = readFileSync(join(cli.cwd, "ran.txt"), "utf8").trim().split("\n");
      expect([...new Set(ran)]).toEqual(NAMES);
      for (const name of finished) expect(ran.filter((line) => line === name)).toEqual([name]);
    },
  );

  test("what is over is not resumed but shown again", async () => {
    const cli = new CommandLine({ "row.json": ROW });
    const { document } = await cli.json("run", "row.json", "--run-id", "row");
    expect(await cli.json("resume", "row")).toEqual({ code: 0, document });
  });
});

describe.concurrent("a signal", () => {
  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("%s stops the tasks, keeps the log, and says how to go on", async (signal, code) => {
    const pids = "require('node:fs').writeFileSync('pid', String(process.pid)); setTimeout(() => {}, 60_000)";
    const cli = new CommandLine({ "sleep.json": inARow({ sleeper: program(pids) }) });
    const going = cli.start(["run", "sleep.json", "--run-id", "nap", "--json"]);
    await going.until("Socket-1 ");
    const file = join(cli.cwd, "pid");
    await expect
      .poll(() => existsSync(file) && readFileSync(file, "utf8"), { timeout: 10_000 })
      .toMatch(/\d/);
    going.child.kill(signal);
    const ended = await going.ended;
    expect(ended.code).toBe(code);
    expect(ended.stderr).toContain("resume nap");
    expect(JSON.parse(ended.stdout)).toMatchObject({ run: "nap", status: "running" });
    expect(() => process.kill(Number(readFileSync(file, "utf8")), 0)).toThrow();
    expect((await cli.run("why", "nap")).stdout).toContain("no process of this machine drives it");
  });
});

describe.concurrent("two processes and one run", () => {
  test("a cancel from another terminal stops the driver", async () => {
    const cli = new CommandLine(SLOW);
    const going = cli.start(["run", "slow.json", "--script", "script.json", "--run-id", "slow", "--json"]);
    await going.until("Socket-1 ");
    expect(await cli.json("cancel", "slow", "--reason", "Enough")).toMatchObject({ code: 0 });
    const { code, stdout } = await going.ended;
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 6, status: "cancelled", reason: "Enough" });
    expect(await cli.json("resume", "slow")).toMatchObject({ code: 6, document: { status: "cancelled" } });
    expect((await cli.run("cancel", "slow")).code).toBe(2);
  });

  test("a pause from another terminal lets what is in hand settle; then nobody but a person goes on", async () => {
    const script = { a: [{ $: "turn", text: "a", delayMs: 3000 }], b: ["b"] };
    const cli = new CommandLine({ "two.json": inARow({ a: AGENT, b: AGENT }), "script.json": script });
    const going = cli.start(["run", "two.json", "--script", "script.json", "--run-id", "two", "--json"]);
    await going.until("Socket-1 ");
    expect((await cli.run("pause", "two")).code).toBe(0);
    const { code, stdout } = await going.ended;
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 3, status: "paused", reason: "requested" });
    expect(await cli.json("resume", "two")).toMatchObject({
      code: 0,
      document: { path: ["Socket-1", "Socket-2"] },
    });
  });

  test("a second driver is told that there is one", async () => {
    const cli = new CommandLine({ "sleep.json": SLEEPER });
    const going = cli.start(["run", "sleep.json", "--run-id", "nap"]);
    await going.until("Socket-1 ");
    const second = await cli.json<{ error: { message: string } }>("resume", "nap");
    expect(second).toMatchObject({ code: 1, document: { error: { code: "conflict" } } });
    expect(second.document.error.message).toContain(`process ${going.child.pid}`);
    expect((await cli.run("why", "nap")).stdout).toContain(`process ${going.child.pid} is working on it`);
    going.child.kill("SIGKILL");
    await going.ended;
  });

  test("an answer reaches the driver, which goes on; whoever answered sees the end", async () => {
    const graph = `
      import { appendFileSync, existsSync, writeFileSync } from "node:fs";
      import { END, START, StateGraph, interrupt } from "batonjs";
      const slow = async () => {
        appendFileSync("ran.txt", "slow\\n");
        while (!existsSync("answered")) await new Promise((resolve) => setTimeout(resolve, 20));
        return { slow: true };
      };
      const asks = () => {
        const said = interrupt("Well?");
        writeFileSync("answered", "");
        return { said };
      };
      export default new StateGraph({ slow: {}, said: {} })
        .addNode("slow", slow)
        .addNode("asks", asks)
        .addEdge(START, "slow").addEdge(START, "asks").addEdge("slow", END).addEdge("asks", END)
        .compile();`;
    const cli = new CommandLine({ "graph.ts": graph });
    const going = cli.start(["run", "graph.ts", "--run-id", "both", "--json"]);
    await going.until("Well?");
    const answered = await cli.json("answer", "both", "yes");
    const { code, stdout } = await going.ended;
    expect(answered).toEqual({ code: 0, document: JSON.parse(stdout) });
    expect(code).toBe(0);
    expect(answered.document.state).toEqual({ slow: true, said: "yes" });
    expect(readFileSync(join(cli.cwd, "ran.txt"), "utf8")).toBe("slow\n");
  });

  test("events -f tells what another process does, to the end", async () => {
    const cli = new CommandLine({ "row.json": ROW });
    const going = cli.start(["run", "row.json", "--run-id", "row"]);
    await going.until("Socket-1 ");
    const [followed] = await Promise.all([cli.run("events", "row", "-f"), going.ended]);
    expect(followed.stdout.trim()).toMatch(/completed$/);
    expect(followed.stdout).toContain("Socket-4 ");
  });
});

describe("what a run was started with", () => {
  test("is found again; a script that has gone is missed before anything is recorded", async () => {
    const script = { a: [{ $: "turn", text: "a", ask: { title: "May I?", args: {} } }], b: ["b"] };
    const cli = new CommandLine({ "two.json": inARow({ a: AGENT, b: AGENT }), "script.json": script });
    await cli.run("run", "two.json", "--script", "script.json", "--run-id", "two");
    const { renameSync } = await import("node:fs");
    renameSync(join(cli.cwd, "two.json"), join(cli.cwd, "elsewhere.json"));
    renameSync(join(cli.cwd, "script.json"), join(cli.cwd, "moved.json"));
    const missed = await cli.json<{ error: { message: string } }>("approve", "two");
    expect(missed).toMatchObject({ code: 2, document: { error: { code: "not_found" } } });
    expect(missed.document.error.message).toContain("script.json");
    const { code } = await cli.json("approve", "two", "--script", "moved.json");
    expect(code).toBe(0);
  });
});
