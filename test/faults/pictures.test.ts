/**
 * Pictures of files in a loadout are recorded effects: whenever the process dies, each visit tells what it changed from
 * where it began, replay asks nobody for them, and a visit costs the same however many there were.
 */
import { describe, expect, test } from "vitest";
import type { Agent } from "../../src/agent/agent.ts";
import type { WorkingTree } from "../../src/agent/working-tree.ts";
import { runId } from "../../src/base/names.ts";
import { LocalRun } from "../../src/engines/local.ts";
import { recordedPrograms, replayRun } from "../../src/history.ts";
import { MemoryJournal } from "../../src/journals/memory.ts";
import type { Event } from "../../src/kernel/event.ts";
import { compileLoadout, readLoadout, startLoadout } from "../../src/loadout.ts";
import type { Journal } from "../../src/run/journal.ts";
import { Crash, FaultyJournal } from "../../src/testing/faulty-journal.ts";

const RUN = runId("r");

/** Files as a row of letters, whose picture is the row itself. */
class Files implements WorkingTree {
  content: string = "";
  pictures: number = 0;

  async mark(): Promise<{ readonly tree: string }> {
    this.pictures++;
    return { tree: this.#name(this.content) };
  }

  async changes(mark: unknown) {
    this.pictures++;
    const before = (mark as { readonly tree: string }).tree; // from `mark`
    const after = this.#name(this.content);
    if (before === after) return undefined;
    return { diff: `${before}\n${after}`, paths: ["letters"], after: { tree: after } };
  }

  async restore(): Promise<void> {}

  #name(text: string): string {
    return Buffer.from(text.slice(-20)).toString("hex").padStart(40, "0");
  }
}

function loadout(visits: number): Parameters<typeof readLoadout>[0] {
  const sockets = Array.from({ length: visits }, (_, index) => {
    const edges = index + 1 < visits ? [{ when: "always", to: `S${index + 2}` }] : [];
    return [`S${index + 1}`, { materia: index === 1 ? "look" : "work", parse: "text", edges }];
  });
  const materia = {
    work: { prompt: "Work.", tools: "coding" },
    look: { prompt: "Look.", tools: "readOnly" },
  };
  return JSON.parse(
    JSON.stringify({ name: "row", entry: "S1", sockets: Object.fromEntries(sockets), materia }),
  );
}

/** Begins the run or goes on with it. The agent writes its letter when it has not been written yet. */
async function play(visits: number, files: Files, journal: Journal): Promise<void> {
  const read = readLoadout(loadout(visits));
  if (!read.ok) throw new Error(JSON.stringify(read.errors));
  const agent: Agent = {
    session: ({ node }) => node,
    async turn({ node, role }) {
      if (role === "work" && !files.content.includes(`${node}.`)) files.content += `${node}.`;
      return { kind: "done", text: node, usage: { tokens: 1, costUsd: 0 }, cursor: null };
    },
  };
  const program = compileLoadout(read.definition, {
    ...{ agent: () => agent, utility: () => undefined, cwd: "/", runDir: "/", tree: files },
    commands: { run: () => Promise.reject(new Error("no programs here")) },
  });
  const run = await LocalRun.open(program, journal, RUN);
  if (run.ledger.state.status === "new") await run.send(startLoadout(read.definition, "Go."));
  else if (run.ledger.state.status !== "completed") await run.send({ type: "resume" });
  await run.drive();
}

/** What each visit found and left. */
function told(log: readonly Event[]): readonly unknown[] {
  return log.flatMap((event) => {
    if (event.type === "task.remembered" && event.key === "files:found") return [[event.task, event.value]];
    if (event.type !== "task.noted" || event.kind !== "loadout.files") return [];
    return [[event.task, (event.data as { readonly files: unknown }).files]];
  });
}

describe("pictures of a loadout", () => {
  test("are the same after a crash at every append, and replay takes them as recorded", async () => {
    const counting = new FaultyJournal(new MemoryJournal());
    await play(3, new Files(), counting);
    const calm = told(await counting.read(RUN, 0));
    expect(calm).toHaveLength(4);
    expect(counting.appends).toBeGreaterThan(6);
    for (let append = 1; append <= counting.appends; append++) {
      for (const write of ["kept", "lost"] as const) {
        const journal = new MemoryJournal();
        const files = new Files();
        const dying = new FaultyJournal(journal, { append, write });
        await expect(play(3, files, dying)).rejects.toBeInstanceOf(Crash);
        await play(3, files, journal);
        expect(told(journal.read(RUN, 0)), `append ${append} ${write}`).toEqual(calm);
        const { pictures } = files;
        expect(await replayRun({ journal, run: RUN }, recordedPrograms)).toMatchObject({ identical: true });
        expect(files.pictures).toBe(pictures);
      }
    }
  });

  test("are two for each visit that may write, with the same bytes for each, and none for others", async () => {
    const costs: number[] = [];
    for (const visits of [6, 12, 24]) {
      const journal = new MemoryJournal();
      const files = new Files();
      await play(visits, files, journal);
      expect(files.pictures).toBe(2 * (visits - 1));
      const bytes = JSON.stringify(told(journal.read(RUN, 0))).length;
      costs.push(bytes / (visits - 1));
    }
    expect(Math.max(...costs) / Math.min(...costs)).toBeLessThan(1.1);
  });
});
