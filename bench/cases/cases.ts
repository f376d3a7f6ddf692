/** The cases, in the order of their numbers. */

import type { Case } from "../harness/report.ts";
import { loop } from "./1-loop.ts";
import { journal } from "./2-journal.ts";
import { fanOut } from "./3-fan-out.ts";
import { calls } from "./4-calls.ts";
import { messages } from "./5-messages.ts";
import { resume } from "./6-resume.ts";
import { dialects } from "./7-dialects.ts";
import { streams } from "./8-streams.ts";
import { start } from "./9-start.ts";

export const CASES: readonly Case[] = [
  loop,
  journal,
  fanOut,
  calls,
  messages,
  resume,
  dialects,
  streams,
  start,
];
