/** The page on the command line is complete: every verb, every flag and every exit code stands in it, and no other. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { GLOBAL_FLAGS } from "../../src/cli/global-flags.ts";
import { VERBS } from "../../src/cli/verbs.ts";
import { EXIT } from "../../src/protocol/codes.ts";
import { CommandLine, ROOT } from "./cli-harness.ts";

const PAGE = readFileSync(join(ROOT, "docs", "cli.md"), "utf8");
const sections = new Map(
  PAGE.split(/^### /m)
    .slice(1)
    .map((text) => [text.split("\n")[0] ?? "", text] as const),
);
const shown = VERBS.filter(({ hidden }) => hidden !== true);

test("the verbs are those of `baton --help`, in its order", async () => {
  const { stdout } = await new CommandLine().run("--help");
  const helped = [...stdout.matchAll(/^ {2}([a-z]+) /gm)]
    .map(([, verb]) => verb)
    .filter((verb) => verb !== "help");
  expect([...sections.keys()]).toEqual(helped);
});

test("each verb has an example", () => {
  for (const [verb, text] of sections) expect(text).toContain(`baton ${verb}`);
});

test("every flag is named", () => {
  const flags = [...shown.flatMap((verb) => verb.flags), ...GLOBAL_FLAGS];
  const names = flags.map(([flag]) => /--?[a-z-]+/.exec(flag)?.[0] ?? "");
  expect(names.filter((name) => !PAGE.includes(name))).toEqual([]);
});

test("every exit code is told", () => {
  for (const code of Object.values(EXIT)) expect(PAGE).toMatch(new RegExp(`^\\|.*\\b${code}\\b`, "m"));
});
