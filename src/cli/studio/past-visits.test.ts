import { beforeEach, describe, expect, test } from "vitest";
import type { RunId, TaskId } from "../../base/names.ts";
import { MemoryJournal } from "../../journals/memory.ts";
import type { Event, Fact } from "../../kernel/event.ts";
import { pastVisits } from "./past-visits.ts";

const RUN = "r" as RunId;
const text = (step: number) => `sha256:${step.toString(16).padStart(64, "0")}`;

/** A run in which `often` is visited in every step but for each hundredth, which is one of `seldom`. */
function facts(steps: number): readonly Fact[] {
  return Array.from({ length: steps }, (_, index) => index + 1).flatMap((step): readonly Fact[] => {
    const node = step % 100 === 0 ? "seldom" : "often";
    const task = `${step}/${node}` as TaskId;
    const data = { socket: node, item: `WI-${step}`, title: `Step ${step}` };
    return [
      { type: "step.opened", step, tasks: [{ task, node }] },
      { type: "task.noted", task, kind: "loadout.entered", data },
      { type: "task.remembered", task, key: "turn:1", value: { prompt: text(step) } },
      { type: "task.finished", task, writes: [], route: [] },
      { type: "step.committed", step, ran: [task], patches: [] },
    ];
  });
}

/** Counts the events that are read. */
class Counting extends MemoryJournal {
  count = 0;

  override read(run: RunId, after: number, limit?: number): readonly Event[] {
    const events = super.read(run, after, limit);
    this.count += events.length;
    return events;
  }
}

describe("the past visits of a node", () => {
  const journal = new Counting();
  const all = facts(4000);
  const events = all.map((fact, index): Event => ({ ...fact, run: RUN, seq: index + 1, at: index * 10 }));
  journal.append({ run: RUN, after: 0, events, texts: [] });
  const wanted = { seq: events.length, limit: 20 };
  beforeEach(() => {
    journal.count = 0;
  });

  test("come newest first, with what they were about and the prompts that they had", async () => {
    const { visits } = await pastVisits(journal, RUN, { ...wanted, nodes: ["seldom"], limit: 2 });
    expect(visits).toEqual([
      {
        ...{ task: "4000/seldom", node: "seldom", step: 4000, seq: 19_996, at: 199_950 },
        ...{ item: "WI-4000", title: "Step 4000", texts: [{ kind: "sent", ref: text(4000) }] },
      },
      expect.objectContaining({ task: "3900/seldom", texts: [{ kind: "sent", ref: text(3900) }] }),
    ]);
  });

  test("are all found, each once, page by page", async () => {
    const tasks: string[] = [];
    let before: number | undefined;
    do {
      const page = await pastVisits(journal, RUN, {
        ...{ ...wanted, nodes: ["seldom", "none"] },
        ...(before !== undefined && { before }),
      });
      tasks.push(...page.visits.map(({ task }) => task));
      before = page.next ?? undefined;
    } while (before !== undefined);
    expect(tasks).toEqual(Array.from({ length: 40 }, (_, index) => `${4000 - 100 * index}/seldom`));
  });

  test("are no more than were asked for", async () => {
    const { visits, next } = await pastVisits(journal, RUN, { ...wanted, nodes: ["often", "seldom"] });
    expect(visits.map(({ step }) => step)).toEqual(Array.from({ length: 20 }, (_, index) => 4000 - index));
    expect(next).toBe(visits.at(-1)?.seq);
  });

  test("cost the same however long the run is, and when there are none", async () => {
    const { visits, next } = await pastVisits(journal, RUN, { ...wanted, nodes: ["none"] });
    expect([visits, next]).toEqual([[], 15_001]);
    expect(journal.count).toBe(5000);
    expect(await pastVisits(journal, RUN, { ...wanted, nodes: ["none"], before: 3 })).toEqual({
      ...{ visits: [], next: null },
    });
  });
});
