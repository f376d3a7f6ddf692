/** The command line: reads the arguments, calls the verb that they name, and says how it went by an exit code. */

import { Command, CommanderError } from "commander";
import { EXIT, type ExitCode } from "../protocol/codes.ts";
import { sendHome } from "./agents/crew.ts";
import { DEFAULT_DB, GLOBAL_FLAGS } from "./global-flags.ts";
import {
  ABOUT,
  commandHelp,
  HELP_FLAG,
  HELP_VERB,
  refuseUnknownHelp,
  VERSION_FLAG,
  verbHelp,
  verbIn,
} from "./help.ts";
import { reportError } from "./terminal/report.ts";
import { Terminal } from "./terminal/terminal.ts";
import type { Options, Verb } from "./verb.ts";
import { VERBS } from "./verbs.ts";
import { version } from "./version.ts";

/** Calls the verb that the arguments name; returns the exit code. */
export async function main(argv: readonly string[]): Promise<ExitCode> {
  let code: ExitCode = EXIT.done;
  const program = commandLine(async (verb, args, options) => {
    const action = await verb.load();
    code = await action({ args, options, terminal: new Terminal(options) });
  });
  try {
    refuseUnknownHelp(argv);
    await program.parseAsync(argv, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done;
    return reportError(error, argv, verbIn(argv));
  } finally {
    await sendHome();
  }
}

type Call = (verb: Verb, args: readonly string[], options: Options) => Promise<void>;

function commandLine(call: Call): Command {
  const program = new Command("baton")
    .description(ABOUT)
    .version(version(), ...VERSION_FLAG)
    .configureHelp({ formatHelp: commandHelp })
    .helpCommand(...HELP_VERB)
    .helpOption(...HELP_FLAG)
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
  command.configureHelp({ formatHelp: () => verbHelp(verb) });
  command.action(async () => {
    // Commander checked the flags against those declared above, which are those of Options.
    await call(verb, command.args, command.optsWithGlobals() as unknown as Options);
  });
  return command;
}
