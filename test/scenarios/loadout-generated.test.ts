/** The check (§2) at large: two hundred loadouts, half of them broken in known ways, and a hundred thousand odd files. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkLoadout } from "../../src/loadout.ts";
import type { CheckDocument } from "../../src/protocol/result.ts";
import { CommandLine } from "./cli-harness.ts";
import { generated, KNOWN_FAULTS, oddFile } from "./generated-loadouts.ts";

const COUNT = 200;
const loadouts = generated(COUNT);

/** Holds what was told of a loadout against what is known of it. */
function compare(fault: string | undefined, { ok, errors, warnings, termination }: CheckDocument): void {
  const told = [...errors, ...warnings].map(({ code, pointer }) => `${code} ${pointer}`);
  expect(told).toEqual(fault === undefined ? [] : expect.arrayContaining([fault]));
  if (fault !== undefined) return;
  expect(ok).toBe(true);
  expect(termination).toMatchObject({ verdict: "terminates", bound: expect.stringContaining("items") });
}

describe("§2: of two hundred loadouts, half of them broken in known ways,", () => {
  test("the faults are of every known kind, twice or more", () => {
    const broken = loadouts.filter(({ fault }) => fault !== undefined);
    expect(broken).toHaveLength(COUNT / 2);
    expect(COUNT / 2).toBeGreaterThanOrEqual(2 * KNOWN_FAULTS);
  });

  test("checkLoadout finds every fault by its code and pointer, and nothing where there is none", () => {
    for (const { loadout, fault } of loadouts) compare(fault, checkLoadout(loadout));
  });

  test("one `baton check FOLDER --json` tells the same of all files, in a few milliseconds each", async () => {
    const cli = new CommandLine();
    const nameOf = (index: number) => `${String(index).padStart(3, "0")}.json`;
    for (const [index, { loadout }] of loadouts.entries())
      writeFileSync(join(cli.cwd, nameOf(index)), JSON.stringify(loadout));
    const begin = performance.now();
    const { code, document } = await cli.json<{
      ok: boolean;
      files: readonly (CheckDocument & { file: string })[];
    }>("check", ".");
    const each = (performance.now() - begin) / COUNT;
    expect(code).toBe(2);
    expect(document.files.map(({ file }) => file)).toEqual(loadouts.map((_, index) => nameOf(index)));
    for (const [index, { fault }] of loadouts.entries())
      compare(fault, document.files[index] as CheckDocument);
    console.info(`baton check: ${each.toFixed(1)} ms for each file, the start of the process included`);
    // Loose, since others may be at work beside it: the promise is 5 ms.
    expect(each).toBeLessThan(50);
  });
});

test("§2: a hundred thousand odd files, and the check answers every one", () => {
  const wrong: string[] = [];
  for (let place = 0; place < 100_000; place++) {
    try {
      const { ok, errors } = checkLoadout(oddFile(`odd ${place}`));
      if (ok !== (errors.length === 0)) wrong.push(`odd ${place}: ok and errors do not agree`);
    } catch (error) {
      wrong.push(`odd ${place}: ${String(error)}`);
    }
  }
  expect(wrong).toEqual([]);
}, 120_000);
