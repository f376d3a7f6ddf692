import { expect, test } from "vitest";
import { commandHelp, helpAsked, verbHelp } from "./help.ts";
import { VERBS } from "./verbs.ts";
import { version } from "./version.ts";

const nameOf = ({ usage }: (typeof VERBS)[number]) => usage.split(" ")[0] as string;

test.each([["--help"], ["-h"], ["help"]])("%s alone asks for the command's help", (flag) => {
  expect(helpAsked([flag])).toBe(commandHelp());
});

test.each([["--version"], ["-V"]])("%s alone asks for the version", (flag) => {
  expect(helpAsked([flag])).toBe(`${version()}\n`);
});

test.each(VERBS.map((verb) => [nameOf(verb), verb] as const))(
  "%s can be asked about in three ways",
  (name, verb) => {
    const help = verbHelp(verb);
    for (const asked of [
      [name, "--help"],
      [name, "-h"],
      ["help", name],
    ])
      expect(helpAsked(asked)).toBe(help);
    expect(help).toContain(`Usage: baton ${name} [options]`);
  },
);

test("whatever else is said is for the parser", () => {
  const others = [
    [],
    ["run"],
    ["nope", "--help"],
    ["help", "nope"],
    ["--json", "--help"],
    ["show", "x", "--help"],
  ];
  for (const argv of others) expect(helpAsked(argv)).toBeUndefined();
});

test("the help of a verb keeps to eighty columns, save examples and words that are longer", () => {
  const lines = VERBS.flatMap((verb) => verbHelp(verb).split("\n\nExamples:")[0]?.split("\n").slice(1) ?? []);
  const long = lines.filter((line) => line.length > 80 && !/^\S/.test(line));
  expect(long).toEqual([]);
});

test("what only shells call is not listed", () => {
  const hidden = VERBS.filter((verb) => verb.hidden).map(nameOf);
  expect(hidden.length).toBeGreaterThan(0);
  for (const name of hidden) expect(commandHelp()).not.toContain(name);
});
