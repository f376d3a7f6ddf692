/**
 * An explorer drives the compiled sockets of a loadout through every choice of outputs, with lists of up to so many
 * items. It knows nothing of the prover: what it finds is what runs do.
 */

import { canonical, isJsonObject, type Json, type JsonObject } from "../../src/base/json.ts";
import { runId, taskId } from "../../src/base/names.ts";
import type { Outcome, Program, TaskContext } from "../../src/kernel/program.ts";
import type { Snapshot } from "../../src/kernel/snapshot.ts";
import { compileLoadout, type LoadoutDefinition } from "../../src/loadout.ts";

export interface Explored {
  /** True when some run never ends. */
  readonly isEndless: boolean;
  /** The most visits of any run; meaningless when some run never ends. */
  readonly most: number;
  /** The sockets that some run visits. */
  readonly visited: ReadonlySet<string>;
}

/** The channels that steer: the state that authors see, and the scopes. */
type Cells = Readonly<Record<string, JsonObject>>;

interface Spot {
  readonly socket: string;
  readonly cells: Cells;
  readonly next: { readonly to: Spot | undefined; readonly visits: number }[];
}

/** Everything that runs can do; nothing when that is more than `room` spots. */
export async function explore(
  definition: LoadoutDefinition,
  most: number,
  room: number = 4000,
): Promise<Explored | undefined> {
  let said: Json = null;
  const program = compileLoadout(definition, {
    agent: () => ({
      session: ({ node }) => node,
      turn: async () => {
        const text = typeof said === "string" ? said : JSON.stringify(said);
        return { kind: "done", text, usage: { tokens: 0, costUsd: 0 }, cursor: null };
      },
    }),
    commands: { run: async () => ({ ended: "exited", code: 0, stdout: JSON.stringify(said), stderr: "" }) },
    utility: () => ({ argv: ["utility"] }),
    cwd: "/",
    runDir: "/",
  });
  const spots = new Map<string, Spot>();
  const spotOf = (socket: string, cells: Cells): Spot => {
    const key = `${socket} ${canonical(cells)}`;
    const spot = spots.get(key) ?? { socket, cells, next: [] };
    spots.set(key, spot);
    return spot;
  };
  const start = spotOf(definition.entry, { state: {} });
  for (const spot of spots.values()) {
    if (spots.size > room) return undefined;
    for (const choice of choices(definition, spot.socket, most)) {
      said = choice;
      const outcome = await visit(program, spot);
      if (outcome.kind === "failed") continue;
      if (outcome.kind !== "done") throw new Error(`${spot.socket} came back ${outcome.kind}`);
      const isSkip = outcome.notes?.some(({ kind }) => kind === "loadout.skipped") ?? false;
      const target = outcome.halt === undefined ? outcome.route[0]?.slice("enter:".length) : undefined;
      const to = target === undefined ? undefined : spotOf(target, written(spot.cells, outcome));
      spot.next.push({ to, visits: isSkip ? 0 : 1 });
      if (isSkip) break;
    }
  }
  return longest(start, spots);
}

async function visit(program: Program, { socket, cells }: Spot): Promise<Outcome> {
  const snapshot = { read: (channel: string) => cells[channel] } as unknown as Snapshot; // the part that visits use
  const texts = new Map<string, string>();
  const context: TaskContext = {
    ...{ run: runId("r"), task: taskId(1, socket, 0), node: socket, step: 1, attempt: 1 },
    ...{ idempotencyKey: "k", signal: new AbortController().signal, interrupted: undefined, answers: [] },
    recall: () => undefined,
    once: async (_key, effect) => effect(),
    keep: (kind, text) => {
      texts.set(text, text);
      return { kind, ref: text, size: text.length };
    },
    fetch: async (ref) => texts.get(ref),
    progress: () => undefined,
    now: () => 0,
    child: () => Promise.reject(new Error("graphs are not explored")),
  };
  const handler = program.handlers[socket];
  if (handler === undefined) throw new Error(`no handler for ${socket}`);
  return handler({ snapshot, sent: false, taken: {} }, context);
}

function written(cells: Cells, { writes }: Extract<Outcome, { kind: "done" }>): Cells {
  const after: Record<string, JsonObject> = { ...cells };
  for (const { channel, value, overwrite } of writes) {
    if (channel !== "state" && !channel.startsWith("scope")) continue;
    if (!isJsonObject(value)) continue;
    const kept = Object.fromEntries(Object.entries(value).filter(([key]) => !key.startsWith("rework:")));
    after[channel] = overwrite ? kept : { ...after[channel], ...kept };
  }
  return after;
}

/** What a socket can say: for generators every length of list, and every `satisfied` that its contract allows. */
function choices({ sockets, materia }: LoadoutDefinition, id: string, most: number): Json[] {
  const socket = sockets[id];
  const role = materia[socket?.materia ?? ""];
  const makes = role?.generator === true;
  if (!makes && socket?.parse !== "json") return ["done"];
  const isGuard = (when: string | undefined) => when === "satisfied" || when === "not_satisfied";
  const isAsked = isGuard(socket?.advance?.when) || (socket?.edges ?? []).some(({ when }) => isGuard(when));
  const says: JsonObject[] = [{ satisfied: true }, { satisfied: false }, ...(isAsked ? [] : [{}])];
  if (!makes) return says;
  const lists = Array.from({ length: most + 1 }, (_, length) =>
    Array.from({ length }, () => ({ title: "t", context: "c" })),
  );
  return lists.flatMap((workItems) => says.map((said) => ({ ...said, workItems })));
}

/** The longest way through the spots, by the order in which all that comes before a spot is done (Kahn, 1962). */
function longest(start: Spot, spots: ReadonlyMap<string, Spot>): Explored {
  const before = new Map<Spot, number>();
  for (const { next } of spots.values()) {
    for (const { to } of next) if (to !== undefined) before.set(to, (before.get(to) ?? 0) + 1);
  }
  const reached = new Map<Spot, number>([[start, 0]]);
  const open = before.has(start) ? [] : [start];
  let most = 0;
  let done = 0;
  for (const spot of open) {
    done++;
    for (const { to, visits } of spot.next) {
      const length = (reached.get(spot) ?? 0) + visits;
      most = Math.max(most, length);
      if (to === undefined) continue;
      reached.set(to, Math.max(reached.get(to) ?? 0, length));
      before.set(to, (before.get(to) ?? 0) - 1);
      if (before.get(to) === 0) open.push(to);
    }
  }
  const visited = new Set(
    [...spots.values()].flatMap(({ socket, next }) =>
      next.some(({ visits }) => visits > 0) ? [socket] : [],
    ),
  );
  return { isEndless: done < spots.size, most, visited };
}
