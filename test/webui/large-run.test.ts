/** A run of ten thousand events and a graph of three hundred nodes: what is drawn does not grow with either. */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { RunId, TaskId } from "../../src/base/names.ts";
import { SqliteJournal } from "../../src/journals/sqlite/sqlite-journal.ts";
import type { Event, Fact } from "../../src/kernel/event.ts";
import type { Plan } from "../../src/kernel/plan.ts";
import { CHROMIUM, Studio } from "./studio.ts";

const NODES = 300;
const EVENTS = 10_000;
const RUN = "large" as RunId;
const NAMES = Array.from({ length: NODES }, (_, index) => `node-${index}`);

/** A chain with short cuts, through which a run went again and again. */
function plan(): Plan {
  const edges = NAMES.flatMap((source, index) => {
    const next = NAMES[(index + 1) % NODES] ?? "";
    const far = NAMES[index + 7];
    return [
      { source, target: next },
      ...(far && index % 5 === 0 ? [{ source, target: far, conditional: true }] : []),
    ];
  });
  const pulses = Object.fromEntries(NAMES.map((name) => [`>${name}`, { kind: "pulse" as const }]));
  return {
    ...{ name: "large", pace: "step", entry: [">node-0"], output: ["count"], limits: {}, onFailure: "stop" },
    channels: { ...pulses, count: { kind: "last", initial: 0 } },
    nodes: Object.fromEntries(NAMES.map((name) => [name, { triggers: [`>${name}`], reads: ["count"] }])),
    drawing: { nodes: NAMES.map((id) => ({ id })), edges },
  };
}

function events(): readonly Event[] {
  const program = { dialect: "graph", name: "large", revision: "1" };
  const facts: Fact[] = [{ type: "run.started", program, plan: plan(), patches: [], route: [">node-0"] }];
  for (let step = 1; facts.length < EVENTS - 3; step++) {
    const node = NAMES[(step - 1) % NODES] ?? "";
    const next = NAMES[step % NODES] ?? "";
    const task = `${step}/${node}` as TaskId;
    facts.push(
      { type: "step.opened", step, tasks: [{ task, node }] },
      { type: "task.finished", task, writes: [{ channel: "count", value: step }], route: [`>${next}`] },
      { type: "step.committed", step, ran: [task], patches: [{ channel: "count", op: "take", as: "set" }] },
    );
  }
  while (facts.length < EVENTS) facts.push({ type: "run.paused", reason: "requested" });
  return facts.map((fact, index) => ({
    ...fact,
    run: RUN,
    seq: index + 1,
    at: 1_700_000_000_000 + index * 100,
  }));
}

async function record(folder: string): Promise<void> {
  mkdirSync(join(folder, ".baton"), { recursive: true });
  const journal = new SqliteJournal(join(folder, ".baton", "baton.db"));
  const all = events();
  const program = { dialect: "graph", name: "large", revision: "1" };
  const times = { startedAt: all[0]?.at ?? 0, updatedAt: all.at(-1)?.at ?? 0 };
  for (let after = 0; after < all.length; after += 500) {
    const head = { run: RUN, program, status: "paused", reason: "requested", ...times } as const;
    await journal.append({ run: RUN, after, events: all.slice(after, after + 500), texts: [], head });
  }
  await journal.close();
}

describe.skipIf(CHROMIUM === undefined)("a large run", () => {
  test("keeps the document and the drawing small", { timeout: 240_000 }, async () => {
    const studio = await Studio.open([]);
    await studio.kill("SIGTERM");
    await record(studio.cli.cwd);
    await studio.start();
    const shown = await studio.page(`/runs/${RUN}?tab=events`);
    const { page } = shown;
    await page
      .getByRole("button", { name: /^node-\d+ node/ })
      .first()
      .waitFor({ timeout: 60_000 });
    expect(await page.getByRole("slider", { name: "Event of the log" }).getAttribute("max")).toBe(
      String(EVENTS),
    );
    await page.getByRole("combobox", { name: "Which events" }).selectOption("everything");
    expect(await shown.read("document.querySelectorAll('[aria-label=\"Events\"] li').length")).toBeLessThan(
      80,
    );
    expect(await shown.read("document.querySelectorAll('*').length")).toBeLessThan(9000);

    // A zoom to a corner leaves only what is in sight.
    const closer = page.getByRole("button", { name: "Zoom In" });
    for (let press = 0; press < 12 && (await closer.isEnabled()); press++) await closer.click();
    await shown.still();
    expect(await shown.read("document.querySelectorAll('.react-flow__node').length")).toBeLessThan(100);

    // One event further draws the nodes that changed, and no others.
    const counts = "window.__baton.renders";
    await page.getByRole("slider", { name: "Event of the log" }).focus();
    await page.keyboard.press("ArrowLeft");
    await shown.still();
    const before = await shown.read<{ nodes: number; lines: number }>(`({ ...${counts} })`);
    for (let press = 0; press < 10; press++) await page.keyboard.press("ArrowLeft");
    await shown.still();
    const after = await shown.read<{ nodes: number; lines: number }>(`({ ...${counts} })`);
    expect(after.nodes - before.nodes).toBeLessThan(60);
    expect(after.lines - before.lines).toBeLessThan(400);
    await page.getByText(`event ${EVENTS - 11} of`).waitFor();
    expect(shown.faults).toEqual([]);
  });
});
