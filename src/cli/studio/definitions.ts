/**
 * Definitions: read with what is wrong with them, saved unless somebody was faster, checked and simulated as texts.
 *
 * 1. A save names the digest that was read; when the file has another one, nothing is written.
 * 2. Only definitions are written, and only over definitions: no other file of a project can be changed from a page.
 */

import type { Issue } from "../../base/issue.ts";
import type { Json } from "../../base/json.ts";
import { Refusal } from "../../base/refusal.ts";
import type { InboxDefinition } from "../../dialects/inbox/definition.ts";
import { drawInbox } from "../../dialects/inbox/draw.ts";
import { checkInbox, readInbox } from "../../dialects/inbox/read.ts";
import { BUNDLED } from "../../dialects/loadout/bundled.ts";
import { checkLoadout } from "../../dialects/loadout/check/check.ts";
import type { LoadoutDefinition } from "../../dialects/loadout/definition.ts";
import { drawLoadout } from "../../dialects/loadout/draw.ts";
import { readLoadout } from "../../dialects/loadout/read.ts";
import { sha256 } from "../../engines/local.ts";
import type { AnswerOf } from "../../protocol/answers.ts";
import type { SaveRequest, SimulateRequest } from "../../protocol/requests.ts";
import type { CheckDocument, IssueLine } from "../../protocol/result.ts";
import type { DefinitionDocument, DefinitionKind } from "../../protocol/studio.ts";
import { Turns } from "../../run/turns.ts";
import { Problem } from "../../server/problem.ts";
import { castFrom } from "../agents/agents.ts";
import { readLayers } from "../runs/source.ts";
import { needsTrust } from "../runs/trust.ts";
import { unfit } from "../terminal/report.ts";
import { BUNDLED_PREFIX, brokenKindOf, jsonIn, kindOf, lineOf, listDefinitions } from "./definition-list.ts";
import { moduleDrawing } from "./module-drawing.ts";
import type { ProjectFiles } from "./project-files.ts";
import { simulateBeside } from "./simulation.ts";

export class Definitions {
  readonly #files: ProjectFiles;
  readonly #turns: Turns = new Turns();

  constructor(files: ProjectFiles) {
    this.#files = files;
  }

  async list(): Promise<AnswerOf<"definitions">> {
    return { definitions: await listDefinitions(this.#files) };
  }

  async read(path: string): Promise<DefinitionDocument> {
    if (path.startsWith(BUNDLED_PREFIX)) return bundled(path);
    const file = await this.#files.existing(path);
    const text = await this.#files.read(file);
    const kind = kindOf(path, text) ?? brokenKindOf(path, text);
    if (kind === undefined) throw new Problem("not_found", `${path} is no definition.`);
    const { check, drawing, powers } = await examined(kind, text);
    const trust = { isTrusted: !needsTrust({ path: file.absolute, text, powers }), powers };
    return { ...lineOf(file, kind, text), text, digest: sha256(text), check, drawing, trust };
  }

  /** The drawing of a module; nothing of it is run where that was not allowed. */
  async drawing(path: string): Promise<Json> {
    const file = await this.#files.existing(path);
    const text = await this.#files.read(file);
    if (kindOf(path, text) === "module") return moduleDrawing(file, text);
    const hint = "A loadout or an inbox graph is drawn by what it says: ask for the definition.";
    throw new Problem("not_supported", `${path} is no module.`, { hint });
  }

  /** Saves one at a time, so that of two who read the same text one is told of the other. */
  async save(path: string, request: SaveRequest): Promise<DefinitionDocument> {
    await this.#turns.take(() => this.#save(path, request));
    return this.read(path);
  }

  async #save(path: string, { text, base }: SaveRequest): Promise<void> {
    const kind = kindOf(path, text);
    if (!path.endsWith(".json") || kind === undefined) {
      throw new Problem("invalid_definition", `${path} would be no definition. Only definitions are saved.`);
    }
    const file = await this.#files.place(path);
    const before = (await this.#files.isThere(file)) ? await this.#files.read(file) : undefined;
    if (before !== undefined && kindOf(path, before) === undefined && jsonIn(before) !== undefined) {
      throw new Problem("invalid_definition", `${path} is something else, and is not written over.`); // (2)
    }
    const digest = before === undefined ? null : sha256(before);
    if (digest !== base) {
      const what = digest === null ? "is gone" : base === null ? "is there already" : "was changed meanwhile";
      throw new Refusal("conflict", `${path} ${what}; nothing was written.`); // (1)
    }
    await this.#files.write(file, text);
  }

  /** Checks a text as if it were a file. */
  async check({
    text,
    path = "definition.json",
  }: {
    readonly text: string;
    readonly path?: string;
  }): Promise<AnswerOf<"check">> {
    const kind = kindOf(path, text) ?? "loadout";
    const { check, drawing } = await examined(kind, text);
    if (check === null) throw new Problem("not_supported", "A module is code: it is checked by running it.");
    return { ...check, drawing };
  }

  async simulate({ text, runs = 100, seed = 1 }: SimulateRequest): Promise<AnswerOf<"simulate">> {
    const json = jsonIn(text);
    if (json === undefined) throw new Problem("invalid_definition", "The text is not JSON.");
    const { below } = readLayers({});
    const simulated = await simulateBeside({ json, options: { seed: String(seed), runs, below } });
    if (simulated.exit === 2) throw unfit("The loadout", simulated.issues);
    const { violations: _, ...report } = simulated.report;
    return report;
  }
}

/** One that comes with Baton, as the file that it would be. */
async function bundled(path: string): Promise<DefinitionDocument> {
  const name = path.slice(BUNDLED_PREFIX.length);
  if (!Object.hasOwn(BUNDLED.loadouts ?? {}, name)) {
    throw new Problem("not_found", `Baton comes with no loadout ${JSON.stringify(name)}.`);
  }
  const read = readLoadout({ activeLoadout: name });
  if (!read.ok) throw unfit(path, read.errors);
  const text = `${JSON.stringify(read.definition, null, 2)}\n`;
  const { check, drawing, powers } = await examined("loadout", text);
  const line = { path, kind: "loadout", name, isBundled: true } as const;
  return { ...line, text, digest: sha256(text), check, drawing, trust: { isTrusted: true, powers } };
}

interface Examined {
  readonly check: CheckDocument | null;
  readonly drawing: Json;
  readonly powers: readonly string[];
}

async function examined(kind: DefinitionKind, text: string): Promise<Examined> {
  if (kind === "module" || kind === "materia") return { check: null, drawing: null, powers: [] };
  const json = jsonIn(text);
  if (json === undefined) return { check: notJson(), drawing: null, powers: [] };
  const cast = castFrom({ db: ":memory:" });
  if (kind === "inbox") {
    const { errors, warnings, termination } = checkInbox(json);
    const read = readInbox(json);
    const { powersOf } = await import("../runs/inbox-runs.ts");
    const drawn = read.ok ? drawingOf(drawInbox(read.definition as InboxDefinition).graph) : null;
    const powers = read.ok ? powersOf(read.definition, cast) : [];
    return { check: checkOf(errors, warnings, termination), drawing: drawn, powers };
  }
  const { below } = readLayers({});
  const { errors, warnings, termination } = checkLoadout(json, { below });
  const read = readLoadout(json, { below });
  const { powersOf } = await import("../runs/loadout-runs.ts");
  const drawn = read.ok ? drawingOf(drawLoadout(read.definition as LoadoutDefinition).graph) : null;
  const powers = read.ok ? powersOf(read.definition, cast) : [];
  return { check: checkOf(errors, warnings, termination), drawing: drawn, powers };
}

/** A drawing is plain data. */
function drawingOf(drawing: object): Json {
  return drawing as unknown as Json;
}

function checkOf(
  errors: readonly Issue[],
  warnings: readonly Issue[],
  termination: CheckDocument["termination"],
): CheckDocument {
  return { ok: errors.length === 0, errors: errors.map(line), warnings: warnings.map(line), termination };
}

function line({ code, pointer, message, hint }: Issue): IssueLine {
  return { code, pointer, message, hint };
}

function notJson(): CheckDocument {
  const issue = { code: "unreadable", pointer: "", message: "The text is not JSON.", hint: "Repair it." };
  const termination = { verdict: "unknown", bound: null, cycle: null } as const;
  return { ok: false, errors: [issue], warnings: [], termination };
}
