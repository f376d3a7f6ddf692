import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Turn, TurnRequest } from "../../agent/agent.ts";
import { LocalCommands } from "../command/local-commands.ts";
import { CommandAgent, type CommandAgentOptions } from "./command-agent.ts";

const NODE = process.execPath;
const cwd = process.cwd();

function turn(
  options: Omit<CommandAgentOptions, "commands">,
  request: Partial<TurnRequest> = {},
): Promise<Turn> {
  const agent = new CommandAgent({ commands: (own) => new LocalCommands({ cwd: own ?? cwd }), ...options });
  return agent.turn({
    ...{
      node: "n",
      prompt: "Do {model} it; $(rm -rf /)",
      tools: "none",
      idempotencyKey: "k",
      progress: () => {},
    },
    ...{ signal: new AbortController().signal, ...request },
  });
}

const ECHO = "process.stdout.write(process.argv.slice(1).join('|'))";
const CAT = "process.stdin.pipe(process.stdout)";

test("the prompt is one argument, and nothing in it is code or a place (1)", async () => {
  const argv = [NODE, "-e", ECHO, "--", "-p", "{prompt}", "{model}"] as const;
  expect(await turn({ argv: [...argv] }, { model: "big" })).toMatchObject({
    ...{ kind: "done", text: "-p|Do {model} it; $(rm -rf /)|big" },
    usage: { tokens: 0, costUsd: null },
  });
});

test("without a place for it, the prompt is standard input (1)", async () => {
  expect(await turn({ argv: [NODE, "-e", CAT] })).toMatchObject({ text: "Do {model} it; $(rm -rf /)" });
});

test("it gets the full prompt, since it has no session (2)", async () => {
  expect(await turn({ argv: [NODE, "-e", CAT] }, { fullPrompt: "All." })).toMatchObject({ text: "All." });
});

test("JSON is read at its paths, with what the turn took (3)", async () => {
  const print = `console.log(JSON.stringify({ result: { text: "Hi" }, usage: { tokens: 7 }, cost: 0.5 }))`;
  const paths = { textAt: ["result", "text"], tokensAt: ["usage", "tokens"], costUsdAt: ["cost"] };
  expect(await turn({ argv: [NODE, "-e", print], output: "json", ...paths })).toMatchObject({
    ...{ kind: "done", text: "Hi", usage: { tokens: 7, costUsd: 0.5 } },
  });
});

test.each<[string, Omit<CommandAgentOptions, "commands">, Partial<TurnRequest>, object]>([
  [
    "a bad exit",
    { argv: [NODE, "-e", "console.error('Bad key.'); process.exit(2)"] },
    {},
    { code: "agent_failed", retryable: true, message: expect.stringContaining("code 2. Bad key.") },
  ],
  ["no program", { argv: ["no-such-program"] }, {}, { code: "agent_failed", retryable: false }],
  ["no JSON", { argv: [NODE, "-e", CAT], output: "json" }, {}, { code: "output_invalid" }],
  [
    "nothing at the path",
    { argv: [NODE, "-e", "console.log('{}')"], output: "json", textAt: ["__proto__"] },
    {},
    { code: "output_invalid", message: expect.stringContaining("nothing at __proto__") },
  ],
  ["too slow", { argv: [NODE, "-e", "setInterval(() => {}, 9)"], timeoutMs: 200 }, {}, { retryable: true }],
  [
    "stopped",
    { argv: [NODE, "-e", CAT] },
    { signal: AbortSignal.abort() },
    { message: "The turn was stopped." },
  ],
  [
    "a model without a place",
    { argv: [NODE, "-e", CAT] },
    { model: "big" },
    { message: expect.stringContaining("write {model} into its arguments") },
  ],
])("%s is a failure", async (_, options, request, failure) => {
  expect(await turn(options, request)).toMatchObject({ kind: "failed", failure });
});

describe("a program that is run again", () => {
  const SOON = { max: 3, initialInterval: 1, maxInterval: 1 };

  /** A program that does this in its first run and answers in the second, and the file in which it counts. */
  function failing(how: string): readonly [argv: readonly [string, ...string[]], runs: () => number] {
    const file = join(mkdtempSync(join(tmpdir(), "baton-command-")), "runs");
    writeFileSync(file, "");
    const code = `fs.appendFileSync(process.argv[1], "."); if (fs.readFileSync(process.argv[1], "utf8") === ".") { ${how} } console.log("At last.");`;
    return [[NODE, "-e", code, file], () => readFileSync(file, "utf8").length];
  }

  test.each([
    ["in words", 'console.error("HTTP 429 Too Many Requests"); process.exit(1);'],
    ["with the exit code for that", "process.exit(75);"],
  ])("told of a failure that may pass, %s (4)", async (_, how) => {
    const [argv, runs] = failing(how);
    expect(await turn({ argv: [...argv], retries: SOON })).toMatchObject({ kind: "done", text: "At last." });
    expect(runs()).toBe(2);
  });

  test.each<[string, string, CommandAgentOptions["retries"]]>([
    ["nobody said how often", "process.exit(75);", undefined],
    ["it had printed something", 'console.log("I"); process.exitCode = 75; process.exit();', SOON],
    ["another run would meet the same", 'console.error("Bad key."); process.exit(1);', SOON],
  ])("is none where %s", async (_, how, retries) => {
    const [argv, runs] = failing(how);
    expect(await turn({ argv: [...argv], ...(retries && { retries }) })).toMatchObject({ kind: "failed" });
    expect(runs()).toBe(1);
  });
});

test("a turn that says that it took more than its budget has failed (3)", async () => {
  const argv = [NODE, "-e", "console.log(JSON.stringify({ result: 'Much.', tokens: 7 }))"] as const;
  const paths = { output: "json", textAt: ["result"], tokensAt: ["tokens"] } as const;
  expect(await turn({ argv, ...paths, tokens: 7 })).toMatchObject({ kind: "done", text: "Much." });
  expect(await turn({ argv, ...paths, tokens: 6 })).toMatchObject({
    ...{ kind: "failed", usage: { tokens: 7 } },
    failure: { code: "step_limit", message: "The turn took 7 tokens, and its budget is 6." },
  });
});
