/** A start is everything that a run begins with, read from the command line and found good before anything runs. */

import { randomBytes } from "node:crypto";
import type { JsonObject } from "../../base/json.ts";
import { type RunId, runId } from "../../base/names.ts";
import { Refusal } from "../../base/refusal.ts";
import { sha256 } from "../../engines/local.ts";
import type { Program } from "../../kernel/program.ts";
import type { ExitCode } from "../../protocol/codes.ts";
import { type Cast, castFrom } from "../agents/agents.ts";
import { recordOf } from "../agents/script-file.ts";
import { Misuse } from "../misuse.ts";
import type { Call, Options } from "../verb.ts";
import { type GivenBudget, parseBudget } from "./budget.ts";
import type { Driven, Engine } from "./engine.ts";
import { driveFrom, durabilityOf, type Foreground } from "./foreground.ts";
import { unmarkImported } from "./imported.ts";
import { readInputs } from "./inputs.ts";
import { type RunRequest, recordRequest } from "./request.ts";
import type { Source, SourceFile } from "./source.ts";
import { type Store, withStore } from "./store.ts";
import { requireTrust } from "./trust.ts";

export interface Start {
  readonly call: Call;
  readonly run: RunId;
  /** The working folder of the run, absolute. */
  readonly cwd: string;
  readonly task: string;
  readonly inputs: JsonObject | undefined;
  readonly cast: Cast;
  readonly budget: GivenBudget;
}

/** The flags that mean something to some kinds of definitions only. */
const KINDS: Readonly<Record<string, readonly Source["kind"][]>> = {
  message: ["inbox"],
  limit: ["module"],
  assume: ["loadout"],
  agent: ["loadout", "inbox"],
  script: ["loadout", "inbox"],
  record: ["loadout", "inbox"],
};
const CALLED: Readonly<Record<Source["kind"], string>> = {
  loadout: "loadouts",
  inbox: "inbox graphs",
  module: "modules with a StateGraph",
};

/** Refuses flags that would mean nothing to a definition of this kind. */
export function refuseForeignFlags(kind: Source["kind"], options: Options): void {
  for (const [flag, kinds] of Object.entries(KINDS)) {
    if (!(flag in options) || kinds.includes(kind)) continue;
    const whose = kinds.map((one) => CALLED[one]).join(" and ");
    throw new Misuse("usage", `--${flag} is for ${whose}, and this is none.`);
  }
}

/** What the arguments and flags of `run` ask for. */
export function startFrom(call: Call): Start {
  const { args, options } = call;
  durabilityOf(options);
  return {
    call,
    run: newId(options.runId),
    cwd: process.cwd(),
    task: args.slice(1).join(" "),
    inputs: readInputs(options),
    cast: castFrom(options),
    budget: parseBudget(options.budget),
  };
}

/** Works on a run that does not exist yet; refuses an id that is taken. */
async function withNewRun(
  { call, run, budget: { time } }: Start,
  work: (foreground: Omit<Foreground, "program">, store: Store) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { options, terminal } = call;
  return withStore(options.db, { create: true }, async (store) => {
    if ((await store.journal.head(run)) !== undefined) {
      throw new Refusal("already_exists", `There is a run ${run} already. Resume it, or take another id.`);
    }
    unmarkImported(store, run);
    return work({ run, store, options, terminal, time }, store);
  });
}

/** A start that was found good: what a person has to allow, and how its run begins. */
export interface Prepared {
  /** What it would do, a phrase each. */
  readonly powers: readonly string[];
  /** The files that a person may have to trust. */
  readonly files: readonly SourceFile[];
  /** Makes what goes on with the run. */
  engine(store: Store): Promise<Program | Engine>;
  /** Records how the run begins. */
  begin(driven: Driven): Promise<void>;
}

/** Begins a run in the foreground, unless its definition is not trusted. */
export async function beginPrepared(prepared: Prepared, start: Start): Promise<ExitCode> {
  const { options, terminal } = start.call;
  const { powers, files } = prepared;
  for (const file of files) await requireTrust({ ...file, powers, yes: options.yes === true, terminal });
  return withNewRun(start, async (foreground, store) =>
    driveFrom({ ...foreground, program: await prepared.engine(store) }, (driven) => prepared.begin(driven)),
  );
}

/** What the log remembers of a start, so that another process can go on. */
export function requestOf(file: string, { cwd, task, inputs = {}, cast }: Start): JsonObject {
  const { agent, script, salt, configs } = cast;
  const request: RunRequest = {
    ...{ task, inputs, file, cwd },
    ...(agent !== undefined && { agent }),
    ...(script === undefined && { salt }),
    configs: configs.map(({ text }) => sha256(text)),
    ...(script && { script: recordOf(script) }),
  };
  return recordRequest(request);
}

/** Ids are made of letters and digits that nobody mistakes for each other. */
const ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz";
const LENGTH = 8;

/** The id that was given, or one that is made up. */
export function newId(given: string | undefined): RunId {
  if (given === undefined) {
    return runId([...randomBytes(LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join(""));
  }
  try {
    return runId(given);
  } catch (error) {
    throw error instanceof RangeError ? new Misuse("usage", error.message) : error;
  }
}
