/** Prints the bytes on the heap while a run, in its last step, or a list holds so many messages of 1 KiB. */

import { SqliteJournal } from "../../src/sqlite.ts";
import { withThread } from "../cases/loop-graph.ts";
import { batonMessages, message } from "../cases/messages-graph.ts";
import { freshPath } from "../harness/folder.ts";

const [holder, count] = process.argv.slice(2);
const steps = Number(count);

function heap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

async function heapOfRun(): Promise<number> {
  const journal = new SqliteJournal(freshPath("heap.db"));
  let held = 0;
  const atEnd = () => {
    held = heap();
  };
  await batonMessages(journal, { steps, atEnd }).invoke({}, withThread("t"));
  journal.close();
  return held;
}

function heapOfList(): number {
  const list = Array.from({ length: steps }, (_, n) => message(n));
  const held = heap();
  if (list.length !== steps) throw new Error("The list is gone.");
  return held;
}

process.stdout.write(String(holder === "run" ? await heapOfRun() : heapOfList()));
