/**
 * The starter starts a run for a page, in the way in which `baton run` does, and hands it to the conductor.
 *
 * 1. Nobody sits at a terminal to be asked: a definition that has to be trusted is refused with what it would do, and
 *    the page asks.
 */

import type { JsonObject } from "../../base/json.ts";
import type { RunId } from "../../base/names.ts";
import type { StartRequest } from "../../protocol/requests.ts";
import { Problem } from "../../server/problem.ts";
import { castFrom } from "../agents/agents.ts";
import { Crew } from "../agents/crew.ts";
import { readSource, type Source } from "../runs/source.ts";
import { newId, type Prepared, refuseForeignFlags, type Start } from "../runs/start.ts";
import { needsTrust } from "../runs/trust.ts";
import type { Options } from "../verb.ts";
import type { Conductor } from "./conductor.ts";
import { BUNDLED_PREFIX } from "./definition-list.ts";
import type { Premises } from "./premises.ts";
import type { ProjectFiles } from "./project-files.ts";

export interface Starter {
  readonly premises: Premises;
  readonly conductor: Conductor;
  readonly files: ProjectFiles;
}

/** Starts a run; it is driven from then on. */
export async function startRun(
  { premises, conductor, files }: Starter,
  request: StartRequest,
): Promise<RunId> {
  const options = await optionsFor(request, premises, files);
  const source = await sourceOf(request.definition, options, files);
  refuseForeignFlags(source.kind, options);
  const start = startOf(request, options, premises);
  const crew = new Crew(); // of the agents that are opened to see whether they are there
  const prepared = await crew.during(() => prepare(source, start));
  await crew.sendHome();
  requireTrust(prepared, request);
  const { store } = premises;
  await conductor.take(
    start.run,
    () => prepared.engine(store),
    (care) => prepared.begin(care.driven),
  );
  return start.run;
}

async function sourceOf(named: string, options: Options, files: ProjectFiles): Promise<Source> {
  if (named.startsWith(BUNDLED_PREFIX)) return readSource(named.slice(BUNDLED_PREFIX.length), options);
  return readSource((await files.existing(named)).absolute, options);
}

/** What the same start would be called with on the command line. */
async function optionsFor(
  { messages, script, agent }: StartRequest,
  { options: { db } }: Premises,
  files: ProjectFiles,
): Promise<Options> {
  return {
    db,
    ...(messages && { message: messages.map(({ node, text }) => `${node}=${text}`) }),
    ...(script !== undefined && { script: (await files.existing(script)).absolute }),
    ...(agent !== undefined && { agent }),
  };
}

function startOf(
  { task = "", inputs, budget = {} }: StartRequest,
  options: Options,
  premises: Premises,
): Start {
  const given: JsonObject | undefined = inputs;
  return {
    call: { args: [], options, terminal: premises.terminal },
    run: newId(undefined),
    cwd: premises.folder,
    ...{ task, inputs: given, budget },
    cast: castFrom(options),
  };
}

async function prepare(source: Source, start: Start): Promise<Prepared> {
  switch (source.kind) {
    case "module":
      return (await import("../runs/starts/graph.ts")).prepareModule(source, start);
    case "loadout":
      return (await (await import("../runs/starts/loadout.ts")).prepareLoadout(source, start)).prepared;
    case "inbox":
      return (await import("../runs/starts/inbox.ts")).prepareInbox(source, start);
  }
}

/** (1) */
function requireTrust({ powers, files }: Prepared, { definition, yes = false }: StartRequest): void {
  if (yes || !files.some((file) => needsTrust({ ...file, powers }))) return;
  const message = `${definition} came with its repository and would ${powers.join(", and ")}.`;
  throw new Problem("not_trusted", message, { hint: "Read it, and then allow it this once.", powers });
}
