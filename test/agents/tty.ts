/** A terminal in which a person could sit: a command gets a screen and a keyboard of its own, by the program `script`. */

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";

const SCRIPT = "/usr/bin/script";

/** Whether this machine can play a terminal: that of util-linux takes the command as an argument. */
export const hasTerminals: boolean = process.platform === "linux" && existsSync(SCRIPT);

export interface TtyOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

export class Tty {
  /** Everything that was printed, with what redraws it. */
  screen = "";
  /** The exit code. */
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcess;
  readonly #waiting: Set<() => void> = new Set();

  constructor(argv: readonly string[], { cwd, env }: TtyOptions) {
    const quoted = argv.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
    const child = spawn(SCRIPT, ["-qefc", `stty cols 110; exec ${quoted}`, "/dev/null"], {
      cwd,
      env: { ...env, TERM: "xterm", SHELL: "/bin/sh" },
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.#child = child;
    child.stdin.on("error", () => {});
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      this.screen += chunk;
      for (const look of this.#waiting) look();
    });
    this.ended = new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code) => {
        for (const look of this.#waiting) look();
        resolve(code);
      });
    });
  }

  /** Resolves once this was printed; rejects when the command ends before. */
  async until(text: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const look = (): void => {
        const isThere = this.screen.includes(text);
        if (!isThere && this.#child.exitCode === null && this.#child.signalCode === null) return;
        this.#waiting.delete(look);
        if (isThere) resolve();
        else reject(new Error(`It ended without “${text}”:\n${this.text}`));
      };
      this.#waiting.add(look);
      look();
    });
  }

  type(line: string): void {
    this.#child.stdin?.write(`${line}\n`);
  }

  /** What a person has read: what was drawn over is gone. */
  get text(): string {
    return drawn(this.screen);
  }
}

/** The characters that move the cursor, wipe and paint, as far as they are used. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that terminals are told things with
const SIGNS = /\u001b\[([0-9;?]*)([A-Za-z])|\r|\n|[^\u001b\r\n]+/g;

function drawn(screen: string): string {
  const lines = [""];
  let row = 0;
  let column = 0;
  for (const [sign, given = "", letter] of screen.matchAll(SIGNS)) {
    const line = lines[row] ?? "";
    if (sign === "\r") column = 0;
    else if (sign === "\n") row++;
    else if (letter === "A") row = Math.max(0, row - Number(given || 1));
    else if (letter === "G") column = Number(given || 1) - 1;
    else if (letter === "K") lines[row] = line.slice(0, column);
    else if (letter === "J") lines.splice(row, lines.length, line.slice(0, column));
    else if (letter === undefined) {
      lines[row] = line.slice(0, column).padEnd(column) + sign + line.slice(column + sign.length);
      column += sign.length;
    }
    lines[row] ??= "";
  }
  return lines.map((line) => line.trimEnd()).join("\n");
}
