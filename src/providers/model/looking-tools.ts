/** The tools with which a model looks at the working folder. */

import { object, optional } from "../../base/object-shape.ts";
import { integer, type Shape, string } from "../../base/shape.ts";
import { LocalReading } from "../workspace/local-reading.ts";
import type { ModelTool } from "./model-tool.ts";
import { shaped } from "./shaped-tool.ts";

interface Read {
  readonly path: string;
  readonly from?: number;
  readonly lines?: number;
}

const read: Shape<Read> = object("What to read.", {
  path: string("The file, relative to the working folder.", { filled: true }),
  from: optional(integer("The first line, from 1.", { least: 1 })),
  lines: optional(integer("How many lines.", { least: 1 })),
});

const list: Shape<{ readonly path?: string }> = object("What to list.", {
  path: optional(string("The folder, relative to the working folder; that itself when absent.")),
});

const search: Shape<{ readonly text: string; readonly path?: string }> = object("What to search for.", {
  text: string("What a line must contain, letter by letter.", { filled: true }),
  path: optional(string("The folder or file to search in; everything when absent.")),
});

/** What `readOnly` stands for. */
export const LOOKING_TOOLS: readonly ModelTool[] = [
  shaped({
    ...{ name: "read", kind: "read", description: "Reads a text file, or some of its lines." },
    shape: read,
    paths: ({ path }) => [path],
    run: ({ path, from, lines }, { cwd }) =>
      new LocalReading(cwd).read(path, {
        ...(from !== undefined && { from }),
        ...(lines !== undefined && { count: lines }),
      }),
  }),
  shaped({
    ...{ name: "list", kind: "read", description: "Lists what lies in a folder; folders end with a slash." },
    shape: list,
    paths: ({ path }) => (path === undefined ? [] : [path]),
    run: async ({ path }, { cwd }) => (await new LocalReading(cwd).list(path)).join("\n"),
  }),
  shaped({
    ...{
      name: "search",
      kind: "search",
      description: "Finds the lines that contain a text, in all files below a folder.",
    },
    shape: search,
    paths: ({ path }) => (path === undefined ? [] : [path]),
    async run({ text, path }, { cwd, signal }) {
      const hits = await new LocalReading(cwd).search({ text, signal, ...(path !== undefined && { path }) });
      return hits.length === 0 ? "Nothing contains it." : hits.join("\n");
    },
  }),
];
