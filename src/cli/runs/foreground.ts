/**
 * The foreground is a run that this process goes on with while a person or a program looks on.
 *
 * 1. What was recorded is recorded: a signal stops the driver, and a resume goes on.
 * 2. While another process drives the run, this one only watches, and takes over when that one is gone.
 * 3. The driver of a paused run leaves by itself once what it has in hand is settled: a resume waits for that.
 */

import type { RunId } from "../../base/names.ts";
import { Refusal } from "../../base/refusal.ts";
import { localHost } from "../../engines/local.ts";
import type { Command } from "../../kernel/command.ts";
import type { Event } from "../../kernel/event.ts";
import type { Program } from "../../kernel/program.ts";
import type { ExitCode } from "../../protocol/codes.ts";
import { systemClock } from "../../run/clock.ts";
import { Conflict } from "../../run/journal.ts";
import { type Durability, Ledger } from "../../run/ledger.ts";
import { readEvents } from "../../run/load.ts";
import { Misuse } from "../misuse.ts";
import { selfCall } from "../self.ts";
import { Asker } from "../terminal/asker.ts";
import { readLine } from "../terminal/line-reader.ts";
import { Onlooker } from "../terminal/onlooker.ts";
import { printResult, tellRecorded } from "../terminal/outcome.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Options } from "../verb.ts";
import { dialectOf } from "./dialects.ts";
import { type Driven, type Engine, takeUp } from "./engine.ts";
import { readResult } from "./result.ts";
import { type Seat, takeSeat } from "./seat.ts";
import { Signals } from "./signals.ts";
import type { Store } from "./store.ts";

/** How often to look for what other processes recorded, in milliseconds. */
const INTERVAL = 300;

export interface Foreground {
  readonly program: Program | Engine;
  readonly run: RunId;
  readonly store: Store;
  readonly options: Options;
  readonly terminal: Terminal;
  /** For how long this process may drive, in milliseconds. */
  readonly time?: number | undefined;
}

/** Records what only a driver may (a start, a resume) and drives; refuses while another process drives the run. */
export async function driveFrom(
  foreground: Foreground,
  record: (handle: Driven) => Promise<void>,
): Promise<ExitCode> {
  const { run, store, options } = foreground;
  const seat = await freeSeat(foreground);
  try {
    const local = await openLocal(foreground);
    await record(local.handle);
    return options.detach ? await tellRecorded(store, run, foreground) : await drive(foreground, local);
  } finally {
    seat.leave();
  }
}

/**
 * Records a command that anybody may give (answer, message, retry), and then drives the run, or watches who does (2).
 * A run that was paused for a reason that `lifts` knows is resumed, since the command is what it was paused for.
 */
export async function tellAndGoOn(
  foreground: Foreground,
  command: Command,
  lifts: (reason: string | undefined) => boolean = () => false,
): Promise<ExitCode> {
  const { run, store, options, terminal } = foreground;
  const local = await openLocal(foreground);
  await local.handle.send(command);
  const seat = await seatOrEnd(foreground, local);
  if (seat === undefined)
    return printResult((await readResult(store.journal, run)).result, terminal, options);
  try {
    const mine = await openLocal(foreground);
    const { status, reason } = mine.handle.ledger.state;
    if (status === "paused" && lifts(reason)) {
      const { resumeWrites } = await dialectOf(foreground.program.id);
      await mine.handle.send({ type: "resume", writes: resumeWrites() });
    }
    return await drive(foreground, mine);
  } finally {
    seat.leave();
  }
}

/** The mode that `--durability` names; `sync` when it names none. */
export function durabilityOf({ durability = "sync" }: Options): Durability {
  const known = (["sync", "async", "exit"] as const).find((mode) => mode === durability);
  if (known === undefined) throw new Misuse("usage", "--durability is sync, async or exit.");
  return known;
}

interface Local {
  readonly handle: Driven;
  readonly onlooker: Onlooker;
}

async function openLocal({ program, run, store, options, terminal }: Foreground): Promise<Local> {
  const dialect = await dialectOf(program.id);
  const onlooker = new Onlooker({ run, terminal, watch: dialect.watch() });
  const durability = durabilityOf(options);
  const host = localHost((progress) => onlooker.progress(progress));
  const handle = await takeUp(program, await Ledger.open(store.journal, run, { durability }), host);
  onlooker.catchUp(await eventsAfter(store, run, 0));
  handle.ledger.subscribe((events, state) => onlooker.tell(events, state));
  return { handle, onlooker };
}

async function drive(foreground: Foreground, { handle, onlooker }: Local): Promise<ExitCode> {
  const { run, store, options, terminal, time } = foreground;
  const signals = new Signals((name) => terminal.tell(`${name}: stopping. Once more ends at once.`));
  const endTimer = time === undefined ? () => {} : pauseAfter(time, handle);
  const asker = terminal.asksQuestions ? await askerFor(foreground, { handle, onlooker }) : undefined;
  signals.signal.addEventListener("abort", () => asker?.end());
  onlooker.begin();
  try {
    await handle.drive({ watch: INTERVAL, signal: signals.signal });
    while (asker !== undefined && (await movedOn(asker, handle)) && !signals.signal.aborted) {
      await handle.drive({ watch: INTERVAL, signal: signals.signal });
    }
  } finally {
    endTimer();
    asker?.end();
    onlooker.end();
    signals.end();
  }
  const code = printResult((await readResult(store.journal, run)).result, terminal, options);
  if (signals.code === undefined) return code;
  terminal.advise(`Stopped; everything recorded stays. Go on with: ${selfCall("resume", run, options)}`);
  return signals.code;
}

/** Waits until nothing is being asked, looks for answers of others meanwhile, and says whether the run can go on. */
async function movedOn(asker: Asker, { ledger }: Driven): Promise<boolean> {
  const { seq } = ledger.state;
  const over = new AbortController();
  const settled = asker.settled().finally(() => over.abort());
  const [answered] = await Promise.all([settled, watch(ledger, over.signal)]);
  return answered || ledger.state.seq > seq;
}

async function watch(ledger: Ledger, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await systemClock.sleep(INTERVAL, signal);
    if (!signal.aborted) await ledger.refresh();
  }
}

/** Asks the person at this terminal whatever the run asks, now and from now on. */
async function askerFor({ program }: Foreground, { handle, onlooker }: Local): Promise<Asker> {
  const { checkAnswer } = await dialectOf(program.id);
  const asker = new Asker({
    read: async (prompt, signal, prefill) => {
      onlooker.giveWay();
      const line = await readLine(prompt, signal, prefill);
      onlooker.begin();
      return line;
    },
    say: (text) => onlooker.say(text),
    check: checkAnswer,
    answer: ({ id: question }, value) => handle.send({ type: "answer", question, value }),
  });
  asker.look(handle.ledger.state);
  handle.ledger.subscribe((_, state) => asker.look(state));
  return asker;
}

/** Pauses a run as out of budget when its time is up; what is in hand settles. */
function pauseAfter(time: number, handle: Driven): () => void {
  const over = new AbortController();
  void systemClock.sleep(time, over.signal).then(async () => {
    if (over.signal.aborted) return;
    try {
      await handle.send({ type: "pause", reason: "budget_exhausted" });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error; // refused: it has stopped by itself
    }
  });
  return () => over.abort();
}

/** The right to drive the run, for which it waits while the run is paused (3). Throws a `Conflict` otherwise. */
async function freeSeat({ run, store, terminal }: Foreground): Promise<Seat> {
  for (let told = false; ; told = true) {
    const seat = takeSeat(store.folder, run);
    if (!("pid" in seat)) return seat;
    if ((await store.journal.head(run))?.status !== "paused")
      throw new Conflict(run, `Run ${run} is driven by process ${seat.pid} right now.`);
    if (!told) terminal.tell(`Process ${seat.pid} settles what it has in hand; then this one goes on.`);
    await systemClock.sleep(INTERVAL);
  }
}

/** Waits until this process may drive the run, or nothing is left to drive; tells what happens meanwhile (2). */
async function seatOrEnd({ run, store, terminal }: Foreground, local: Local): Promise<Seat | undefined> {
  let told: number | undefined;
  for (let seen = local.handle.ledger.state.seq; ; ) {
    const seat = takeSeat(store.folder, run);
    if (!("pid" in seat)) return seat;
    if (told !== seat.pid) terminal.tell(`Process ${seat.pid} drives the run and goes on with it.`);
    told = seat.pid;
    await systemClock.sleep(INTERVAL);
    const events = await eventsAfter(store, run, seen);
    local.onlooker.tell(events);
    seen = events.at(-1)?.seq ?? seen;
    if ((await store.journal.head(run))?.status !== "running") return undefined;
  }
}

async function eventsAfter({ journal }: Store, run: RunId, seq: number): Promise<readonly Event[]> {
  const events: Event[] = [];
  for await (const event of readEvents(journal, run, seq)) events.push(event);
  return events;
}
