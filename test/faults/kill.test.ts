/**
 * A process that is killed at any append, or at any time, leaves a run that another one ends in the same way. A task
 * whose end was recorded never runs again; one that was in flight may, under the same key.
 */
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "../../src/base/json.ts";
import { random } from "../../src/base/random.ts";
import { MemoryJournal } from "../../src/journals/memory.ts";
import { SqliteJournal } from "../../src/journals/sqlite/sqlite-journal.ts";
import { loadState } from "../../src/run/load.ts";
import { FaultyJournal } from "../../src/testing/faulty-journal.ts";
import { RUN, SCENARIOS, type Scenario } from "./scenarios.ts";

/** Milliseconds after which something must hang: hundreds of processes take their time where others work, too. */
const PATIENCE = 600_000;

const home = mkdtempSync(join(tmpdir(), "baton-kill-"));
/** What processes have compiled is kept, or starting them would be most of the work. One that ends by itself writes it. */
const ENV = { ...process.env, NODE_COMPILE_CACHE: join(home, "compiled") };
beforeAll(async () => {
  for (const name of Object.keys(SCENARIOS))
    await victim([name, join(home, `${name}.db`), join(home, name)], {});
}, PATIENCE);
afterAll(() => rmSync(home, { recursive: true, force: true }));

const NODE = fileURLToPath(new URL("../../node_modules/.bin/node", import.meta.url));
const VICTIM = fileURLToPath(new URL("victim.ts", import.meta.url));
/** Processes at once. */
const AT_ONCE = 2;

interface Kill {
  readonly append?: number;
  readonly when?: "before" | "after";
  /** Milliseconds after the process is ready; its effects then take a while. */
  readonly time?: number;
}

interface Outcome {
  readonly wasKilled: boolean;
  readonly end: Json;
  /** The effects after the kill of tasks and sub-steps whose end was recorded before it. */
  readonly again: readonly string[];
  /** The effects that happened twice: their tasks were in flight. */
  readonly repeated: readonly string[];
  readonly keysTwice: number;
  readonly keys: readonly string[];
}

let files = 0;

describe.each(Object.entries(SCENARIOS))("a run of a %s", (name, scenario) => {
  test("that is killed at every append resumes to the same end", { timeout: PATIENCE }, async () => {
    const { appends, end, keys } = await calm(scenario);
    expect(appends).toBeGreaterThan(8);
    const kills = Array.from({ length: appends }, (_, index) => index + 1).flatMap((append): Kill[] => [
      { append, when: "before" },
      { append, when: "after" },
    ]);
    const outcomes = await inTurn(kills, (kill) => killed(name, scenario, kill));
    expect(outcomes.every(({ wasKilled }) => wasKilled)).toBe(true);
    check(outcomes, end);
    expect(outcomes.flatMap(({ repeated }) => repeated)).not.toEqual([]);
    checkKeys(outcomes, keys);
    report(`${name}: killed at each of ${appends} appends, before and after it`, outcomes);
  });
});

test("runs that are killed at 100 random times resume to the same end", { timeout: PATIENCE }, async () => {
  const next = random("kills");
  const names = Object.keys(SCENARIOS);
  const plans = Array.from({ length: 100 }, (_, index) => ({
    name: names[index % names.length] ?? "",
    share: next(),
  }));
  const took = new Map(names.map((name) => [name, 0]));
  const calms = new Map<string, Awaited<ReturnType<typeof calm>>>();
  for (const [name, scenario] of Object.entries(SCENARIOS)) calms.set(name, await calm(scenario));
  const outcomes = await inTurn(plans, async ({ name, share }, index) => {
    // How long a run takes depends on the machine and on what else it does, so it is looked at again and again.
    if (index % 12 < names.length) took.set(name, await undisturbed(name));
    const kill = { time: Math.floor(share * (took.get(name) ?? 0)) };
    const outcome = await killed(name, SCENARIOS[name] as Scenario, kill);
    const { end = null, keys = [] } = calms.get(name) ?? {};
    check([outcome], end);
    checkKeys([outcome], keys);
    return outcome;
  });
  expect(outcomes.filter(({ wasKilled }) => wasKilled).length).toBeGreaterThan(50);
  report("random times", outcomes);
});

function check(outcomes: readonly Outcome[], end: Json): void {
  for (const outcome of outcomes)
    expect({ end: outcome.end, again: outcome.again }).toEqual({ end, again: [] });
}

/** Whatever is done, once or again, has the key that it has in an undisturbed run, and all of it is done. */
function checkKeys(outcomes: readonly Outcome[], keys: readonly string[]): void {
  for (const outcome of outcomes) expect(new Set(outcome.keys)).toEqual(new Set(keys));
}

function report(what: string, outcomes: readonly Outcome[]): void {
  const kills = outcomes.filter(({ wasKilled }) => wasKilled).length;
  const count = (of: (outcome: Outcome) => number) => outcomes.reduce((sum, outcome) => sum + of(outcome), 0);
  const repeated = count(({ repeated }) => repeated.length);
  const keys = count(({ keysTwice }) => keysTwice);
  console.info(
    `${what}: ${kills} kills, 0 recorded tasks ran again, ${repeated} tasks in flight did (${keys} keys twice).`,
  );
}

/** How an undisturbed run ends, and after how many appends. */
async function calm(scenario: Scenario): Promise<{ appends: number; end: Json; keys: string[] }> {
  const journal = new FaultyJournal(new MemoryJournal());
  const keys: string[] = [];
  await scenario.play({
    journal,
    effect: (key) => {
      keys.push(key);
    },
  });
  const { state } = await loadState(journal, RUN);
  expect(state.status).toBe("completed");
  return { appends: journal.appends, end: scenario.end(state), keys };
}

/** How many milliseconds a process works, from when it is ready, that nobody kills. */
async function undisturbed(name: string): Promise<number> {
  const base = join(home, `calm-${++files}`);
  let began = 0;
  const child = spawn(NODE, [VICTIM, name, `${base}.db`, `${base}.effects`, "0", "before", "8"], {
    env: ENV,
  });
  child.stdout.once("data", () => {
    began = performance.now();
  });
  await new Promise((resolve) => child.on("close", resolve));
  return performance.now() - began;
}

/** Has a process killed, and the run resumed by this one. */
async function killed(name: string, scenario: Scenario, kill: Kill): Promise<Outcome> {
  const base = join(home, `run-${++files}`);
  const [db, effects] = [`${base}.db`, `${base}.effects`];
  const wasKilled = await victim([name, db, effects], kill);
  const journal = new SqliteJournal(db);
  const log = journal.read(RUN, 0);
  const ended = new Set<string>(log.flatMap((event) => (event.type === "task.finished" ? [event.task] : [])));
  const remembered = new Set(
    log.flatMap((event) => (event.type === "task.remembered" ? [keyOf(event)] : [])),
  );
  const before = linesOf(effects);
  await scenario.play({ journal, effect: (key) => appendFileSync(effects, `${key}\n`) });
  const { state } = await loadState(journal, RUN);
  journal.close();
  const after = linesOf(effects).slice(before.length);
  const tasksBefore = new Set<string>(before.map(taskOf));
  const again = after.filter((key) => ended.has(taskOf(key)) || remembered.has(key));
  const repeated = [...new Set(after.map(taskOf))].filter((task) => tasksBefore.has(task));
  const keysTwice = after.filter((key) => before.includes(key)).length;
  for (const file of [db, effects]) rmSync(file, { force: true });
  return { wasKilled, end: scenario.end(state), again, repeated, keysTwice, keys: [...before, ...after] };
}

/** Plays a scenario in a process of its own; says whether it was killed before its end. */
function victim(subject: readonly string[], { append = 0, when = "before", time }: Kill): Promise<boolean> {
  const delay = time === undefined ? 0 : 8;
  const child = spawn(NODE, [VICTIM, ...subject, String(append), when, String(delay)], { env: ENV });
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  if (time !== undefined) child.stdout.once("data", () => setTimeout(() => child.kill("SIGKILL"), time));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status, signal) => {
      if (signal === "SIGKILL" || status === 0) resolve(signal === "SIGKILL");
      else reject(new Error(errors));
    });
  });
}

function linesOf(file: string): string[] {
  return existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => line !== "")
    : [];
}

/** The key of the effect behind a recorded sub-step. */
function keyOf({ task, key }: { readonly task: string; readonly key: string }): string {
  return key.startsWith("turn:") ? `${RUN}/${task}/${key}` : `${RUN}/${task}/1:${key}`;
}

/** The task that an idempotency key belongs to: `run/step/node/attempt`. */
function taskOf(key: string): string {
  return key.split("/").slice(1, 3).join("/");
}

/** Works on all of them, a few at a time, and gives the results in their order. */
async function inTurn<T, R>(all: readonly T[], work: (one: T, index: number) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < all.length; index = next++)
      results[index] = await work(all[index] as T, index);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}
