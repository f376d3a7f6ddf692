/**
 * The loop: ask the kernel what is next, run the tasks that it names, record what came back, and ask again.
 *
 * 1. It waits only for its tasks and its journal; for a person or a later time it returns.
 * 2. Everything that follows from what came back is one append: a step of one task is one transaction.
 * 3. It keeps nothing between two rounds that the log does not have, save the tasks in hand.
 */

import type { TaskId } from "../base/names.ts";
import { type Advanced, advance, type Returned } from "../kernel/next.ts";
import type { Program } from "../kernel/program.ts";
import { Guard, type GuardOptions } from "./guard.ts";
import { Hand } from "./hand.ts";
import type { Host } from "./host.ts";
import type { Ledger, Work } from "./ledger.ts";
import { RETURNS, type Rounds, resumed } from "./rounds.ts";

export interface DriveOptions extends GuardOptions {
  /** The most steps to open before yielding. */
  readonly budget?: number;
  /** How long to wait for tasks that were told to stop, in milliseconds; 2,000 when absent. */
  readonly grace?: number;
}

/**
 * Why the loop returned: over or paused, for an answer, for a time (ms since 1970 UTC), out of budget, told to, or
 * because the run was given another program while this one drove it.
 */
export type Stop =
  | {
      readonly kind: "idle" | "waiting" | "yielded" | "stopped" | "amended";
      readonly thrown: ReadonlyMap<TaskId, unknown>;
    }
  | { readonly kind: "sleeping"; readonly until: number; readonly thrown: ReadonlyMap<TaskId, unknown> };

const GRACE = 2000;

/** Rounds after which timers, sockets and signals get their turn, even when no task ever waits. */
const BREATH = 256;

/** Drives a run until it stops. Throws a `Conflict` when somebody else drives it. */
export async function drive(
  program: Program,
  ledger: Ledger,
  host: Host,
  options: DriveOptions = {},
): Promise<Stop> {
  const hand = new Hand(program, ledger, host);
  const guard = new Guard(hand, ledger, options);
  try {
    return await resumed(rounds({ program, ledger, hand, guard, options }), hand);
  } finally {
    guard.end();
    hand.releaseAll("its driver stopped");
    const leaving = hand.gone(options.grace ?? GRACE);
    if (leaving instanceof Promise) await leaving;
    const flushing = ledger.flush();
    if (flushing instanceof Promise) await flushing;
  }
}

interface Driving {
  readonly program: Program;
  readonly ledger: Ledger;
  readonly hand: Hand;
  readonly guard: Guard;
  readonly options: DriveOptions;
}

/** One round after the other. */
function* rounds({ program, ledger, hand, guard, options }: Driving): Rounds<Stop> {
  const { budget = Number.POSITIVE_INFINITY, signal } = options;
  let steps = 0;
  const given = ledger.state.program?.revision;
  const isAmended = () => ledger.state.program?.revision !== given && isOther(program, ledger);
  const mayOpen = () => !isAmended() && steps++ < budget;
  let returned: readonly Returned[];
  const work: Work<Advanced> = (state, emit, now) =>
    advance(program, state, { returned, now, emit, mayOpen });
  for (let round = 1; !signal?.aborted; round++) {
    returned = hand.take();
    const advanced = ledger.drive(work);
    const { kind } = advanced instanceof Promise ? ((yield advanced) as Advanced) : advanced; // what it resolves to
    guard.releaseStopped();
    const due = kind === "execute" ? hand.start(ledger.state) : NEVER;
    if (hand.isEmpty) return stopped(isAmended() ? "amended" : kind, due, hand);
    const hasMore = kind === "execute" && hand.hasMore;
    if (hasMore || round % BREATH === 0) yield breathe(ledger);
    if (hand.hasReturned || hasMore || guard.isDisturbed) continue;
    yield due === NEVER ? RETURNS : guard.settledOrDue(due);
  }
  return { kind: "stopped", thrown: hand.thrown };
}

const NEVER = Number.POSITIVE_INFINITY;

/** Says whether the handlers that this driver has are not those of the run. */
function isOther({ id }: Program, { state }: Ledger): boolean {
  return state.program !== undefined && state.program.revision !== id.revision;
}

function stopped(kind: Advanced["kind"] | "amended", until: number, { thrown }: Hand): Stop {
  return kind === "execute" ? { kind: "sleeping", until, thrown } : { kind, thrown };
}

async function breathe(ledger: Ledger): Promise<void> {
  await ledger.clock.breathe();
  await ledger.saveSnapshotWhenDue();
}

/** Drives a run, waiting for the times of its retries, until only a person or a command can move it on. */
export async function driveOn(
  program: Program,
  ledger: Ledger,
  host: Host,
  options: DriveOptions = {},
): Promise<Exclude<Stop, { kind: "sleeping" }>> {
  for (;;) {
    const stop = await drive(program, ledger, host, options);
    if (stop.kind !== "sleeping") return stop;
    await ledger.clock.sleep(stop.until - ledger.clock.now(), options.signal);
  }
}
