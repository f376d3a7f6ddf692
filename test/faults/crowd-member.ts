/**
 * One of several processes on a database: `crowd-member.ts write|read DB RUN[,RUN…] APPENDS TIMEOUT`. A writer that fails
 * prints how many milliseconds it tried: how long a process takes to start says nothing.
 */
import { existsSync, writeFileSync } from "node:fs";
import { runId, type TaskId } from "../../src/base/names.ts";
import { SqliteJournal } from "../../src/journals/sqlite/sqlite-journal.ts";

const [role, db = "", names = "", appends = "0", timeout = "0"] = process.argv.slice(2);
const program = { dialect: "test", name: "test", revision: "1" };
const last = Number(appends) * 2;

/** Writes; in the middle it waits until somebody has read, so that there is reading between writing on any machine. */
async function write(journal: SqliteJournal, name: string): Promise<void> {
  const run = runId(name);
  const middle = Math.floor(last / 4) * 2;
  for (let after = 0; after < last; after += 2) {
    if (after > 0 && after === middle) await aLook();
    const events = [1, 2].map((step) => {
      const data = `${name} ${after + step} ${"lorem ipsum ".repeat(20)}`;
      return {
        ...{ type: "task.noted" as const, task: "1/n" as TaskId, kind: "k", data },
        run,
        seq: after + step,
        at: 1,
      } as const;
    });
    const head = { run, program, status: "running", startedAt: 1, updatedAt: after } as const;
    journal.append({ run, after, events, texts: [], ...(after % 20 === 0 && { head }) });
  }
}

async function aLook(): Promise<void> {
  for (let waited = 0; waited < 12_000 && !existsSync(`${db}.looked`); waited++) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Reads until everybody is done; every append is there as a whole or not at all. Says how often it looked. */
async function read(journal: SqliteJournal): Promise<number> {
  for (let looks = 1; ; looks++) {
    let done = 0;
    for (const name of names.split(",")) {
      const events = journal.read(runId(name), 0);
      const isWhole =
        events.length % 2 === 0 &&
        events.every((event, index) => {
          return (
            event.seq === index + 1 &&
            event.type === "task.noted" &&
            String(event.data).startsWith(`${name} ${index + 1} `)
          );
        });
      if (!isWhole) throw new Error(`${name} is wrong after ${events.length} events`);
      if (events.length === last) done++;
    }
    writeFileSync(`${db}.looked`, "");
    if (done === names.split(",").length) return looks;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

let began = 0;
try {
  const journal = new SqliteJournal(db, { timeout: Number(timeout) });
  began = performance.now();
  if (role === "write") await write(journal, names);
  else process.stdout.write(String(await read(journal)));
  journal.close();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  if (role === "write") process.stdout.write(String(performance.now() - began));
  process.exitCode = 1;
}
