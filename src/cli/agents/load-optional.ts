/** Loading what stands on an optional package, with a sentence for when that is not installed. */

import { Misuse } from "../misuse.ts";

/** Throws a `Misuse` that says what to install when the package is missing. `what` begins its sentence. */
export async function loadOptional<T>(name: string, what: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
    if (!isMissing || !error.message.includes(`'${name}'`)) throw error;
    const hint = `Install it with: npm install ${name}`;
    throw new Misuse("no_agent", `${what} the package ${name}, which is not installed.`, { hint });
  }
}
