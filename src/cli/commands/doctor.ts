/** `baton doctor`: what Baton needs of this machine, what it could use, and what is missing. */

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { messageOf } from "../../base/failure.ts";
import { inspectJournal } from "../../history/retention/inspect.ts";
import { EXIT, type ExitCode } from "../../protocol/codes.ts";
import { detectModels } from "../../providers/model/detect-models.ts";
import { detectPi } from "../../providers/pi/detect-pi.ts";
import { type AgentSettings, kindOf } from "../agents/agent-settings.ts";
import { detectReal, openReal } from "../agents/real-agents.ts";
import { remarksOn } from "../agents/remarks.ts";
import { Misuse } from "../misuse.ts";
import { readLayers } from "../runs/source.ts";
import { withStore } from "../runs/store.ts";
import { harmless } from "../terminal/style.ts";
import type { Call, Options } from "../verb.ts";
import { version } from "../version.ts";

interface Finding {
  readonly name: string;
  readonly ok: boolean;
  /** False for what Baton can do without. */
  readonly required: boolean;
  readonly detail: string;
}

const NODE = { major: 22, minor: 13 };

/** Looks at everything; fails when something that is needed is not as it should be. */
export async function doctor({ options, terminal }: Call): Promise<ExitCode> {
  const findings = [
    { name: "baton", ok: true, required: true, detail: version() },
    node(),
    await sqlite(),
    program("git", "repositories of runs, and diffs of turns"),
    program("jj", "repositories that are kept with jj"),
    config(options),
    await database(options),
    ...(await agents(options)),
  ];
  const ok = findings.every((finding) => finding.ok || !finding.required);
  terminal.document({ ok, findings });
  for (const finding of findings) terminal.event(finding);
  for (const { name, ok: isFine, required, detail } of findings) {
    const mark = isFine
      ? terminal.paint("green", "ok     ")
      : terminal.paint(required ? "red" : "yellow", required ? "wrong  " : "missing");
    terminal.print(`${mark} ${name.padEnd(14)} ${harmless(detail)}`);
  }
  return ok ? EXIT.done : EXIT.failed;
}

function node(): Finding {
  const { node: running } = process.versions;
  const [major = 0, minor = 0] = running.split(".").map(Number);
  const ok = major > NODE.major || (major === NODE.major && minor >= NODE.minor);
  const detail = ok ? running : `${running}; Baton needs ${NODE.major}.${NODE.minor} or newer.`;
  return { name: "node", ok, required: true, detail };
}

async function sqlite(): Promise<Finding> {
  try {
    const { DatabaseSync } = await import("node:sqlite");
    const db = new DatabaseSync(":memory:");
    const row = db.prepare("SELECT sqlite_version() AS version").get();
    db.close();
    return { name: "sqlite", ok: true, required: true, detail: String(row?.["version"]) };
  } catch (error) {
    return { name: "sqlite", ok: false, required: true, detail: messageOf(error) };
  }
}

function program(name: string, purpose: string): Finding {
  const { status, stdout } = spawnSync(name, ["--version"], { encoding: "utf8", timeout: 5000 });
  const ok = status === 0;
  const detail = ok ? (stdout.split("\n")[0] ?? "") : `not found; it is for ${purpose}.`;
  return { name, ok, required: false, detail };
}

function config(options: Options): Finding {
  try {
    const { below } = readLayers(options);
    const detail = below.length === 0 ? "none, the defaults apply" : `${below.length} read`;
    return { name: "config", ok: true, required: true, detail };
  } catch (error) {
    return { name: "config", ok: false, required: true, detail: messageOf(error) };
  }
}

async function database({ db }: Options): Promise<Finding> {
  if (!existsSync(db)) return { name: "database", ok: true, required: true, detail: `${db}: none yet` };
  try {
    return await withStore(db, { create: false }, async ({ journal }) => {
      const { readable, damaged } = await inspectJournal(journal);
      const bad = damaged.map(({ run, seq, message }) => `${run} after event ${seq}: ${message}`);
      const detail = [`${db}: ${readable.length} runs can be read`, ...bad].join("; ");
      return { name: "database", ok: damaged.length === 0, required: true, detail };
    });
  } catch (error) {
    return { name: "database", ok: false, required: true, detail: messageOf(error) };
  }
}

/** Every kind of agent: what there is, and which line makes use of it or gets it. */
async function agents(options: Options): Promise<readonly Finding[]> {
  const cwd = process.cwd();
  return [...(await acp(cwd)), await pi(cwd), models(), command(), ...(await configured(options, cwd))];
}

async function acp(cwd: string): Promise<readonly Finding[]> {
  try {
    return (await detectReal(cwd)).map(({ name, ...found }) => installed(name, found));
  } catch (error) {
    if (!(error instanceof Misuse)) throw error;
    return [{ name: "agents", ok: false, required: false, detail: [error.message, error.hint].join(" ") }];
  }
}

async function pi(cwd: string): Promise<Finding> {
  return installed("pi", await detectPi({ cwd }));
}

interface Found {
  readonly program?: string;
  readonly version?: string;
  readonly tried: string;
  readonly advice: string;
}

function installed(name: string, { program: path, version: number, tried, advice }: Found): Finding {
  const other = number === undefined || number === tried ? "" : ` (${tried} was tried)`;
  const detail =
    path === undefined ? advice : `${path}${number === undefined ? "" : ` ${number}`}${other}; ${advice}`;
  return { name: `agent ${name}`, ok: path !== undefined, required: false, detail };
}

function models(): Finding {
  const { sdk, providers, advice } = detectModels();
  const listed = providers.map(({ provider, version: number }) => `${provider} ${number}`).join(", ");
  const ok = sdk !== undefined && providers.length > 0;
  const there = [sdk === undefined ? "the package ai is missing" : `ai ${sdk}`, listed || "no provider"].join(
    ", ",
  );
  return { name: "agents model", ok, required: false, detail: `${there}; ${advice}` };
}

function command(): Finding {
  const line = '"agents": { "NAME": { "kind": "command", "command": ["PROGRAM", "{prompt}"] } }';
  return {
    name: "agents command",
    ok: true,
    required: false,
    detail: `any program that prints its answer; ${line}`,
  };
}

/** The agents of the config: whether what they need is there. Nothing of them is started. */
async function configured(options: Options, cwd: string): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  for (const [name, settings] of settingsIn(options)) {
    const kind = kindOf(name, settings);
    const finding = { name: `config ${name}`, required: false };
    try {
      await openReal(name, settings, { cwd });
      const detail = [`of kind ${kind}; "agent": ${JSON.stringify(name)}`, ...remarksOn(name, settings)];
      found.push({ ...finding, ok: true, detail: detail.join(". ") });
    } catch (error) {
      const hint = error instanceof Misuse && error.hint !== undefined ? ` ${error.hint}` : "";
      found.push({ ...finding, ok: false, detail: `of kind ${kind}: ${messageOf(error)}${hint}` });
    }
  }
  return found;
}

function settingsIn(options: Options): ReadonlyMap<string, AgentSettings> {
  try {
    return readLayers(options).agents;
  } catch {
    return new Map(); // the finding about the config says why
  }
}
