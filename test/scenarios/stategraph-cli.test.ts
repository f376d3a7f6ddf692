/** Promises of workflows on the command line: `baton run` takes their input as they are. */
import { expect, test } from "vitest";
import { CommandLine } from "./cli-harness.ts";

const ESSAY = `
  import { entrypoint, interrupt, task } from "batonjs";
  const print = task("print", async (value) => JSON.stringify(value));
  export default entrypoint("essay", async (input) =>
    input === "ask" ? "answered " + interrupt("?") : "got " + (await print(input)));`;

test.each<[how: string, args: string[], output: string]>([
  ["a text behind its file", ["cats", "and", "dogs"], 'got "cats and dogs"'],
  ["JSON behind its file", ["[1,2]"], "got [1,2]"],
  ["an object of flags", ["--input", "topic=cats", "--input", "n=3"], 'got {"topic":"cats","n":3}'],
  ["nothing, which is an empty object", [], "got {}"],
])("a workflow gets %s", async (_how, args, output) => {
  const cli = new CommandLine({ "essay.ts": ESSAY });
  const { document } = await cli.json<{ status: string; state: object }>("run", "essay.ts", ...args);
  expect(document).toMatchObject({ status: "completed", state: { output } });
});

test("a workflow that asks is answered as any run is, and two inputs at once are refused", async () => {
  const cli = new CommandLine({ "essay.ts": ESSAY });
  const asked = await cli.json<{ status: string }>("run", "essay.ts", "ask", "--run-id", "e");
  expect(asked.document).toMatchObject({ status: "waiting" });
  const { document } = await cli.json<{ state: object }>("answer", "e", "yes");
  expect(document).toMatchObject({ state: { output: "answered yes" } });
  const both = await cli.run("run", "essay.ts", "cats", "--input", "topic=cats");
  expect(both.stderr).toContain("one input");
});
