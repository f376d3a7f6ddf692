/**
 * A process that plays a scenario and is killed in it: `victim.ts SCENARIO DB EFFECTS [APPEND before|after] [DELAY]`.
 * Every effect is a line in a file. With a delay, effects take so many milliseconds, for those who kill at any time.
 */
import { appendFileSync } from "node:fs";
import { SqliteJournal } from "../../src/journals/sqlite/sqlite-journal.ts";
import type { Batch } from "../../src/run/journal.ts";
import { SCENARIOS } from "./scenarios.ts";

const [name = "", db = "", effects = "", append = "0", when = "before", delay = "0"] = process.argv.slice(2);

class FatalJournal extends SqliteJournal {
  #appends = 0;

  override append(batch: Batch): void {
    const isLast = ++this.#appends === Number(append);
    if (isLast && when === "before") die();
    super.append(batch);
    if (isLast) die();
  }
}

function die(): void {
  process.kill(process.pid, "SIGKILL");
}

const journal = new FatalJournal(db);
process.stdout.write("ready\n");
await SCENARIOS[name]?.play({
  journal,
  async effect(key) {
    appendFileSync(effects, `${key}\n`);
    if (Number(delay) > 0) await new Promise((resolve) => setTimeout(resolve, Number(delay)));
  },
});
journal.close();
