/** What kernel tests are made of: small programs, and a way to run them and look at their logs. */
import { runId } from "../src/base/names.ts";
import { LocalRun } from "../src/engines/local.ts";
import { MemoryJournal } from "../src/journals/memory.ts";
import type { Command } from "../src/kernel/command.ts";
import type { Event, Write } from "../src/kernel/event.ts";
import type { ChannelSpec, Pace, Plan, PlanNode } from "../src/kernel/plan.ts";
import type { Handler, Outcome, Program, Reducer } from "../src/kernel/program.ts";
import type { Clock } from "../src/run/clock.ts";
import type { Journal } from "../src/run/journal.ts";

export interface Node extends Partial<PlanNode> {
  readonly run: Handler;
}

export interface Sketch extends Partial<Omit<Plan, "nodes" | "channels">> {
  readonly channels?: Readonly<Record<string, ChannelSpec>>;
  readonly nodes: Readonly<Record<string, Node>>;
  readonly reducers?: Readonly<Record<string, Reducer>>;
  readonly revision?: string;
}

export const add: Reducer = (current, update) => ((current as number) ?? 0) + (update as number);

/** Adds lists, and says so without copying. */
export const append: Reducer = Object.assign(
  (current: unknown, update: unknown) => [...((current as []) ?? []), ...(update as [])],
  { patch: () => ({ op: "take", as: "append" }) as const },
);

/** A channel that adds up what is written to it. */
export const sum = { kind: "fold", reducer: "add", initial: 0 } as const;

/** A program in which each node `x` has a pulse `>x`; the first node is the entry unless told otherwise. */
export function program(sketch: Sketch): Program {
  const { nodes, channels = {}, reducers = {}, revision = "1", pace = "step" as Pace, ...plan } = sketch;
  const names = Object.keys(nodes);
  const pulses = Object.fromEntries(names.map((name) => [`>${name}`, { kind: "pulse" } as const]));
  return {
    id: { dialect: "test", name: "test", revision },
    plan: {
      name: "test",
      pace,
      channels: { ...channels, ...pulses },
      nodes: Object.fromEntries(
        names.map((name) => {
          const { run: _, ...node } = nodes[name] as Node;
          return [name, { triggers: [`>${name}`], reads: [], ...node }];
        }),
      ),
      entry: [`>${names[0]}`],
      output: Object.keys(channels),
      limits: {},
      onFailure: "stop",
      ...plan,
    },
    handlers: Object.fromEntries(names.map((name) => [name, (nodes[name] as Node).run])),
    reducers: { add, append, ...reducers },
  };
}

/** An outcome that writes values to channels and signals nodes. */
export function done(
  values: Readonly<Record<string, Write["value"]>> = {},
  ...route: readonly string[]
): Outcome {
  const writes = Object.entries(values).map(([channel, value]) => ({ channel, value }));
  return { kind: "done", writes, route: route.map((name) => (name.startsWith("=") ? name : `>${name}`)) };
}

/** Does things in order and gives the last one. */
export function last<T>(...things: readonly [...unknown[], T]): T {
  return things.at(-1) as T;
}

/** A clock that only moves when something sleeps. */
export function virtualClock(start = 1_000_000): Clock & { time: number } {
  const clock = {
    time: start,
    now: () => clock.time,
    async sleep(milliseconds: number) {
      clock.time += Math.max(0, milliseconds);
    },
    breathe: () => new Promise<void>((resolve) => setImmediate(resolve)),
  };
  return clock;
}

/** A clock that stands still but lets others have their turn. */
export const systemLike: Clock = virtualClock();

export interface Started {
  readonly run: LocalRun;
  readonly journal: Journal;
  events(): readonly Event[];
  types(): string[];
}

export const RUN = runId("r");

/** Opens a run on a journal, in memory unless told otherwise. */
export async function open(
  made: Program,
  journal: Journal = new MemoryJournal(),
  clock: Clock = virtualClock(),
): Promise<Started> {
  const run = await LocalRun.open(made, journal, RUN, { clock });
  const events = () => journal.read(RUN, 0) as readonly Event[];
  return { run, journal, events, types: () => events().map(({ type }) => type) };
}

/** Starts a run and drives it until it stops. */
export async function start(
  made: Program,
  command: Partial<Extract<Command, { type: "start" }>> = {},
  journal?: Journal,
): Promise<Started> {
  const opened = await open(made, journal);
  await opened.run.send({ type: "start", writes: [], ...command });
  await opened.run.drive();
  return opened;
}
