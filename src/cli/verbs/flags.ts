/** Flags that several verbs take. */

import type { Flag } from "../verb.ts";

export const AGENTS: readonly Flag[] = [
  ["--agent <name>", "who takes the turns of all agents: one of `baton doctor`, or of a config"],
  ["--script <file>", "play this script, or what --record wrote, in place of every agent"],
  ["--record <file>", "write down what agents say, to be played with --script"],
];
export const INPUT: Flag = [
  "--input <key=value>",
  "an input; the value is JSON where it parses, else text",
  "repeatable",
];
export const INPUT_FILE: Flag = ["--input-file <file>", "all inputs as one JSON object; - is standard input"];
export const ASSUME: Flag = [
  "--assume <numbers>",
  "what a cost ceiling is reckoned with: items=20,tokens-per-turn=30k,usd-per-mtok=3",
];
export const RUN_ID: Flag = ["--run-id <id>", "the id of the new run"];
export const BUDGET: Flag = ["--budget <limits>", "the most that it may use: tokens=2M,usd=5,time=1h"];
export const DURABILITY: Flag = [
  "--durability <mode>",
  "when events are on disk: sync (default), async or exit",
];
export const CONFIG: Flag = ["--config <file>", "a config to lay above the project's"];
export const DETACH: Flag = ["--detach", "record it and return; a studio, or `baton resume`, goes on"];
const ALLOW: Flag = ["--yes", "let a run go on that was started elsewhere, without asking"];
export const GOES_ON: readonly Flag[] = [DETACH, ...AGENTS, CONFIG, DURABILITY, ALLOW];
