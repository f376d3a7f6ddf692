/** A utility's visit: one program, given one JSON object, bounded in time and output. It is never asked again. */

import { NO_USAGE } from "../../agent/agent.ts";
import type { CommandRequest, CommandResult } from "../../agent/command.ts";
import { type Failure, failure } from "../../base/failure.ts";
import type { JsonObject } from "../../base/json.ts";
import type { TaskContext } from "../../kernel/program.ts";
import { REQUEST } from "./channels.ts";
import type { Place } from "./chart.ts";
import { DEFAULT_MAX_OUTPUT_BYTES, DEFAULT_TIMEOUT_MS } from "./definition.ts";
import { handoffIssues } from "./handoff.ts";
import { parseObject } from "./parse.ts";
import type { BundledUtility, LoadoutServices } from "./ports.ts";
import type { Perform, Performed } from "./socket.ts";
import { invalid } from "./unfit.ts";
import type { Visit } from "./visit.ts";

/** The most characters of standard error that a failure tells. */
const STDERR = 800;

export function performUtility(place: Place, ports: LoadoutServices): Perform {
  return async (visit, context) => {
    const program = programOf(place, ports);
    if (program === undefined) {
      const message = `${place.id}: there is no bundled utility ${place.materia.utility}.`;
      return stopped(failure("utility_failed", message, { at: place.id }));
    }
    const limit = place.socket.limits?.maxOutputBytes ?? DEFAULT_MAX_OUTPUT_BYTES;
    const request: CommandRequest = {
      argv: program.argv,
      stdin: `${JSON.stringify(inputOf(visit, context, ports))}\n`,
      timeoutMs: place.materia.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      maxOutputBytes: limit,
      env: [...(program.env ?? []), ...(place.materia.env ?? [])],
      signal: context.signal,
    };
    const result = await ports.commands.run(request);
    if (result.stderr !== "") {
      visit.note("stderr", { artifact: { ...context.keep("stderr", result.stderr) } });
    }
    const why = faultOf(place, result, request);
    return why === undefined ? read(place, result, context) : stopped(why);
  };
}

function programOf({ materia }: Place, ports: LoadoutServices): BundledUtility | undefined {
  if (materia.command !== undefined) return { argv: materia.command };
  return materia.utility === undefined ? undefined : ports.utility(materia.utility);
}

/** What a utility reads from its standard input. */
function inputOf(visit: Visit, context: TaskContext, { cwd, runDir }: LoadoutServices): JsonObject {
  const { place, item } = visit;
  return {
    ...{ cwd, runDir, request: visit.read(REQUEST) ?? "", runId: context.run },
    ...{
      socketId: place.id,
      materiaId: place.role,
      params: place.materia.params ?? {},
      state: visit.state(),
    },
    item: item?.value ?? null,
    itemKey: item?.key ?? null,
    itemLabel: item?.label ?? null,
    cursor: item?.index ?? null,
  };
}

/** Why a program did not do its work; nothing when it did. */
function faultOf(place: Place, result: CommandResult, request: CommandRequest): Failure | undefined {
  const { stderr, code, ended } = result;
  const said = beginningOf(stderr);
  const tail = said === "" ? "It wrote nothing to standard error." : said;
  const detail = { stderr: stderr.slice(0, STDERR), code };
  const fail = (what: string, kind: Failure["code"] = "utility_failed") =>
    failure(kind, `${place.id} (${place.label}) ${what}`, { at: place.id, detail });
  switch (ended) {
    case "exited":
      return code === 0 ? undefined : fail(`exited with code ${code}: ${tail}`);
    case "timed_out":
      return fail(`was stopped after ${request.timeoutMs} ms: ${tail}`);
    case "too_large":
      return fail(
        `wrote more than the ${request.maxOutputBytes} bytes that it may. Raise limits.maxOutputBytes of the socket, or let it write less.`,
        "output_too_large",
      );
    case "not_started":
      return fail(`could not be started: ${tail}`);
    case "stopped":
      return fail(`was stopped: ${tail}`);
  }
}

/** What a failure tells of standard error; a mark says that there was more. */
function beginningOf(stderr: string): string {
  const said = stderr.trim();
  return said.length <= STDERR ? said : `${said.slice(0, STDERR)}…`;
}

function read(place: Place, { stdout, stderr }: CommandResult, context: TaskContext): Performed {
  const artifact = context.keep("output", stdout);
  const common = { text: stdout, artifact, usage: NO_USAGE, sessions: {} };
  if (place.contract.parse === "text") return { kind: "output", output: common };
  const parsed = parseObject(stdout);
  if (!parsed.ok) {
    const said = beginningOf(stderr);
    const message = `${place.id} (${place.label}) should print a JSON object. ${parsed.message}${said && ` ${said}`}`;
    return stopped(failure("output_invalid", message, { at: place.id }));
  }
  const issues = handoffIssues(place.contract, parsed.value);
  if (issues.length > 0) return stopped(invalid(place, issues));
  return { kind: "output", output: { ...common, json: parsed.value } };
}

function stopped(why: Failure): Performed {
  return { kind: "stopped", outcome: { kind: "failed", failure: why } };
}
