/**
 * The tools with which a model changes the working folder and runs programs in it.
 *
 * 1. There is no shell: a program gets its arguments as they are.
 * 2. The records of version control and of Baton are changed by nobody: a hook in them would run later, unasked.
 */

import { join, relative, sep } from "node:path";
import type { CommandResult } from "../../agent/command.ts";
import { object, optional } from "../../base/object-shape.ts";
import { array, integer, type Shape, string } from "../../base/shape.ts";
import { LocalCommands } from "../command/local-commands.ts";
import { realPath, segmentsInside } from "../workspace/inside.ts";
import { LocalReading } from "../workspace/local-reading.ts";
import { LocalWorkspace } from "../workspace/local-workspace.ts";
import type { ModelTool, ToolDiff, ToolPlace } from "./model-tool.ts";
import { shaped } from "./shaped-tool.ts";

const RUN_SECONDS = 600;
const MOST_SECONDS = 3600;
const MAX_OUTPUT_BYTES = 64 * 1024;
const RECORDS: ReadonlySet<string> = new Set([".git", ".jj", ".hg", ".svn", ".baton"]);

interface Write {
  readonly path: string;
  readonly content: string;
}

const write: Shape<Write> = object("What to write.", {
  path: string("The file, relative to the working folder.", { filled: true }),
  content: string("All that the file is to contain."),
});

interface Edit {
  readonly path: string;
  readonly old: string;
  readonly new: string;
}

const edit: Shape<Edit> = object("What to replace.", {
  path: string("The file, relative to the working folder.", { filled: true }),
  old: string("The text to replace, letter by letter; it stands in the file once.", { filled: true }),
  new: string("What stands there instead."),
});

interface Run {
  readonly argv: readonly string[];
  readonly seconds?: number;
}

const run: Shape<Run> = object("What to run.", {
  argv: array("The program and its arguments; there is no shell.", string("A word."), { least: 1 }),
  seconds: optional(
    integer(`After so many seconds it is ended; ${RUN_SECONDS} when absent.`, {
      least: 1,
      most: MOST_SECONDS,
    }),
  ),
});

/** What `coding` has besides what looks. */
export const CHANGING_TOOLS: readonly ModelTool[] = [
  shaped({
    ...{ name: "write", kind: "edit", description: "Writes a whole file, and the folders above it." },
    shape: write,
    paths: ({ path }) => [path],
    async diffs({ path, content }, { cwd }) {
      return [await diffOf(path, content, cwd)];
    },
    async run({ path, content }, { cwd }) {
      await writeFile(path, content, cwd);
      return "Written.";
    },
  }),
  shaped({
    ...{ name: "edit", kind: "edit", description: "Replaces a text in a file. Read the file first." },
    shape: edit,
    paths: ({ path }) => [path],
    async diffs(input, { cwd }) {
      return [await diffOf(input.path, await edited(input, cwd), cwd)];
    },
    async run(input, { cwd }) {
      await writeFile(input.path, await edited(input, cwd), cwd);
      return "Replaced.";
    },
  }),
  shaped({
    ...{ name: "run", kind: "execute" },
    description: "Runs a program in the working folder, without a shell, and says what it printed.",
    shape: run,
    run: async (input, place) => told(await runProgram(input, place), input),
  }),
];

async function diffOf(path: string, newText: string, cwd: string): Promise<ToolDiff> {
  return { path, oldText: (await new LocalReading(cwd).whole(path)) ?? null, newText };
}

async function writeFile(path: string, content: string, cwd: string): Promise<void> {
  const segments = segmentsInside(path);
  const record = recordIn(segments) ?? recordIn(await realSegments(cwd, segments));
  if (record !== undefined) throw new Error(`Nobody writes into ${record}.`); // (2)
  await new LocalWorkspace(cwd).write(path, content);
}

function recordIn(segments: readonly string[]): string | undefined {
  return segments.find((segment) => RECORDS.has(segment.toLowerCase()));
}

/** Where the part of a path that is there already really lies below the folder. */
async function realSegments(cwd: string, segments: readonly string[]): Promise<readonly string[]> {
  const root = await realPath(cwd);
  if (root === undefined) return [];
  for (let length = segments.length; length > 0; length--) {
    const real = await realPath(join(root, ...segments.slice(0, length)));
    if (real !== undefined) return relative(root, real).split(sep);
  }
  return [];
}

/** The file as it will be. Rejects with a sentence when the text to replace does not stand in it once. */
async function edited({ path, old, new: fresh }: Edit, cwd: string): Promise<string> {
  const reading = new LocalReading(cwd);
  const text = await reading.whole(path);
  if (text === undefined) {
    await reading.read(path, { count: 1 }); // says why, when there is no such file
    throw new Error(`${JSON.stringify(path)} is too long to be edited in this way.`);
  }
  const at = text.indexOf(old);
  if (at < 0) throw new Error(`${JSON.stringify(path)} does not contain the text to replace.`);
  if (text.indexOf(old, at + 1) >= 0) {
    throw new Error(
      `${JSON.stringify(path)} contains the text more than once: give more of what is around it.`,
    );
  }
  return text.slice(0, at) + fresh + text.slice(at + old.length);
}

function runProgram(
  { argv, seconds = RUN_SECONDS }: Run,
  { cwd, signal }: ToolPlace,
): Promise<CommandResult> {
  return new LocalCommands({ cwd }).run({
    ...{ argv, stdin: "", timeoutMs: seconds * 1000, maxOutputBytes: MAX_OUTPUT_BYTES, signal },
  });
}

function told({ ended, code, stdout, stderr }: CommandResult, { seconds = RUN_SECONDS }: Run): string {
  const how: { readonly [E in CommandResult["ended"]]: string } = {
    exited: `It ended with code ${code}.`,
    timed_out: `It was ended after ${seconds} s.`,
    too_large: `It was ended since it printed more than ${MAX_OUTPUT_BYTES} bytes.`,
    not_started: "It could not be started.",
    stopped: "It was stopped.",
  };
  const parts = [how[ended]];
  if (stdout !== "") parts.push(`Standard output:\n${stdout}`);
  if (stderr !== "") parts.push(`Standard error:\n${stderr}`);
  return parts.join("\n");
}
