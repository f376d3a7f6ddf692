/** Stands for a test run: it fails the first time and passes the second, and says so in the fields that steer a run. */
import { readFileSync } from "node:fs";

const { state } = JSON.parse(readFileSync(0, "utf8"));
const runs = (state.runs ?? 0) + 1;
const satisfied = runs > 1;
const context = satisfied ? "All tests pass." : "1 of 12 tests fails: parse() gives null for an empty text.";
console.log(JSON.stringify({ satisfied, context, state: { runs } }));
