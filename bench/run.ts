/**
 * Measures Baton beside what it is compared with, prints what it finds, and writes `bench/results.md`.
 *
 *     npm run bench:peer                                all cases, after installing what is compared with
 *     node bench/run.ts 1 3                             some of them, which only prints
 *
 * Each case runs in a process of its own, so that none meets code that another has warmed up or garbage that it left.
 */

import { fork } from "node:child_process";
import { writeFileSync } from "node:fs";
import { CASES } from "./cases/cases.ts";
import { readMachine } from "./harness/machine.ts";
import { type Ended, tally, toLines, toMarkdown } from "./harness/print.ts";

/** How long a case may take, and all of them together, in milliseconds. */
const LIMIT = 90_000;
const TOTAL = 290_000;

const wanted = process.argv.slice(2);
const chosen = CASES.filter((_, index) => wanted.length === 0 || wanted.includes(String(index + 1)));
const machine = readMachine();
const all: [(typeof CASES)[number], Ended][] = [];
for (const which of chosen) {
  const ended = await inProcess(CASES.indexOf(which));
  console.log(toLines(which, ended));
  all.push([which, ended]);
}
if (wanted.length === 0) {
  writeFileSync(new URL("results.md", import.meta.url), toMarkdown(machine, all));
  console.log("Written to bench/results.md.");
}
console.log(tally(all.map(([, ended]) => ended)));
if (all.some(([, ended]) => "failure" in ended)) process.exitCode = 1;

async function inProcess(index: number): Promise<Ended> {
  const limit = Math.min(LIMIT, Math.round(TOTAL - performance.now()));
  if (limit < 1000)
    return { failure: `All cases together may take ${TOTAL / 1000} seconds, and those are over.` };
  const child = fork(new URL("one.ts", import.meta.url), [String(index)], {
    execArgv: ["--expose-gc", "--disable-warning=ExperimentalWarning"],
    timeout: limit,
  });
  let ended: Ended = { failure: `It took more than ${Math.round(limit / 1000)} seconds.` };
  child.on("message", (message) => {
    ended = message as Ended; // what one.ts sends
  });
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return code === 0 || code === null ? ended : { failure: `Its process ended with ${code}.` };
}
