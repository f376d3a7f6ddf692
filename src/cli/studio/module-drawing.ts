/**
 * The drawing of a module: its code has to be run for it, since only code knows the graph that it builds.
 *
 * 1. A module is run where a person put it, or allowed its content; one that came with a repository is not run by
 *    looking at it.
 * 2. It runs in a process of its own, one module at a time, which ends with what it started when the drawing is there,
 *    or the time or the room is used up.
 * 3. That process gets none of the variables of this one but those that a program needs to find its way: keys and
 *    tokens stay here.
 */

import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { isJsonObject, type Json } from "../../base/json.ts";
import { Problem } from "../../server/problem.ts";
import { needsTrust } from "../runs/trust.ts";
import { quoted, selfName } from "../self.ts";
import { jsonIn } from "./definition-list.ts";
import type { ProjectFile } from "./project-files.ts";
import { Slots } from "./slots.ts";

/** In milliseconds. */
const LONGEST = 15_000;
/** How long the pipes of one that is over may still drain. */
const DRAIN = 500;
/** In characters: of a drawing, and of what is kept of what the module says. */
const MOST = 1_000_000;
const MOST_SAID = 2000;

const CHILD = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "./module-child.ts" : "./module-child.js", import.meta.url),
);

/** What a program needs to find its way (3). */
const ENVIRONMENT: readonly string[] = [
  ...["PATH", "HOME", "USERPROFILE", "TMPDIR", "TEMP", "TMP", "LANG", "LC_ALL", "TZ"],
  ...["SystemRoot", "SYSTEMROOT", "COMSPEC", "PATHEXT", "APPDATA", "LOCALAPPDATA"],
];

const slots = new Slots(1);

/** The drawing. Throws a `Problem` that says what to do where there is none. */
export async function moduleDrawing(file: ProjectFile, text: string): Promise<Json> {
  requireTrust(file, text);
  const answer = await slots.use(() => runChild(file));
  if (answer.drawing !== undefined) return answer.drawing;
  const { message, hint } = answer;
  throw new Problem("invalid_definition", String(message), { ...(hint !== undefined && { hint }) });
}

/** What the child says, once. */
export type Answer =
  | { readonly drawing: Json }
  | { readonly drawing?: undefined; readonly message: string; readonly hint?: string | undefined };

/** (1) */
function requireTrust({ path, absolute }: ProjectFile, text: string): void {
  if (!needsTrust({ path: absolute, text, powers: ["run its code"] })) return;
  const message = `${path} came with its repository, and drawing it would run its code.`;
  const hint = `Read it, and then allow it with \`${selfName()} trust ${quoted(path)}\`.`;
  throw new Problem("not_trusted", message, { hint, powers: ["run its code"] });
}

/** (2) */
async function runChild({ path, absolute }: ProjectFile): Promise<Answer> {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", CHILD, absolute], {
    stdio: ["ignore", "ignore", "pipe", "pipe"],
    env: Object.fromEntries(ENVIRONMENT.flatMap((name) => [[name, process.env[name]]])), // (3)
    detached: process.platform !== "win32",
  });
  const timer = setTimeout(() => end(child), LONGEST);
  child.once("exit", () => end(child)); // with what it left behind, which would keep its pipes open
  try {
    const [answer, said] = await Promise.all([
      collected(child.stdio[3] as Readable, MOST, () => end(child)), // a pipe, as asked for
      collected(child.stdio[2] as Readable, MOST_SAID, () => {}),
      ended(child),
    ]);
    const json = answer.length < MOST ? jsonIn(answer) : undefined;
    if (isJsonObject(json)) return json as unknown as Answer; // the child's last word, or what a module said for it
    throw silent(path, said);
  } finally {
    clearTimeout(timer);
  }
}

function silent(path: string, said: string): Problem {
  const last = said.trim().split("\n").slice(-6).join("\n");
  const message = `${path} did not say within ${LONGEST / 1000} seconds, or in too many words, what its graph is.`;
  const hint = last === "" ? "See whether it does work while it is loaded." : `It said: ${last}`;
  return new Problem("invalid_definition", message, { hint });
}

/** Ends a child with all that it started. Who has left its group and holds a pipe open is not waited for. */
function end(child: ChildProcess): void {
  setTimeout(() => {
    for (const pipe of child.stdio) pipe?.destroy();
  }, DRAIN).unref();
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill("SIGKILL");
    else process.kill(-child.pid, "SIGKILL");
  } catch {
    // There is nobody left.
  }
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", () => resolve());
  });
}

/** What a stream says, of which no more than so much is kept; `onMore` is called when there is more. */
async function collected(stream: Readable, most: number, onMore: () => void): Promise<string> {
  let text = "";
  try {
    for await (const chunk of stream.setEncoding("utf8")) {
      if (text.length < most) text += String(chunk).slice(0, most - text.length);
      else onMore();
    }
  } catch {
    // It was closed from here; what was said is said.
  }
  return text;
}
