/** §2: the prover agrees with an exhaustive exploration of what runs of small loadouts can do. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/base/json.ts";
import { checkLoadout, costCeiling, readLoadout } from "../../src/loadout.ts";
import { explore } from "./loadout-explorer.ts";

const agent = { prompt: "Work.", tools: "none" };

type Dice = (sides: number) => number;

/** Numbers that fast-check can shrink, one for each roll. */
function dice(rolls: readonly number[]): Dice {
  let place = 0;
  return (sides) => (rolls[place++] ?? 0) % sides;
}

/**
 * A generator, one or two loops that take its items, and sockets outside of them, with edges where the dice say; a loop
 * of lanes leads nowhere but to its own members, and half of these loops may write files.
 */
function loadout(roll: Dice, hasLanes = false): JsonObject {
  const first = Array.from({ length: 1 + roll(3) }, (_, index) => `Socket-${index + 2}`);
  const second =
    roll(3) === 0 ? Array.from({ length: 1 + roll(2) }, (_, index) => `Socket-${index + 6}`) : [];
  const outside = ["Socket-8", "Socket-9"].slice(0, roll(3));
  const all = [...first, ...second, ...outside];
  const anywhere = [...(roll(3) === 0 ? ["Socket-1"] : []), ...all, ...all, "end"];
  const bound = () => (roll(3) > 0 ? { maxTraversals: 1 + roll(2) } : {});
  const to = () => anywhere[roll(anywhere.length)] as string;
  const edges = (among: readonly string[] = anywhere): Json[] => {
    const to = () => among[roll(among.length)] as string;
    const kind = roll(4);
    if (kind === 0) return [{ when: "always", to: to(), ...bound() }];
    if (kind === 1) return [{ when: "satisfied", to: to(), ...bound() }];
    if (kind === 2)
      return [
        { when: "not_satisfied", to: to(), ...bound() },
        { when: "always", to: to() },
      ];
    return [
      { when: "satisfied", to: to(), ...bound() },
      { when: "not_satisfied", to: to(), ...bound() },
    ];
  };
  const sockets: Record<string, Json> = {
    "Socket-1": { materia: "G", edges: [{ when: "always", to: all[roll(all.length)] as string }] },
  };
  const loop = (members: readonly string[]): JsonObject => {
    const when = ["satisfied", "not_satisfied", undefined][roll(3)];
    const within = hasLanes ? members : anywhere;
    const role = hasLanes && roll(2) === 0 ? "W" : "A";
    for (const [index, id] of members.entries()) {
      const isLast = index === members.length - 1;
      const around = { when: "always", to: members[(index + 1) % members.length] as string, ...bound() };
      const advance = { cursor: "c", items: "state.workItems", ...(when && { when }) };
      const next =
        roll(3) === 0 ? edges(within) : [...(roll(2) === 0 ? edges(within).slice(0, 1) : []), around];
      const clean = (next[0] as JsonObject)["when"] === "always" ? next.slice(0, 1) : next;
      sockets[id] = { materia: role, parse: "json", edges: clean, ...(isLast && { advance }) };
    }
    const exits = ["satisfied", "not_satisfied", "always"].slice(0, 1 + roll(3)).map((condition) => ({
      ...{ id: condition, from: members.at(-1) as string, condition },
      targetSocketId: to(),
    }));
    const parallel = hasLanes ? { parallel: { maxConcurrency: 2 } } : {};
    return { sockets: members, consumes: { from: "Socket-1" }, exits, ...parallel };
  };
  const loops: Record<string, Json> = { one: loop(first) };
  if (second.length > 0) loops["two"] = loop(second);
  for (const id of outside) {
    const role = roll(5) === 0 ? "T" : "A";
    // Writing a list anew begins the loops over it anew, also when it is the same list.
    const writes = roll(4) === 0 ? { assign: { workItems: "state.workItems" } } : {};
    sockets[id] = { materia: role, parse: "json", edges: edges(), ...writes };
  }
  const W = { ...agent, tools: "coding" };
  const materia = { G: { ...agent, generator: true }, A: agent, T: agent, W };
  const limits = { maxNoAdvanceCycles: roll(3) };
  // Without a declaration the sockets around an advance are taken for a loop.
  const declared = !hasLanes && roll(5) === 0 ? {} : { loops };
  return { entry: "Socket-1", sockets, limits, ...declared, materia };
}

const loadouts = (hasLanes: boolean) =>
  fc
    .array(fc.nat({ max: 59 }), { minLength: 60, maxLength: 60 })
    .map((rolls) => loadout(dice(rolls), hasLanes));

interface Seen {
  terminates: number;
  may_not_terminate: number;
  unknown: number;
  bounded: number;
  explored: number;
  overcautious: number;
  /** The bounds with three items in a list, over what the longest run takes; in order. */
  readonly ratios: number[];
}

/** Holds the proofs of random loadouts against all that their runs do with lists of up to so many items. */
async function compare(hasLanes: boolean, numRuns: number): Promise<Seen> {
  const nothing = {
    terminates: 0,
    may_not_terminate: 0,
    unknown: 0,
    bounded: 0,
    explored: 0,
    overcautious: 0,
  };
  const seen: Seen = { ...nothing, ratios: [] };
  const check = fc.asyncProperty(loadouts(hasLanes), async (json) => {
    const read = readLoadout(json);
    if (!read.ok) return;
    const { termination, proof } = checkLoadout(json);
    let isEndless = false;
    for (const items of [0, 1, 2, 3]) {
      const runs = await explore(read.definition, items, 800);
      if (runs === undefined) return;
      isEndless ||= runs.isEndless;
      if (termination.verdict === "terminates") expect(runs.isEndless).toBe(false);
      const ceiling = costCeiling(termination, { items }).turns;
      if (ceiling !== null && !runs.isEndless) expect(runs.most).toBeLessThanOrEqual(ceiling);
      if (ceiling !== null && items === 3) seen.ratios.push(ceiling / runs.most);
      const told = proof?.outcomes.map(({ socket }) => socket);
      expect(told).toEqual(expect.arrayContaining([...runs.visited]));
    }
    if (termination.verdict === "may_not_terminate" && !isEndless) seen.overcautious++;
    seen[termination.verdict]++;
    seen.explored++;
    if (termination.bound !== null) seen.bounded++;
  });
  await fc.assert(check, { numRuns, seed: 4 });
  seen.ratios.sort((a, b) => a - b);
  return seen;
}

test("§2: never terminates where a run can go on for ever, never a bound that a run exceeds, and seldom in doubt", async () => {
  const { ratios, ...seen } = await compare(false, 160);
  expect(seen.explored).toBeGreaterThan(60);
  expect(seen.terminates).toBeGreaterThan(25);
  expect(seen.may_not_terminate).toBeGreaterThan(25);
  // A loop that writes its own list is the one thing that stays open.
  expect(seen.unknown).toBeLessThan(0.06 * seen.explored);
  expect(seen.overcautious).toBeLessThan(0.1 * seen.may_not_terminate);
  expect(seen.bounded).toBe(seen.terminates);
  expect(ratios[Math.floor(0.5 * ratios.length)]).toBe(1);
  expect(ratios[Math.floor(0.9 * ratios.length)]).toBeLessThan(1.6);
}, 120_000);

test("§2: the lanes of parallel loops are bounded as well, also when each of them is run again after a conflict", async () => {
  const { ratios, ...seen } = await compare(true, 120);
  expect(seen.terminates).toBeGreaterThan(25);
  expect(seen.may_not_terminate).toBeGreaterThan(10);
  expect(seen.unknown).toBe(0);
  expect(seen.overcautious).toBeLessThan(0.1 * seen.may_not_terminate);
  expect(seen.bounded).toBe(seen.terminates);
  expect(ratios[Math.floor(0.5 * ratios.length)]).toBe(1);
  expect(ratios[Math.floor(0.9 * ratios.length)]).toBeLessThan(1.6);
}, 120_000);
