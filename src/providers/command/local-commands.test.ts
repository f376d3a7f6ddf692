import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CommandRequest, CommandResult } from "../../agent/command.ts";
import { LocalCommands } from "./local-commands.ts";

let cwd: string;

beforeAll(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), "commands-")));
});

afterAll(() => rm(cwd, { recursive: true, force: true }));

function run(argv: readonly string[], more: Partial<CommandRequest> = {}): Promise<CommandResult> {
  const env = { PATH: process.env["PATH"], SECRET: "s" };
  const signal = new AbortController().signal;
  const limits = { timeoutMs: 15_000, maxOutputBytes: 1 << 20 };
  return new LocalCommands({ cwd, env }).run({ argv, stdin: "", signal, ...limits, ...more });
}

/** Runs the text of a module. */
function node(code: string, more: Partial<CommandRequest> = {}): Promise<CommandResult> {
  return run([process.execPath, "--input-type=module", "-e", code], more);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Waits until a process is gone, which takes as long as its new parent takes to notice. */
async function gone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 100 && isAlive(pid); tries++) {
    const state = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
    if (/\) Z/.test(state)) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return !isAlive(pid);
}

/** Starts a grandchild that ignores TERM, and prints its process id. */
const GRANDCHILD = `
  import { spawn } from "node:child_process";
  const stubborn = 'process.on("SIGTERM", () => {}); console.log(process.pid); setInterval(() => {}, 1000)';
  spawn(process.execPath, ["-e", stubborn], { stdio: "inherit" });`;

describe("a command that ends by itself", () => {
  test.each([0, 1, 7, 255])("exit code %i", async (code) => {
    const result = await node(`console.log("out"); console.error("err"); process.exitCode = ${code}`);
    expect(result).toEqual({ ended: "exited", code, stdout: "out\n", stderr: "err\n" });
  });

  test("one that a signal ended has no code", async () => {
    expect(await node(`process.kill(process.pid, "SIGKILL")`)).toMatchObject({ ended: "exited", code: null });
  });

  test("arguments reach it as they are: there is no shell", async () => {
    const args = ["$HOME", "a b", "; touch x", "*", '"'];
    const print = "console.log(JSON.stringify(process.argv.slice(1)))";
    const { stdout } = await run([process.execPath, "-e", print, "--", ...args]);
    expect(JSON.parse(stdout)).toEqual(args);
  });

  test("it runs in the folder and sees the allowed variables and those that are named", async () => {
    const print = "console.log(JSON.stringify([process.cwd(), process.env.SECRET ?? null]))";
    expect(JSON.parse((await node(print)).stdout)).toEqual([cwd, null]);
    expect(JSON.parse((await node(print, { env: ["SECRET"] })).stdout)).toEqual([cwd, "s"]);
  });

  test("a request may name another folder; one that is not there is told", async () => {
    const other = await realpath(tmpdir());
    expect((await node("process.stdout.write(process.cwd())", { cwd: other })).stdout).toBe(other);
    const gone = join(cwd, "gone");
    const { ended, stderr } = await node("", { cwd: gone });
    expect([ended, stderr]).toEqual(["not_started", expect.stringContaining(`${gone} does not exist`)]);
  });

  test("a big input arrives whole and comes back whole", async () => {
    const stdin = "€ä𝄞".repeat(200_000);
    const result = await node("process.stdin.pipe(process.stdout)", { stdin, maxOutputBytes: 1 << 24 });
    expect(result.ended).toBe("exited");
    expect(result.stdout === stdin).toBe(true);
  });

  test("one that does not read a big input is no error", async () => {
    const result = await node("process.exit(3)", { stdin: "x".repeat(5_000_000) });
    expect(result).toMatchObject({ ended: "exited", code: 3 });
  });

  test("of a long standard error the end is kept", async () => {
    const { stderr } = await node(`process.stderr.write("x".repeat(300_000) + "end")`);
    expect(stderr).toHaveLength(64 * 1024);
    expect(stderr.endsWith("xend")).toBe(true);
  });

  test("what its children still print is kept", async () => {
    const late = `setTimeout(() => console.log("late"), 300)`;
    const { stdout } = await node(`
      import { spawn } from "node:child_process";
      spawn(process.execPath, ["-e", ${JSON.stringify(late)}], { stdio: "inherit" });
      process.exit(0);`);
    expect(stdout).toBe("late\n");
  });
});

describe("a command that cannot be started", () => {
  test("there is no such program", async () => {
    const stderr = `"no-such-program" could not be started: there is no such program.`;
    expect(await run(["no-such-program"])).toEqual({ ended: "not_started", code: null, stdout: "", stderr });
  });

  test("it is not allowed to run", async () => {
    const file = join(cwd, "plain.txt");
    await writeFile(file, "#!/bin/sh\n", { mode: 0o644 });
    expect(await run([file])).toMatchObject({
      ended: "not_started",
      stderr: expect.stringMatching(/not allowed/),
    });
  });

  test("there is no such folder", async () => {
    const commands = new LocalCommands({ cwd: join(cwd, "missing") });
    const signal = new AbortController().signal;
    const limits = { timeoutMs: 1000, maxOutputBytes: 10 };
    const result = await commands.run({ argv: [process.execPath], stdin: "", signal, ...limits });
    expect(result).toMatchObject({ ended: "not_started", stderr: expect.stringMatching(/folder.*missing/) });
  });

  test.each([[[]], [[""]], [["a\0b"]]])("%j is no command", async (argv) => {
    expect(await run(argv)).toMatchObject({ ended: "not_started", stderr: expect.stringMatching(/^".*"/) });
  });
});

describe("a command that must stop", () => {
  test("after its time it gets TERM, and what it printed is kept", async () => {
    const result = await node(`console.log("half"); setInterval(() => {}, 1000)`, { timeoutMs: 700 });
    expect(result).toEqual({ ended: "timed_out", code: null, stdout: "half\n", stderr: "" });
  });

  test("on TERM it may end cleanly", async () => {
    const result = await node(
      `process.on("SIGTERM", () => { console.log("cleaned"); process.exit(0); });
       console.log("ready"); setInterval(() => {}, 1000)`,
      { timeoutMs: 700 },
    );
    expect(result).toMatchObject({ ended: "timed_out", code: null, stdout: "ready\ncleaned\n" });
  });

  test("one that ignores TERM gets KILL a second later", async () => {
    const start = performance.now();
    const result = await node(
      `process.on("SIGTERM", () => console.log("no")); console.log("ready"); setInterval(() => {}, 1000)`,
      { timeoutMs: 700 },
    );
    expect(result).toMatchObject({ ended: "timed_out", code: null, stdout: "ready\nno\n" });
    expect(performance.now() - start).toBeGreaterThan(1690);
  });

  test.each([
    ["while it lives", "setInterval(() => {}, 1000);"],
    ["after it has ended", "setTimeout(() => process.exit(0), 400);"],
  ])("everything that it has started ends too, %s", async (_, rest) => {
    const { ended, stdout } = await node(GRANDCHILD + rest, { timeoutMs: 1200 });
    expect(ended).toBe("timed_out");
    expect(await gone(Number(stdout))).toBe(true);
  });

  test("also what has closed its outputs", async () => {
    const silent = `process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)`;
    const { stdout } = await node(
      `import { spawn } from "node:child_process";
       const child = spawn(process.execPath, ["-e", ${JSON.stringify(silent)}], { stdio: "ignore" });
       console.log(child.pid); setInterval(() => {}, 1000);`,
      { timeoutMs: 1000 },
    );
    expect(await gone(Number(stdout))).toBe(true);
  });

  test("one that has left its group and holds an output open is not waited for", async () => {
    const { ended, stdout } = await node(
      `import { spawn } from "node:child_process";
       const options = { stdio: "inherit", detached: true };
       console.log(spawn(process.execPath, ["-e", "setTimeout(() => {}, 60_000)"], options).pid);
       setInterval(() => {}, 1000);`,
      { timeoutMs: 700 },
    );
    expect(ended).toBe("timed_out");
    process.kill(Number(stdout), "SIGKILL");
  });

  test("too much output ends it, and the result says so", async () => {
    const endless = `const write = () => process.stdout.write("0123456789".repeat(1000), write); write()`;
    const result = await node(endless, { maxOutputBytes: 25 });
    expect(result).toMatchObject({ ended: "too_large", code: null, stdout: "0123456789012345678901234" });
  });

  test("exactly the limit is not too much", async () => {
    const result = await node(`process.stdout.write("ää")`, { maxOutputBytes: 4 });
    expect(result).toMatchObject({ ended: "exited", code: 0, stdout: "ää" });
  });

  test("a signal stops it", async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 500);
    const result = await node(`setInterval(() => {}, 1000)`, { signal: stop.signal });
    expect(result).toMatchObject({ ended: "stopped", code: null });
  });

  test("a signal that has fired before starts nothing", async () => {
    const file = join(cwd, "started");
    const code = `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(file)}, "")`;
    expect(await node(code, { signal: AbortSignal.abort() })).toMatchObject({ ended: "stopped" });
    await expect(readFile(file)).rejects.toThrow();
  });
});

test("nothing keeps listening once the commands are over", async () => {
  const stop = new AbortController();
  let listening = 0;
  const { addEventListener, removeEventListener } = stop.signal;
  stop.signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    listening++;
    addEventListener.apply(stop.signal, args);
  };
  stop.signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    listening--;
    removeEventListener.apply(stop.signal, args);
  };
  const before = process.listenerCount("exit");
  await Promise.all([node("0", { signal: stop.signal }), node("0", { signal: stop.signal })]);
  expect([listening, process.listenerCount("exit")]).toEqual([0, before]);
});

test("no command outlives the process that runs it", async () => {
  const commands = new URL("./local-commands.ts", import.meta.url).href;
  const file = JSON.stringify(join(cwd, "pid"));
  const child = `require("fs").writeFileSync(${file}, String(process.pid)); setInterval(() => {}, 1000)`;
  const { stdout } = await node(`
    import { readFileSync } from "node:fs";
    import { LocalCommands } from ${JSON.stringify(commands)};
    void new LocalCommands({ cwd: "." }).run({
      argv: [process.execPath, "-e", ${JSON.stringify(child)}],
      stdin: "", timeoutMs: 60_000, maxOutputBytes: 100, signal: new AbortController().signal,
    });
    setInterval(() => {
      try {
        console.log(Number(readFileSync(${file}, "utf8")));
      } catch {
        return;
      }
      process.exit(0);
    }, 20);`);
  expect(Number(stdout)).toBeGreaterThan(0);
  expect(await gone(Number(stdout))).toBe(true);
});
