/** Opening a browser: a courtesy that may fail without anybody being worse off. */

import { spawn } from "node:child_process";

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/** Asks the system to show an address. */
export function openBrowser(url: string): void {
  const [program = "xdg-open", ...args] = OPENERS[process.platform] ?? [];
  const child = spawn(program, [...args, url], { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}
