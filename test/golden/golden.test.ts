/** Golden logs: what earlier versions wrote is still read, folded and replayed, and any change in them is found. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Json } from "../../src/base/json.ts";
import { BundleDamage, importRun, openBundle, replayRun, stateHash } from "../../src/history.ts";
import { MemoryJournal } from "../../src/journals/memory.ts";
import { SqliteJournal } from "../../src/journals/sqlite/sqlite-journal.ts";
import { loadState } from "../../src/run/load.ts";
import { RUN } from "../faults/scenarios.ts";
import { GOLDEN } from "./programs.ts";

/** The states that the logs fold to, for good. */
const HASHES: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(new URL("hashes.json", import.meta.url), "utf8"),
);
const FILES = readdirSync(new URL(".", import.meta.url)).filter((name) => name.endsWith(".jsonl"));

test("there is one of every dialect", () => {
  expect(FILES).toEqual(
    Object.keys(GOLDEN)
      .map((name) => `v1-${name}.jsonl`)
      .sort(),
  );
});

describe.each(FILES)("%s", (file) => {
  const bundle = readFileSync(new URL(file, import.meta.url));
  const programFor = GOLDEN[file.replace(/^v\d+-|\.jsonl$/g, "")];
  if (programFor === undefined) throw new Error(`nothing replays ${file}`);

  test.each([
    ["memory", () => new MemoryJournal()],
    ["sqlite", () => new SqliteJournal(":memory:")],
  ])("folds to the state that it always did and replays, in %s", async (_name, open) => {
    const journal = open();
    expect(await importRun(journal, bundle)).toMatchObject({ run: RUN, status: "completed" });
    expect(stateHash((await loadState(journal, RUN)).state)).toBe(HASHES[file]);
    const report = await replayRun({ journal, run: RUN }, programFor);
    expect(report.difference).toBeUndefined();
    expect(report).toMatchObject({ identical: true, skipped: [], runs: [{ hash: HASHES[file] }] });
    journal.close();
  });

  test("with a byte changed is refused, and its line named", () => {
    for (let at = 3; at < bundle.length; at += 211) {
      const forged = Buffer.from(bundle);
      forged[at] = (forged[at] ?? 0) ^ 2;
      const line = bundle.subarray(0, at).filter((byte) => byte === 10).length + 1;
      expect(() => openBundle(forged), `byte ${at}`).toThrow(BundleDamage);
      expect(() => openBundle(forged)).toThrow(`in line ${line}:`);
    }
  });

  test("with a decision changed differs in its replay, and the event is named", async () => {
    const { logs, texts } = openBundle(bundle);
    const events = structuredClone(logs.get(RUN) ?? []);
    const commit = events.find(({ type }) => type === "step.committed") as {
      ran: Json;
    } & (typeof events)[number];
    commit.ran = [];
    const journal = new MemoryJournal();
    const [first] = events;
    if (first?.type !== "run.started") throw new Error("a golden log begins with its run");
    const { program } = first;
    const head = { run: RUN, program, status: "completed", startedAt: 0, updatedAt: 0 } as const;
    journal.append({ run: RUN, after: 0, events, texts, head });
    const { difference } = await replayRun({ journal, run: RUN }, programFor);
    expect(difference).toMatchObject({
      by: "kernel",
      seq: commit.seq,
      type: "step.committed",
      path: "/ran/0",
    });
  });
});
