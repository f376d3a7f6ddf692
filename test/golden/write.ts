/**
 * Writes the golden logs of the present format: `node test/golden/write.ts`. Only for what has none yet, in new files:
 * a golden log that was published is never written again.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { exportRun, stateHash } from "../../src/history.ts";
import { MemoryJournal } from "../../src/journals/memory.ts";
import { loadState } from "../../src/run/load.ts";
import { RUN, SCENARIOS } from "../faults/scenarios.ts";

const index = new URL("hashes.json", import.meta.url);
const hashes: Record<string, string> = existsSync(index) ? JSON.parse(readFileSync(index, "utf8")) : {};
for (const [name, scenario] of Object.entries(SCENARIOS)) {
  const file = `v1-${name}.jsonl`;
  if (existsSync(new URL(file, import.meta.url))) continue;
  const journal = new MemoryJournal();
  await scenario.play({ journal, effect() {} });
  const { state } = await loadState(journal, RUN);
  if (state.status !== "completed") throw new Error(`The ${name} is ${state.status}: ${state.message}`);
  const { bundle } = await exportRun(journal, RUN, { compress: false });
  writeFileSync(new URL(file, import.meta.url), bundle);
  hashes[file] = stateHash(state);
}
writeFileSync(index, `${JSON.stringify(hashes, null, 2)}\n`);
