/** The command `baton`: the process around a command line, from its first module to its exit code. */

import { enableCompileCache } from "node:module";

// Modules that were compiled once start at once. What is imported before this line is not cached, so nothing is.
enableCompileCache();

/** How long tasks that were told to stop get to do so before the process ends, in milliseconds. */
const GRACE = 2000;
const BROKEN_PIPE = "EPIPE";

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === BROKEN_PIPE) process.exit();
  throw error;
});

const argv = process.argv.slice(2);
const { helpAsked } = await import("./help.ts");
const help = helpAsked(argv);
if (help === undefined) {
  const { main } = await import("./command-line.ts");
  const code = await main(argv);
  process.exitCode = code;
  setTimeout(() => process.exit(code), GRACE).unref();
} else process.stdout.write(help);
