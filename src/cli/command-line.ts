/** The command line: reads the arguments, calls the verb that they name, and says how it went by an exit code. */

import { Command, CommanderError } from "commander";
import { EXIT, type ExitCode } from "../protocol/codes.ts";
import { sendHome } from "./crew.ts";
import { GLOBAL_FLAGS } from "./global-flags.ts";
import { reportError } from "./report.ts";
import { DEFAULT_DB } from "./store.ts";
import { Terminal } from "./terminal.ts";
import type { Options, Verb } from "./verb.ts";
import { VERBS } from "./verbs.ts";
import { version } from "./version.ts";

const EXIT_CODES = `
Exit codes: 0 done, 1 the run failed, 2 usage or an invalid definition, 3 waiting for a person,
4 budget exhausted, 5 stalled, 6 cancelled, 7 diverged, 130 and 143 signals.`;

/** Calls the verb that the arguments name; returns the exit code. */
export async function main(argv: readonly string[]): Promise<ExitCode> {
  let code: ExitCode = EXIT.done;
  const program = commandLine(async (verb, args, options) => {
    const action = await verb.load();
    code = await action({ args, options, terminal: new Terminal(options) });
  });
  try {
    await program.parseAsync(argv, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done;
    return reportError(error, argv);
  } finally {
    await sendHome();
  }
}

type Call = (verb: Verb, args: readonly string[], options: Options) => Promise<void>;

function commandLine(call: Call): Command {
  const program = new Command("baton")
    .description("Baton passes work between agents and never drops it.")
    .usage("[options] <verb> …")
    .version(version(), "-V, --version", "print the version")
    .configureHelp({ showGlobalOptions: true })
    .helpCommand("help [verb]", "say how a verb is called")
    .helpOption("-h, --help", "say how it is called")
    .addHelpText("after", `${EXIT_CODES}\n\nBegin with: baton demo`)
    .exitOverride()
    .configureOutput({ outputError: () => {} });
  for (const [flags, meaning] of GLOBAL_FLAGS) program.option(flags, meaning);
  program.setOptionValueWithSource("db", DEFAULT_DB, "default");
  for (const verb of VERBS) {
    program.addCommand(subcommand(program, verb, call), { hidden: verb.hidden === true });
  }
  return program;
}

function subcommand(program: Command, verb: Verb, call: Call): Command {
  const [name = "", ...takes] = verb.usage.split(" ");
  const command = new Command(name).copyInheritedSettings(program).description(verb.summary);
  for (const taken of takes) command.argument(taken);
  for (const [flags, meaning, repeatable] of verb.flags) {
    if (repeatable) {
      command.option(flags, meaning, (value: string, all: readonly string[] = []) => [...all, value]);
    } else command.option(flags, meaning);
  }
  const notes = verb.notes === undefined ? "" : `\n${verb.notes}\n`;
  command.addHelpText(
    "after",
    `${notes}\nExamples:\n${verb.examples.map((line) => `  $ ${line}`).join("\n")}`,
  );
  command.action(async () => {
    // Commander checked the flags against those declared above, which are those of Options.
    await call(verb, command.args, command.optsWithGlobals() as unknown as Options);
  });
  return command;
}
