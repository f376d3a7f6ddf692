/** Signals are how a person or a system ends the process: the first one stops in good order, the second one at once. */

import { EXIT, type ExitCode } from "../../protocol/codes.ts";

export type SignalName = "SIGINT" | "SIGTERM";

const CODES: Readonly<Record<SignalName, ExitCode>> = { SIGINT: EXIT.sigint, SIGTERM: EXIT.sigterm };

/** Listens until it is ended; meanwhile signals do not end the process by themselves. */
export class Signals {
  readonly #abort: AbortController = new AbortController();
  #code: ExitCode | undefined;
  readonly #listener: (name: SignalName) => void;

  constructor(onFirst: (name: SignalName) => void) {
    this.#listener = (name) => {
      const code = CODES[name];
      if (this.#code !== undefined) process.exit(code);
      this.#code = code;
      onFirst(name);
      this.#abort.abort(new DOMException(`The driver got ${name}.`, "AbortError"));
    };
    for (const name of Object.keys(CODES)) process.on(name, this.#listener);
  }

  /** Fires with the first signal. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** The exit code of the first signal, once there was one. */
  get code(): ExitCode | undefined {
    return this.#code;
  }

  end(): void {
    for (const name of Object.keys(CODES)) process.off(name, this.#listener);
  }
}
