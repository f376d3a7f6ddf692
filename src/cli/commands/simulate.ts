/** `baton simulate`: plays a loadout many times with agents that a seed decides on, and shows which laws break. */

import { existsSync, writeFileSync } from "node:fs";
import { extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { messageOf } from "../../base/failure.ts";
import type { SimulationReport, Violation } from "../../dialects/loadout/simulate/report.ts";
import { type SimulateFile, simulateFile } from "../../engines/simulate.ts";
import { EXIT, type ExitCode } from "../../protocol/codes.ts";
import { Misuse } from "../misuse.ts";
import { parseJson, readInputs, readText } from "../runs/inputs.ts";
import { MODULES, readSource } from "../runs/source.ts";
import { quoted, selfName } from "../self.ts";
import { positiveInteger } from "../terminal/amounts.ts";
import { unfit } from "../terminal/report.ts";
import { harmless } from "../terminal/style.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Call } from "../verb.ts";

const DEFAULT_RUNS = 100;
const DEFAULT_SEED = "baton";

/** Simulates a loadout; exits with 0 when every law held, and with 1 when one was broken. */
export async function simulate({ args: [named = ""], options, terminal }: Call): Promise<ExitCode> {
  const source = readSource(named, options);
  if (source.kind !== "loadout") {
    throw new Misuse("not_supported", `${named} is no loadout, and only loadouts can be simulated.`);
  }
  if (options.out !== undefined) refuseTaken(options.out);
  const { invariants } = options;
  const simulated = await simulateFile(source.json, {
    seed: options.seed ?? DEFAULT_SEED,
    runs: positiveInteger("--runs", options.runs) ?? DEFAULT_RUNS,
    below: source.below,
    ...given("items", positiveInteger("--items", options.items)),
    ...given("inputs", readInputs(options)),
    ...(invariants !== undefined && { laws: await lawsIn(invariants) }),
  });
  if (simulated.exit === EXIT.usage) {
    throw unfit(simulated.in === "loadout" ? named : (invariants ?? ""), simulated.issues);
  }
  const { report } = simulated;
  const files = options.out === undefined ? [] : writeScripts(report.violations, options.out);
  terminal.document(report);
  terminal.event(report);
  terminal.print(reportText(report, invariants !== undefined, terminal));
  for (const file of files) {
    terminal.advise(`See it with: ${selfName()} run ${quoted(named)} --script ${quoted(file)}`);
  }
  return simulated.exit;
}

function given<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: V }; // that key, or none
}

/** The laws of a JSON file, or of a module whose functions each are one. */
async function lawsIn(file: string): Promise<NonNullable<SimulateFile["laws"]>> {
  if (!MODULES.includes(extname(file))) return { json: parseJson(readText(file), file) };
  if (!existsSync(file)) throw new Misuse("not_found", `There is no file ${file}.`);
  try {
    const module: unknown = await import(pathToFileURL(resolve(file)).href);
    return { module: module as Readonly<Record<string, unknown>> }; // a module's exports by name
  } catch (error) {
    const why = messageOf(error);
    throw new Misuse("invalid_definition", `${file} cannot be loaded: ${why}`);
  }
}

function refuseTaken(file: string): void {
  if (!existsSync(file)) return;
  throw new Misuse("usage", `There is a file ${file} already; name another one with --out.`);
}

/** Writes a script for each violation: the first to the file itself, the others beside it with a number. */
function writeScripts(violations: readonly Violation[], out: string): readonly string[] {
  const extension = extname(out);
  const stem = out.slice(0, out.length - extension.length);
  return violations.map(({ script }, index) => {
    const file = index === 0 ? out : `${stem}-${index + 1}${extension}`;
    refuseTaken(file);
    writeFileSync(file, `${JSON.stringify(script, null, 2)}\n`);
    return file;
  });
}

function reportText(
  { runs, seed, outcomes, violations, coverage }: SimulationReport,
  hasLaws: boolean,
  terminal: Terminal,
): string {
  const ends = [
    counted("completed", outcomes.completed),
    ...Object.entries(outcomes.failed).map(([code, count]) => counted(`failed (${code})`, count)),
    ...Object.entries(outcomes.paused).map(([reason, count]) => counted(`paused (${reason})`, count)),
    counted("waiting", outcomes.waiting),
    counted("unfinished", outcomes.unfinished),
  ].filter((end) => end !== undefined);
  const never = [
    ...coverage.sockets,
    ...coverage.edges.map(({ socket, when, to }) => `${socket} → ${to} (${when})`),
    ...coverage.exits.map(({ loop, exit, to }) => `${loop}.${exit} → ${to}`),
  ];
  return [
    `${runs} runs of seed ${harmless(seed)}: ${ends.join(", ")}.`,
    ...(never.length > 0 ? [terminal.paint("yellow", `Never happened: ${never.join(", ")}.`)] : []),
    ...violations.flatMap((violation) => violationText(violation, terminal)),
    ...(hasLaws ? [] : ["No laws were given, so none could break: name a file of them with --invariants."]),
    ...(hasLaws && violations.length === 0 ? [terminal.paint("green", "Every law held.")] : []),
  ].join("\n");
}

function counted(what: string, count: number): string | undefined {
  return count === 0 ? undefined : `${count} ${what}`;
}

function violationText(
  { invariant, message, path, seed, runs }: Violation,
  terminal: Terminal,
): readonly string[] {
  const times = runs === 1 ? "1 run" : `${runs} runs`;
  return [
    terminal.paint("red", harmless(`Broken by ${times}: ${invariant}`)),
    harmless(`  ${message}`),
    harmless(`  ${path.join(" → ")}  (seed ${seed})`),
  ];
}
