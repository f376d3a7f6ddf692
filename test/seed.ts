/**
 * The seed of the property tests: the same one each time, so that a change is judged by the same cases as the
 * state before it. `BATON_SEED=random npm test` looks elsewhere, and `BATON_SEED=N` goes back to what it found.
 */
import * as fc from "fast-check";

const asked = process.env["BATON_SEED"] ?? "20261121";
const seed = asked === "random" ? Date.now() % 2 ** 31 : Number(asked);
if (!Number.isInteger(seed)) throw new Error(`BATON_SEED is ${asked}: give a whole number, or "random".`);
fc.configureGlobal({ seed });
