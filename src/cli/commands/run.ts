/** `baton run`: starts a loadout or a StateGraph and goes on with it in the foreground. */

import { randomBytes } from "node:crypto";
import type { JsonObject } from "../../base/json.ts";
import { type RunId, runId } from "../../base/names.ts";
import { Refusal } from "../../base/refusal.ts";
import { startLoadout } from "../../dialects/loadout/compile.ts";
import type { ExitCode } from "../../protocol/codes.ts";
import { type Cast, castFrom } from "../agents.ts";
import { type GivenBudget, parseBudget } from "../budget.ts";
import { driveFrom, durabilityOf, type Foreground } from "../foreground.ts";
import { readInputs } from "../inputs.ts";
import { Misuse } from "../misuse.ts";
import { type RunRequest, recordRequest } from "../request.ts";
import { recordOf } from "../script-file.ts";
import { type LoadoutSource, type ModuleSource, readSource } from "../source.ts";
import { type Store, withStore } from "../store.ts";
import { requireTrust } from "../trust.ts";
import type { Call } from "../verb.ts";

/** Everything that a run is started with, read and found good. */
interface Start {
  readonly call: Call;
  readonly run: RunId;
  readonly task: string;
  readonly inputs: JsonObject | undefined;
  readonly cast: Cast;
  readonly budget: GivenBudget;
}

/** Starts a run. Whatever is missing or wrong is refused before anything runs. */
export async function run(call: Call): Promise<ExitCode> {
  const { args, options } = call;
  const [named = "", ...words] = args;
  const source = readSource(named);
  durabilityOf(options);
  const start: Start = {
    call,
    run: idFrom(options.runId),
    task: words.join(" "),
    inputs: readInputs(options),
    cast: castFrom(options),
    budget: parseBudget(options.budget),
  };
  return source.kind === "module" ? runModule(source, start) : runLoadout(source, start);
}

async function runLoadout(source: LoadoutSource, start: Start): Promise<ExitCode> {
  const { definitionOf, powersOf, programOf, refuseWithoutActors } = await import("../loadout-runs.ts");
  const { budgetWrites } = await import("../../dialects/loadout/budget.ts");
  const { run, task, inputs, cast, budget, call } = start;
  const { options, terminal } = call;
  const { definition, warnings } = definitionOf(source);
  for (const { message, pointer } of warnings) terminal.tell(`warning: ${pointer}: ${message}`);
  refuseWithoutActors(definition, cast);
  const cwd = process.cwd();
  const powers = powersOf(definition, cast);
  for (const file of source.files)
    await requireTrust({ ...file, powers, yes: options.yes === true, terminal });
  return withNewRun(start, async (foreground, store) => {
    const program = programOf(definition, { run, store, cwd, cast });
    const { time: _, ...limits } = budget;
    const { writes, request, ...command } = startLoadout(definition, task, inputs);
    const given = Object.keys(limits).length > 0 ? budgetWrites(limits) : [];
    return driveFrom({ ...foreground, program }, (handle) =>
      handle.send({
        ...command,
        writes: [...writes, ...given],
        request: { ...(request as JsonObject), ...requestOf(source.named, start) },
      }),
    );
  });
}

async function runModule({ path }: ModuleSource, start: Start): Promise<ExitCode> {
  const { run, task, inputs = {}, cast, budget } = start;
  if (task !== "") {
    throw new Misuse(
      "usage",
      "A StateGraph takes its input from --input key=value or --input-file, not as a task.",
    );
  }
  if (cast.script !== undefined || cast.agent !== undefined) {
    throw new Misuse("usage", "A StateGraph calls its agents itself: --script and --agent are for loadouts.");
  }
  if (budget.maxTokens !== undefined || budget.maxCostUsd !== undefined) {
    throw new Misuse("usage", "A StateGraph knows no tokens and no cost; --budget may give it a time.");
  }
  const { beginGraph, graphProgram, loadGraph } = await import("../graph-runs.ts");
  const graph = await loadGraph({ path });
  return withNewRun(start, (foreground) =>
    driveFrom({ ...foreground, program: graphProgram(graph, run) }, (handle) =>
      beginGraph(graph, handle, { input: inputs, request: requestOf(path, start) }),
    ),
  );
}

async function withNewRun(
  { call, run, budget: { time } }: Start,
  work: (foreground: Omit<Foreground, "program">, store: Store) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { options, terminal } = call;
  return withStore(options.db, { create: true }, async (store) => {
    if ((await store.journal.head(run)) !== undefined) {
      throw new Refusal("already_exists", `There is a run ${run} already. Resume it, or take another id.`);
    }
    return work({ run, store, options, terminal, time }, store);
  });
}

function requestOf(file: string, { task, inputs = {}, cast }: Start): JsonObject {
  const { agent, script } = cast;
  const request: RunRequest = {
    ...{ task, inputs, file, cwd: process.cwd() },
    ...(agent !== undefined && { agent }),
    ...(script && { script: recordOf(script) }),
  };
  return recordRequest(request);
}

/** Ids are made of letters and digits that nobody mistakes for each other. */
const ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz";
const LENGTH = 8;

function idFrom(given: string | undefined): RunId {
  if (given === undefined) {
    return runId([...randomBytes(LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join(""));
  }
  try {
    return runId(given);
  } catch (error) {
    throw error instanceof RangeError ? new Misuse("usage", error.message) : error;
  }
}
