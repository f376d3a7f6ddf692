/** A line reader asks for one line at the terminal, and can be told to stop asking. */

import { createInterface } from "node:readline/promises";

/** The line that the person types; `undefined` when the signal fires first, or the person ends the input. */
export async function readLine(
  prompt: string,
  signal: AbortSignal,
  prefill?: string,
): Promise<string | undefined> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  // In raw mode the terminal hands over the key instead of sending the signal.
  lines.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  const closed = new Promise<undefined>((resolve) => lines.once("close", () => resolve(undefined)));
  try {
    const answer = lines.question(prompt, { signal });
    if (prefill !== undefined) lines.write(prefill);
    return await Promise.race([answer, closed]);
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  } finally {
    lines.close();
  }
}
