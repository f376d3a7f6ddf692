/** The browser that the tests of the page need: Debian's Chromium, installed where it is missing and that is possible. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const PATH = "/usr/bin/chromium";
const INSTALL = ["install", "-y", "--no-install-recommends", "chromium"];
const LONGEST = 300_000;

/** Installs it as root on Debian and its like; elsewhere the tests of the page say aloud that they are skipped. */
export function installBrowser(): void {
  if (process.env["CHROMIUM"] !== undefined || existsSync(PATH)) return;
  if (process.platform !== "linux" || process.getuid?.() !== 0) return;
  console.log("Installing Chromium for the tests of the page…");
  if (!aptGet(INSTALL)) {
    aptGet(["update"]); // a new machine may not know any package yet
    aptGet(INSTALL);
  }
}

function aptGet(args: readonly string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return spawnSync("apt-get", args, { stdio: "ignore", timeout: LONGEST, env }).status === 0;
}
