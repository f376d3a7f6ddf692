/**
 * A process group is a command with everything that it has started, as far as that has not left the group.
 *
 * 1. Ending it asks first (TERM) and forces after a grace (KILL), whoever in it is still there.
 * 2. No group outlives this process: the groups that are open when it exits are killed.
 */

import type { ChildProcess } from "node:child_process";

/** How long a group has between TERM and KILL, in milliseconds. */
const GRACE_MS = 1000;

const open: Set<ProcessGroup> = new Set();

export class ProcessGroup {
  readonly #leader: ChildProcess;
  #force: NodeJS.Timeout | undefined;
  #forced: (() => void) | undefined;

  /** @param leader A child that was started `detached`, which makes it the leader of its own group. */
  constructor(leader: ChildProcess) {
    this.#leader = leader;
    if (open.size === 0) process.on("exit", killOpen);
    open.add(this);
  }

  /** Sends TERM now and KILL after the grace; `forced` is told once KILL was sent. */
  end(forced: () => void): void {
    if (this.#force !== undefined) return;
    this.#forced = forced;
    this.#force = setTimeout(() => this.kill(), GRACE_MS);
    this.#signal("SIGTERM");
  }

  /** Sends KILL. */
  kill(): void {
    this.#signal("SIGKILL");
    this.#forced?.();
  }

  /** True while there is someone to send a signal to. */
  get isAlive(): boolean {
    return this.#signal(0);
  }

  /** Stops looking after the group. */
  release(): void {
    clearTimeout(this.#force);
    if (open.delete(this) && open.size === 0) process.off("exit", killOpen);
  }

  #signal(signal: NodeJS.Signals | 0): boolean {
    const { pid } = this.#leader;
    if (pid === undefined) return false;
    try {
      // Windows has no groups: there only the leader ends.
      return process.platform === "win32" ? this.#leader.kill(signal) : process.kill(-pid, signal);
    } catch {
      return false; // nobody is left in the group
    }
  }
}

function killOpen(): void {
  for (const group of open) group.kill();
}
