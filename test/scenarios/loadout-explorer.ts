/**
 * An explorer drives the compiled sockets of a loadout through every choice of outputs, with lists of up to so many
 * items. It knows nothing of the prover: what it finds is what runs do.
 */

import type { Worktrees } from "../../src/agent/worktree.ts";
import { canonical, isJsonObject, type Json, type JsonObject } from "../../src/base/json.ts";
import { runId, taskId } from "../../src/base/names.ts";
import type { ChildRequest, Outcome, Program, TaskContext } from "../../src/kernel/program.ts";
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

/** The channels that steer: the state that authors see, the scopes, and what was said last. */
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
  return new Explorer(definition, most, room).run();
}

/** How a child run can go. */
interface Child {
  readonly most: number;
  readonly isEndless: boolean;
  readonly visited: ReadonlySet<string>;
  readonly ends: readonly Cells[];
}

class Explorer {
  readonly #definition: LoadoutDefinition;
  readonly #most: number;
  readonly #program: Program;
  readonly #children: Map<string, Child> = new Map();
  readonly #visited: Set<string> = new Set();
  #room: number;
  #isEndless = false;
  #said: Json = null;

  constructor(definition: LoadoutDefinition, most: number, room: number) {
    this.#definition = definition;
    this.#most = most;
    this.#room = room;
    this.#program = compileLoadout(definition, {
      agent: () => ({
        session: ({ node }) => node,
        turn: async () => {
          const text = typeof this.#said === "string" ? this.#said : JSON.stringify(this.#said);
          return { kind: "done", text, usage: { tokens: 0, costUsd: 0 }, cursor: null };
        },
      }),
      commands: {
        run: async () => ({ ended: "exited", code: 0, stdout: JSON.stringify(this.#said), stderr: "" }),
      },
      utility: () => ({ argv: ["utility"] }),
      worktrees: quarrelsome(),
      cwd: "/",
      runDir: "/run",
    });
  }

  async run(): Promise<Explored | undefined> {
    const child = await this.#explore(this.#program, this.#definition.entry, { state: {} });
    if (child === undefined) return undefined;
    const visited = new Set([...this.#visited, ...child.visited]);
    return { ...child, isEndless: child.isEndless || this.#isEndless, visited };
  }

  async #explore(program: Program, entry: string, cells: Cells): Promise<Child | undefined> {
    const spots = new Map<string, Spot>();
    const ends = new Map<string, Cells>();
    const spotOf = (socket: string, cells: Cells): Spot => {
      const key = `${socket} ${canonical(cells)}`;
      const spot = spots.get(key) ?? { socket, cells, next: [] };
      if (!spots.has(key)) this.#room--;
      spots.set(key, spot);
      return spot;
    };
    const start = spotOf(entry, cells);
    for (const spot of spots.values()) {
      if (this.#room < 0) return undefined;
      for (const choice of choices(this.#definition, spot.socket, this.#most)) {
        this.#said = choice;
        const courses = await this.#visit(program, spot);
        if (courses === undefined) return undefined;
        for (const { outcome, below } of courses) {
          if (outcome.kind !== "done" && outcome.kind !== "failed")
            throw new Error(`${spot.socket} came back ${outcome.kind}`);
          const isSkip = outcome.notes?.some(({ kind }) => kind === "loadout.skipped") ?? false;
          const visits = isSkip ? 0 : 1 + below;
          if (outcome.kind === "failed") {
            spot.next.push({ to: undefined, visits });
            continue;
          }
          const target = outcome.halt === undefined ? outcome.route[0]?.slice("enter:".length) : undefined;
          const after = written(spot.cells, outcome);
          if (target === undefined) ends.set(canonical(after), after);
          const { last: _, ...steering } = after;
          const to = target === undefined ? undefined : spotOf(target, steering);
          spot.next.push({ to, visits });
        }
        if (courses.some(({ outcome }) => outcome.notes?.some(({ kind }) => kind === "loadout.skipped")))
          break;
      }
    }
    return { ...longest(start, spots), ends: [...ends.values()] };
  }

  /** What a visit can come to: one thing, or one for every end of the children that it runs. */
  async #visit(
    program: Program,
    spot: Spot,
  ): Promise<readonly { readonly outcome: Outcome; readonly below: number }[] | undefined> {
    const asked: ChildRequest[] = [];
    const first = await perform(program, spot, async (request) => {
      asked.push(request);
      const outcome: Outcome = { kind: "held", reason: "explored", message: "" };
      return { kind: "stopped", run: runId("c"), outcome };
    });
    const [request] = asked;
    if (request === undefined) return [{ outcome: first, below: 0 }];
    const child = await this.#childOf(request);
    if (child === undefined) return undefined;
    const courses: { outcome: Outcome; below: number }[] = [];
    // Where no lane comes to its end, all of them have failed.
    if (child.ends.length === 0) {
      courses.push({ outcome: { kind: "done", writes: [], route: [] }, below: asked.length * child.most });
    }
    for (const end of child.ends) {
      let calls = 0;
      const outcome = await perform(program, spot, async () => {
        calls++;
        return { kind: "completed", run: runId("c"), output: { ...end, context: [], usage: {} } };
      });
      courses.push({ outcome, below: calls * child.most });
    }
    return courses;
  }

  async #childOf({ program, writes }: ChildRequest): Promise<Child | undefined> {
    const entry = (program.plan.entry[0] ?? "").slice("enter:".length);
    const cells = written({}, { kind: "done", writes, route: [] });
    const scopes = Object.entries(cells).filter(([channel]) => channel.startsWith("scope"));
    // The place of an item in the list steers nothing within its lane.
    const alike = Object.fromEntries(scopes.map(([channel, { index: _, ...rest }]) => [channel, rest]));
    const key = `${program.id.name} ${entry} ${canonical({ ...cells, ...alike })}`;
    const known = this.#children.get(key);
    if (known !== undefined) return known;
    const child = await this.#explore(program, entry, cells);
    if (child === undefined) return undefined;
    this.#children.set(key, child);
    this.#isEndless ||= child.isEndless;
    for (const socket of child.visited) this.#visited.add(socket);
    return child;
  }
}

/** Worktrees in which the work of every lane conflicts once. */
function quarrelsome(): Worktrees {
  const seen = new Map<string, number>();
  return {
    begin: async () => ({ ok: true, commit: "base" }),
    open: async ({ folder }) => folder,
    seal: async ({ folder }) => {
      seen.set(folder, (seen.get(folder) ?? 0) + 1);
      return { kind: "sealed", commit: `${folder} ${(seen.get(folder) ?? 0) % 2}` };
    },
    merge: async (_, commit) =>
      commit.endsWith(" 1") ? { kind: "conflict", files: ["a"] } : { kind: "merged" },
    bring: async () => ({ kind: "conflict", files: ["a"] }),
    land: async () => ({ ok: true }),
    close: async () => true,
  };
}

async function perform(
  program: Program,
  { socket, cells }: Pick<Spot, "socket" | "cells">,
  child: TaskContext["child"],
): Promise<Outcome> {
  const snapshot = { read: (channel: string) => cells[channel] } as unknown as Snapshot; // the part that visits use
  const texts = new Map<string, string>();
  const memory = new Map<string, Json>();
  const context: TaskContext = {
    ...{ run: runId("r"), task: taskId(1, socket, 0), node: socket, step: 1, attempt: 1, firstAttempt: 1 },
    ...{ idempotencyKey: "k", signal: new AbortController().signal, interrupted: undefined, answers: [] },
    recall: (key) => memory.get(key),
    once: async (key, effect) => {
      const value = memory.get(key) ?? (await effect());
      memory.set(key, value);
      return value as Awaited<ReturnType<typeof effect>>; // what the same effect gave
    },
    keep: (kind, text) => {
      texts.set(text, text);
      return { kind, ref: text, size: text.length };
    },
    fetch: async (ref) => texts.get(ref) ?? ref,
    progress: () => undefined,
    now: () => 0,
    child,
  };
  const handler = program.handlers[socket];
  if (handler === undefined) throw new Error(`no handler for ${socket}`);
  return handler({ snapshot, sent: false, taken: {} }, context);
}

function written(cells: Cells, { writes }: Extract<Outcome, { kind: "done" }>): Cells {
  const after: Record<string, JsonObject> = { ...cells };
  for (const { channel, value, overwrite } of writes) {
    if (channel !== "state" && channel !== "last" && !channel.startsWith("scope")) continue;
    if (!isJsonObject(value)) continue;
    const kept = Object.fromEntries(Object.entries(value).filter(([key]) => !key.startsWith("rework:")));
    after[channel] = overwrite || channel === "last" ? kept : { ...after[channel], ...kept };
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
function longest(start: Spot, spots: ReadonlyMap<string, Spot>): Omit<Child, "ends"> {
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
