/** Asks the person at the terminal a question of yes or no. */

import { createInterface } from "node:readline/promises";

/** True for y or yes; anything else, and no answer, is a no. */
export async function confirm(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim());
  } finally {
    lines.close();
  }
}
